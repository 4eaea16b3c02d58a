import type { User } from '@causeway/contract/identity.ts';
import type { SecurityContent, SecurityProof } from '@causeway/contract/identity-account.ts';
import { useText } from '../../../lib/locale.tsx';
import { toast } from '../../../lib/toasts.ts';
import { CodeField } from '../../../ui/code-field.tsx';
import { Form } from '../../../ui/form.tsx';
import { FormFoot } from '../../../ui/form-foot.tsx';
import { useFields } from '../../../ui/form-state.ts';
import { PasswordField } from '../../../ui/password-field.tsx';
import { SendCodeButton, useCodeWait } from '../../../ui/send-code-button.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import { useSendUserCode } from '../api.ts';
import { withSealed } from '../password-cipher.ts';
import { checkProof, type ProofMethod, type ProofValues } from '../rules.ts';
import { MethodChoice } from './method-choice.tsx';

const methods: readonly ProofMethod[] = ['otp_auth', 'email', 'recovery'];

interface Props {
  user: User;
  /** What is confirmed. */
  content: SecurityContent;
  submitText: string;
  negative?: boolean;
  /** Sends the proof with what it proves; may reject. */
  onProved: (proof: SecurityProof) => Promise<unknown>;
  onCancel: () => void;
}

/** Proves that it is oneself: by the authenticator, by a recovery code, or by a code from the mail and the password. */
export function ProofForm({ user, content, submitText, negative, onProved, onCancel }: Props) {
  const t = useText();
  const sendCode = useSendUserCode();
  const wait = useCodeWait();
  const fields = useFields<ProofValues, ProofValues>({
    check: checkProof,
    defaults: { method: user.hasOtp ? 'otp_auth' : 'email', code: '', recoveryCode: '', password: '' },
  });
  const { method } = fields.values;

  const mailCode = async () => {
    const body = { scenario: 'transaction' as const, subject: { kind: 'security' as const, content } };
    const sent = await sendCode.mutateAsync({ body });
    toast('success', t('identity.code.sent', { email: user.email }));
    return sent;
  };
  const submit = async ({ code, recoveryCode, password }: ProofValues) => {
    if (method === 'recovery') await onProved({ method, recoveryCode });
    else if (method === 'otp_auth') await onProved({ method, code });
    else await withSealed([password], ([sealed = '']) => onProved({ method, code, password: sealed }));
  };
  return (
    <Form fields={fields} onSubmit={submit} label={t('identity.proof.title')}>
      {user.hasOtp && (
        <MethodChoice
          methods={methods}
          value={method}
          onChange={(next) => {
            fields.set('method', next);
            fields.set('code', '');
          }}
        />
      )}
      {method === 'email' && (
        <>
          <input type="text" autoComplete="username" value={user.email} readOnly hidden />
          <PasswordField {...fields.text('password')} label={t('identity.field.currentPassword')} />
        </>
      )}
      {method === 'recovery' ? (
        <TextField
          {...fields.text('recoveryCode')}
          onBlur={() => undefined}
          label={t('identity.recovery.code')}
          hint={t('identity.recovery.codeHint')}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
        />
      ) : (
        <CodeField
          {...fields.value('code')}
          onBlur={() => undefined}
          label={t('identity.field.code')}
          hint={t(method === 'email' ? 'identity.change.codeEmail' : 'identity.change.codeOtp', { email: user.email })}
          {...(method === 'email' && { action: <SendCodeButton wait={wait} onSend={mailCode} /> })}
        />
      )}
      <FormFoot submitText={submitText} busy={fields.submitting} onCancel={onCancel} negative={negative} />
    </Form>
  );
}
