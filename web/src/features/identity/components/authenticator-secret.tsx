import { useText } from '../../../lib/locale.tsx';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { QrCode } from '../../../ui/qr-code.tsx';

interface Props {
  /** base32. */
  secret: string;
  /** The same as an `otpauth://` address. */
  uri: string;
  /** How else it can be entered, and for how long it holds. */
  note: string;
}

/** The secret of an authenticator: to be scanned, or typed by hand. */
export function AuthenticatorSecret({ secret, uri, note }: Props) {
  const t = useText();
  return (
    <>
      <div>
        <QrCode text={uri} />
      </div>
      <div className="max-w-64 text-12 text-faint">{note}</div>
      <div className="flex max-w-64 items-center gap-1">
        <code className="min-w-0 font-mono text-13">{grouped(secret)}</code>
        <CopyButton text={secret} what={t('identity.otp.secret')} />
      </div>
    </>
  );
}

/** Groups of four are easier to type; what is copied has no spaces. */
function grouped(secret: string): string {
  return secret.replace(/(.{4})(?=.)/g, '$1 ');
}
