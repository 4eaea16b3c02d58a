import type { CodeMethod } from '@causeway/contract/identity.ts';
import { useText } from '../../../lib/locale.tsx';
import { useUser } from '../../../lib/user.ts';
import { CodeField } from '../../../ui/code-field.tsx';
import { Field } from '../../../ui/field.tsx';
import { SendCodeButton, useCodeWait } from '../../../ui/send-code-button.tsx';

interface Props {
  method: CodeMethod;
  onMethod: (method: CodeMethod) => void;
  code: string;
  onCode: (code: string) => void;
  error: string | undefined;
  /** Sends a code; resolves with the milliseconds until another may be asked for. Rejects when none was sent. */
  onSend: () => Promise<{ resendAfterMs: number }>;
}

const methods: readonly CodeMethod[] = ['email', 'otp_auth'];

/** A code by email, or from the authenticator where one is bound. */
export function CodeProof({ method, onMethod, code, onCode, error, onSend }: Props) {
  const t = useText();
  const user = useUser();
  const wait = useCodeWait();
  return (
    <>
      {user?.hasOtp && (
        <Field label={t('approvals.code.method')} group>
          {() => (
            <div className="flex flex-wrap gap-x-6 gap-y-2">
              {methods.map((choice) => (
                <label key={choice} className="flex items-center gap-2.5">
                  <input
                    type="radio"
                    name="codeMethod"
                    value={choice}
                    checked={method === choice}
                    onChange={() => onMethod(choice)}
                    className="size-4 accent-accent"
                  />
                  {t(`approvals.code.${choice}`)}
                </label>
              ))}
            </div>
          )}
        </Field>
      )}
      <CodeField
        label={t('approvals.code')}
        hint={
          method === 'email'
            ? t('approvals.code.hintEmail', { email: user?.email ?? '…' })
            : t('approvals.code.hintOtp')
        }
        name="code"
        value={code}
        onChange={onCode}
        error={error}
        {...(method === 'email' && { action: <SendCodeButton wait={wait} onSend={onSend} /> })}
      />
    </>
  );
}
