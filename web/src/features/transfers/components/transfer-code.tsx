import type { CodeMethod } from '@causeway/contract/identity.ts';
import { Link } from '@tanstack/react-router';
import { Text, useText } from '../../../lib/locale.tsx';
import { useUser } from '../../../lib/user.ts';
import { CodeField } from '../../../ui/code-field.tsx';
import { Field } from '../../../ui/field.tsx';
import { SendCodeButton, useCodeWait } from '../../../ui/send-code-button.tsx';
import { Banner } from '../../../ui/states.tsx';

interface Props {
  method: CodeMethod;
  onMethod: (method: CodeMethod) => void;
  code: {
    name: string;
    value: string;
    onChange: (code: string) => void;
    onBlur: () => void;
    error: string | undefined;
  };
  /** The transfer changed after a code for it was sent. */
  voided: boolean;
  /** A code asked for while an attachment is on its way would not hold once it has arrived. */
  uploading?: boolean;
  /** Who is mailed the code: a company setting may send it to the administrators, who then have to be asked for it. */
  recipient: 'initiator' | 'administrator';
  /** Sends a code; resolves with the milliseconds until another may be asked for. Rejects when none was sent. */
  onSend: () => Promise<{ resendAfterMs: number }>;
}

const methods = [
  { method: 'email', text: 'transfers.form.method.email' },
  { method: 'otp_auth', text: 'transfers.form.method.otp_auth' },
] as const;

/** The proof of a transfer: a code by email, made for this transfer, or one from the authenticator. */
export function TransferCode({ method, onMethod, code, voided, uploading = false, recipient, onSend }: Props) {
  const t = useText();
  const user = useUser();
  const wait = useCodeWait();
  const bound = user?.hasOtp ?? false;
  const toAdministrator = recipient === 'administrator';
  const mailed = toAdministrator
    ? t('transfers.form.codeHintAdministrator')
    : t('transfers.form.codeHintEmail', { email: user?.email ?? '…' });
  const hint = method === 'email' ? mailed : t('transfers.form.codeHintOtp');
  const waits = method === 'email' && uploading;
  return (
    <>
      <Field label={t('transfers.form.method')} group>
        {() => (
          <div className="flex flex-col gap-2">
            {methods.map((choice) => (
              <label key={choice.method} className="flex items-center gap-2.5">
                <input
                  type="radio"
                  name="codeMethod"
                  value={choice.method}
                  checked={method === choice.method}
                  disabled={choice.method === 'otp_auth' && (!bound || toAdministrator)}
                  onChange={() => onMethod(choice.method)}
                  className="size-4 accent-accent"
                />
                {t(choice.text)}
              </label>
            ))}
            {bound && toAdministrator && (
              <span className="text-12 text-faint">{t('transfers.form.otpNotAdministrator')}</span>
            )}
            {user !== undefined && !bound && (
              <span className="text-12 text-faint">
                <Text
                  id="transfers.form.otpUnbound"
                  components={{ 0: <Link to="/app/account" className="text-accent underline" /> }}
                />
              </span>
            )}
          </div>
        )}
      </Field>
      {voided && <Banner kind="pending">{t('transfers.form.codeVoid')}</Banner>}
      <CodeField
        label={t('transfers.form.code')}
        hint={waits ? <span role="status">{t('transfers.form.codeAfterUpload')}</span> : hint}
        {...code}
        {...(method === 'email' && { action: <SendCodeButton wait={wait} onSend={onSend} disabled={uploading} /> })}
      />
    </>
  );
}
