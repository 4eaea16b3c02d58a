import type { CodeMethod } from '@causeway/contract/identity.ts';
import { codeLength, skipVerificationDays } from '@causeway/contract/identity-rules.ts';
import { useRef, useState } from 'react';
import { useLocale, useText } from '../../../lib/locale.tsx';
import { toast } from '../../../lib/toasts.ts';
import { Button } from '../../../ui/button.tsx';
import { CodeField } from '../../../ui/code-field.tsx';
import { Form } from '../../../ui/form.tsx';
import { useFields } from '../../../ui/form-state.ts';
import { PublicLayout } from '../../../ui/public-layout.tsx';
import { SendCodeButton } from '../../../ui/send-code-button.tsx';
import { Checkbox } from '../../../ui/text-field.tsx';
import { loadPublicCalls } from '../load-public-calls.ts';
import type { CodeSent, PendingSignIn } from '../public-calls.ts';
import { checked, codeRule } from '../rules.ts';
import { MethodChoice } from './method-choice.tsx';

interface Props {
  pending: PendingSignIn;
  /** When another code may be mailed, in milliseconds since the epoch; null when none was sent yet. */
  resendAt: number | null;
  onDone: () => void;
  /** Back to email and password. */
  onBack: () => void;
}

interface Values {
  code: string;
  skip: boolean;
}

const check = (values: Values) => checked(values, { code: codeRule(values.code) });

/** The second step: a code by email or from the authenticator. */
export function VerificationStep({ pending, resendAt, onDone, onBack }: Props) {
  const t = useText();
  const locale = useLocale();
  const box = useRef<HTMLDivElement>(null);
  const [method, setMethod] = useState<CodeMethod>(pending.boundOtp ? 'otp_auth' : 'email');
  const fields = useFields<Values, Values>({ check, defaults: { code: '', skip: false } });
  const [mailed, setMailed] = useState(resendAt !== null);

  async function mailCode(): Promise<CodeSent> {
    const { sendSignInCode } = await loadPublicCalls();
    const sent = await sendSignInCode(pending.ticket);
    setMailed(true);
    toast('success', t('identity.code.sent', { email: pending.maskedEmail }));
    return sent;
  }

  async function submit({ code, skip }: Values): Promise<void> {
    const { verifySignIn } = await loadPublicCalls();
    try {
      await verifySignIn({ pending, method, code, skip }, locale);
    } catch (error) {
      const key = error instanceof Error && 'key' in error ? error.key : null;
      if (key === 'signInExpired') onBack();
      fields.set('code', '');
      throw error;
    }
    onDone();
  }

  const onMethod = (next: CodeMethod) => {
    setMethod(next);
    fields.set('code', '');
  };
  return (
    <PublicLayout
      title={t('identity.verify.heading')}
      intro={
        method === 'otp_auth'
          ? t('identity.verify.introOtp', { count: codeLength })
          : t(mailed ? 'identity.verify.introSent' : 'identity.verify.introEmail', { email: pending.maskedEmail })
      }
    >
      <div ref={box}>
        <Form fields={fields} onSubmit={submit} label={t('identity.verify.heading')}>
          {pending.boundOtp && <MethodChoice value={method} onChange={onMethod} />}
          <CodeField
            {...fields.value('code')}
            onBlur={() => undefined}
            label={t('identity.field.code')}
            autoFocus
            onComplete={() => box.current?.querySelector('form')?.requestSubmit()}
            {...(method === 'email' && {
              action: <SendCodeButton onSend={mailCode} sentBefore_ms={Math.max(0, (resendAt ?? 0) - Date.now())} />,
            })}
          />
          <Checkbox {...fields.box('skip')}>{t('identity.verify.skip', { days: skipVerificationDays })}</Checkbox>
          <div className="flex flex-col gap-2">
            <Button type="submit" kind="primary" size="large" wide busy={fields.submitting}>
              {t('identity.verify.submit')}
            </Button>
            <Button kind="quiet" wide onClick={onBack}>
              {t('identity.verify.back')}
            </Button>
          </div>
        </Form>
      </div>
    </PublicLayout>
  );
}
