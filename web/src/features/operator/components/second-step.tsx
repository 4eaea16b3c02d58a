import { codeLength } from '@causeway/contract/identity-rules.ts';
import { useRef, useState } from 'react';
import { useLocale, useText } from '../../../lib/locale.tsx';
import { toast } from '../../../lib/toasts.ts';
import { Button } from '../../../ui/button.tsx';
import { CodeField } from '../../../ui/code-field.tsx';
import { Form } from '../../../ui/form.tsx';
import { useFields } from '../../../ui/form-state.ts';
import { PublicLayout } from '../../../ui/public-layout.tsx';
import { hasPasskeys } from '../../identity/index.ts';
import { loadPublicCalls } from '../load-public-calls.ts';
import type { PendingSignIn } from '../public-calls.ts';
import { type CodeValues, checkCode } from '../rules.ts';

interface Props {
  pending: PendingSignIn;
  onDone: () => void;
  /** Back to email and password. */
  onBack: () => void;
}

/** The second step: a code of the authenticator, or a passkey. No browser is trusted to leave it out. */
export function SecondStep({ pending, onDone, onBack }: Props) {
  const t = useText();
  const locale = useLocale();
  const box = useRef<HTMLDivElement>(null);
  const [asking, setAsking] = useState(false);
  const fields = useFields<CodeValues, CodeValues>({ check: checkCode, defaults: { code: '' } });
  const passkey = pending.factors.includes('passkey') && hasPasskeys();

  async function submit({ code }: CodeValues): Promise<void> {
    const { verifyByCode } = await loadPublicCalls();
    try {
      await verifyByCode(pending, code, locale);
    } catch (error) {
      if (isOver(error)) onBack();
      // Six digits are quicker typed again than corrected.
      fields.set('code', '');
      throw error;
    }
    onDone();
  }

  async function signInByPasskey(): Promise<void> {
    setAsking(true);
    try {
      const { verifyByPasskey } = await loadPublicCalls();
      const problem = await verifyByPasskey(pending, locale);
      if (problem === null) onDone();
      else toast('notice', t(`identity.passkey.${problem}`));
    } catch (error) {
      if (isOver(error)) onBack();
    } finally {
      setAsking(false);
    }
  }

  return (
    <PublicLayout title={t('identity.verify.heading')} intro={t('identity.verify.introOtp', { count: codeLength })}>
      <div ref={box}>
        <Form fields={fields} onSubmit={submit} label={t('identity.verify.heading')}>
          {passkey && (
            <Button icon="shield" size="large" wide busy={asking} onClick={() => void signInByPasskey()}>
              {t('identity.passkey.use')}
            </Button>
          )}
          <CodeField
            {...fields.value('code')}
            onBlur={() => undefined}
            label={t('identity.field.code')}
            autoFocus={!passkey}
            onComplete={() => box.current?.querySelector('form')?.requestSubmit()}
          />
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

/** The sign-in begins again with email and password. */
function isOver(error: unknown): boolean {
  const over: readonly unknown[] = ['signInExpired', 'codeRequestBurnt'];
  return error instanceof Error && 'key' in error && over.includes(error.key);
}
