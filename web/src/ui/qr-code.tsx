import { QRCodeSVG } from 'qrcode.react';
import { useText } from '../lib/locale.tsx';

/** A QR code on white, as cameras want it in dark surroundings too. `text` is an address or a payment URI. */
export function QrCode({ text, size = 176 }: { text: string; size?: number }) {
  const t = useText();
  return (
    <div className="inline-block rounded-10 border border-line bg-[#fff] p-3">
      <QRCodeSVG
        value={text}
        size={size}
        level="M"
        bgColor="#ffffff"
        fgColor="#10131a"
        title={t('ui.qr.label', { text })}
        role="img"
        className="block"
      />
    </div>
  );
}
