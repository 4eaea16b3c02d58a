import { useLocale, useText } from '../../../lib/locale.tsx';
import { Button, buttonClass } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { copyText } from '../../../ui/copy-button.tsx';
import { QrCode } from '../../../ui/qr-code.tsx';
import type { Request } from '../api.ts';
import { isToPay, linkText } from '../words.ts';

/** The link that the payer is given: to copy, to scan, as a PDF. */
export function ShareCard({ request }: { request: Request }) {
  const t = useText();
  const locale = useLocale();
  const { link } = request;
  const { state } = request;
  const isOpen = state === 'open' || state === 'processing';
  return (
    <Card title={t('collections.share')}>
      <div className="flex flex-wrap items-start gap-5">
        <QrCode text={link} size={132} />
        <div className="flex min-w-0 flex-1 basis-60 flex-col gap-3">
          <p className="m-0 text-13 text-muted">{t(linkText(state))}</p>
          <span className="block rounded-6 bg-sunken px-3 py-2 font-mono text-12 wrap-anywhere" data-link>
            {link}
          </span>
          <div className="flex flex-wrap gap-2">
            <Button kind={isToPay(state) ? 'primary' : 'secondary'} icon="copy" onClick={() => void copyText(link)}>
              {t('collections.share.copy')}
            </Button>
            <a href={link} target="_blank" rel="noreferrer noopener" className={buttonClass('secondary')}>
              {t('collections.share.open')}
            </a>
            {isOpen && (
              <a href={`${link}/request.pdf?lang=${locale}`} download className={buttonClass('secondary')}>
                {t('collections.share.pdf')}
              </a>
            )}
            {state === 'settled' && request.receipts.length > 0 && (
              <a href={`${link}/receipt.pdf?lang=${locale}`} download className={buttonClass('secondary')}>
                {t('collections.share.receipt')}
              </a>
            )}
          </div>
        </div>
      </div>
    </Card>
  );
}
