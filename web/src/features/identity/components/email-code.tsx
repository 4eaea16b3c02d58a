import { useText } from '../../../lib/locale.tsx';
import { toast } from '../../../lib/toasts.ts';
import { CodeField } from '../../../ui/code-field.tsx';
import type { Fields } from '../../../ui/form-state.ts';
import { SendCodeButton, useCodeWait } from '../../../ui/send-code-button.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import { emailRule } from '../rules.ts';
import { WorkProgress } from './work-progress.tsx';

interface EmailAndCode {
  email: string;
  code: string;
}

interface Props<Values extends EmailAndCode, Output> {
  fields: Fields<Values, Output>;
  /** Mails a code to the address. */
  send: (email: string) => Promise<{ resendAfterMs: number }>;
  /** How far the proof of work for the mail has come. */
  work: number | null;
  /** Under the code. */
  hint: string;
}

/** An email address and the code that proves it. The answer is the same whether or not the address is known. */
export function EmailCode<Values extends EmailAndCode, Output>({ fields, send, work, hint }: Props<Values, Output>) {
  const t = useText();
  const email = fields.values.email.trim();
  const wait = useCodeWait();
  async function mailCode(): Promise<{ resendAfterMs: number }> {
    if (emailRule(email) !== null) {
      // Leaving the field is what shows its error.
      fields.text('email').onBlur();
      throw new Error('there is no address to mail a code to');
    }
    const sent = await send(email);
    toast('success', t('identity.code.sent', { email }));
    return sent;
  }
  const { value, onChange, error, name } = fields.value('code');
  return (
    <>
      <TextField
        {...fields.text('email')}
        type="email"
        inputMode="email"
        label={t('identity.field.email')}
        autoComplete="email"
        autoCapitalize="off"
        spellCheck={false}
      />
      <CodeField
        name={name}
        value={value}
        onChange={onChange as (code: string) => void}
        error={error}
        label={t('identity.field.code')}
        hint={hint}
        action={<SendCodeButton wait={wait} onSend={mailCode} />}
      />
      <WorkProgress share={work} />
    </>
  );
}
