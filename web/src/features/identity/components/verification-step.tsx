import { codeLength, skipVerificationDays } from '@causeway/contract/identity-rules.ts';
import { useRef, useState } from 'react';
import { useLocale, useText } from '../../../lib/locale.tsx';
import { toast } from '../../../lib/toasts.ts';
import { Button } from '../../../ui/button.tsx';
import { CodeField } from '../../../ui/code-field.tsx';
import { Form } from '../../../ui/form.tsx';
import { useFields } from '../../../ui/form-state.ts';
import { PublicLayout } from '../../../ui/public-layout.tsx';
import { SendCodeButton, useCodeWait } from '../../../ui/send-code-button.tsx';
import { Banner } from '../../../ui/states.tsx';
import { Checkbox, TextField } from '../../../ui/text-field.tsx';
import { hasPasskeys } from '../load-passkeys.ts';
import { loadPublicCalls } from '../load-public-calls.ts';
import type { CodeSent, PendingSignIn } from '../public-calls.ts';
import { checkVerify, type ProofMethod, type VerifyValues } from '../rules.ts';
import { MethodChoice } from './method-choice.tsx';

interface Props {
  pending: PendingSignIn;
  /** When another code may be mailed, in milliseconds since the epoch; null when none was sent yet. */
  resendAt: number | null;
  onDone: () => void;
  /** Back to email and password. */
  onBack: () => void;
}

const methods = ['otp_auth', 'email'] as const;

/** The second step: a code by email or from the authenticator, a recovery code in its place, or a passkey. */
export function VerificationStep({ pending, resendAt, onDone, onBack }: Props) {
  const t = useText();
  const locale = useLocale();
  const box = useRef<HTMLDivElement>(null);
  const fields = useFields<VerifyValues, VerifyValues>({
    check: checkVerify,
    defaults: {
      method: pending.boundOtp && !pending.guarded ? 'otp_auth' : 'email',
      code: '',
      recoveryCode: '',
      skip: false,
    },
  });
  const { method, skip } = fields.values;
  const wait = useCodeWait(Math.max(0, (resendAt ?? 0) - Date.now()));
  const [mailed, setMailed] = useState(resendAt !== null);
  const [asking, setAsking] = useState(false);

  async function mailCode(): Promise<CodeSent> {
    const { sendSignInCode } = await loadPublicCalls();
    const sent = await sendSignInCode(pending.ticket);
    setMailed(true);
    toast('success', t(sentText(pending), { email: pending.maskedEmail }));
    return sent;
  }

  async function submit({ code, recoveryCode }: VerifyValues): Promise<void> {
    const { verifySignIn } = await loadPublicCalls();
    try {
      await verifySignIn({ pending, method, code: method === 'recovery' ? recoveryCode : code, skip }, locale);
    } catch (error) {
      if (isExpired(error)) onBack();
      // Six digits are quicker typed again than corrected; a recovery code is kept for correction.
      fields.set('code', '');
      throw error;
    }
    onDone();
  }

  async function signInByPasskey(): Promise<void> {
    setAsking(true);
    try {
      const { passkeySignIn } = await loadPublicCalls();
      const problem = await passkeySignIn({ pending, skip }, locale);
      if (problem === null) onDone();
      else toast('notice', t(`identity.passkey.${problem}`));
    } catch (error) {
      if (isExpired(error)) onBack();
    } finally {
      setAsking(false);
    }
  }

  const onMethod = (next: ProofMethod) => {
    fields.set('method', next);
    fields.set('code', '');
  };
  return (
    <PublicLayout title={t('identity.verify.heading')} intro={introOf(method, mailed, pending, t)}>
      <div ref={box}>
        <Form fields={fields} onSubmit={submit} label={t('identity.verify.heading')}>
          {pending.guarded && <Banner kind="notice">{t('identity.guarded.note')}</Banner>}
          {pending.passkey && hasPasskeys() && (
            <Button icon="shield" size="large" wide busy={asking} onClick={() => void signInByPasskey()}>
              {t('identity.passkey.use')}
            </Button>
          )}
          {pending.boundOtp && method !== 'recovery' && (
            <MethodChoice methods={methods} value={method} onChange={onMethod} />
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
              autoFocus
            />
          ) : (
            <CodeField
              {...fields.value('code')}
              onBlur={() => undefined}
              label={t('identity.field.code')}
              autoFocus={!pending.passkey}
              onComplete={() => box.current?.querySelector('form')?.requestSubmit()}
              {...(method === 'email' && {
                action: <SendCodeButton wait={wait} onSend={mailCode} />,
              })}
            />
          )}
          <Checkbox {...fields.box('skip')}>{t('identity.verify.skip', { days: skipVerificationDays })}</Checkbox>
          <div className="flex flex-col gap-2">
            <Button type="submit" kind="primary" size="large" wide busy={fields.submitting}>
              {t('identity.verify.submit')}
            </Button>
            {pending.boundOtp && (
              <Button kind="quiet" wide onClick={() => onMethod(method === 'recovery' ? 'otp_auth' : 'recovery')}>
                {t(method === 'recovery' ? 'identity.recovery.useCode' : 'identity.recovery.use')}
              </Button>
            )}
            <Button kind="quiet" wide onClick={onBack}>
              {t('identity.verify.back')}
            </Button>
          </div>
        </Form>
      </div>
    </PublicLayout>
  );
}

function introOf(
  method: ProofMethod,
  mailed: boolean,
  { maskedEmail: email, guarded }: PendingSignIn,
  t: ReturnType<typeof useText>,
): string {
  if (method === 'recovery') return t('identity.verify.introRecovery');
  if (method === 'otp_auth') return t('identity.verify.introOtp', { count: codeLength });
  if (mailed && guarded) return t('identity.guarded.sent', { email });
  return t(mailed ? 'identity.verify.introSent' : 'identity.verify.introEmail', { email });
}

/** The text after a code was asked for: in a guarded sign-in it is mailed only if the password is right. */
export function sentText({ guarded }: Pick<PendingSignIn, 'guarded'>): string {
  return guarded ? 'identity.guarded.sent' : 'identity.code.sent';
}

/** The sign-in begins again with email and password. */
function isExpired(error: unknown): boolean {
  const over: readonly unknown[] = ['signInExpired', 'codeRequestBurnt'];
  return error instanceof Error && 'key' in error && over.includes(error.key);
}
