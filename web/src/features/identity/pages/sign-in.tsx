import { Link, useNavigate, useRouter, useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import type { ListValues } from '../../../lib/list-state.ts';
import { useLocale, useText } from '../../../lib/locale.tsx';
import { sessionToken } from '../../../lib/session.ts';
import { toast } from '../../../lib/toasts.ts';
import { whenIdle } from '../../../ui/deferred.ts';
import { useFields } from '../../../ui/form-state.ts';
import { CredentialsStep } from '../components/credentials-step.tsx';
import { quietLink } from '../components/links.ts';
import { sentText, VerificationStep } from '../components/verification-step.tsx';
import { loadPublicCalls } from '../load-public-calls.ts';
import type { PendingSignIn } from '../public-calls.ts';
import { checkSignIn, type SignInValues, targetAfterSignIn } from '../rules.ts';

interface Started extends PendingSignIn {
  /** When another code may be mailed, in milliseconds since the epoch; null when none was sent. */
  resendAt: number | null;
}

/**
 * Sign-in in two steps. The address holds the step, so that the browser's back button leads from the code to the
 * password; what the first step brought is only kept in memory, so that a reload starts from the beginning.
 */
export function Page() {
  const t = useText();
  const locale = useLocale();
  const router = useRouter();
  const navigate = useNavigate();
  const search = useSearch({ strict: false }) as ListValues;
  const [work, setWork] = useState<number | null>(null);
  const [started, setStarted] = useState<Started | null>(null);
  const fields = useFields<SignInValues, SignInValues>({
    check: checkSignIn,
    defaults: { email: '', password: '' },
  });
  const goOn = () => router.history.replace(targetAfterSignIn(search['to']));
  whenIdle(loadPublicCalls);

  // A signed-in user is sent on. Checked once: a session that begins here navigates on its own.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the page opens
  useEffect(() => {
    if (sessionToken() !== null) goOn();
  }, []);

  async function start(values: SignInValues): Promise<void> {
    const { signIn, sendSignInCode } = await loadPublicCalls();
    const pending = await signIn(values, locale, setWork);
    if (pending === null) {
      goOn();
      return;
    }
    // Without an authenticator or a passkey there is only the mail. A guarded sign-in does not say whether there are any.
    const byMail = pending.guarded || !(pending.boundOtp || pending.passkey);
    const sent = byMail ? await sendSignInCode(pending.ticket).catch(() => null) : null;
    if (sent !== null) toast('success', t(sentText(pending), { email: pending.maskedEmail }));
    setStarted({ ...pending, resendAt: sent === null ? null : Date.now() + sent.resendAfterMs });
    await navigate({ to: '.', search: { ...search, step: 'verify' } as never });
  }

  if (search['step'] !== 'verify' || started === null) {
    return (
      <CredentialsStep
        fields={fields}
        onSignIn={start}
        work={work}
        heading={t('identity.signIn.heading')}
        intro={t('identity.signIn.intro')}
        footer={
          <>
            {t('identity.signIn.noAccount')}{' '}
            <Link to="/sign-up" className={quietLink}>
              {t('identity.signIn.create')}
            </Link>
          </>
        }
        forgotten={
          <Link to="/forget" className={quietLink}>
            {t('identity.signIn.forgotten')}
          </Link>
        }
      />
    );
  }
  return (
    <VerificationStep
      key={started.ticket}
      pending={started}
      resendAt={started.resendAt}
      onDone={goOn}
      onBack={() => router.history.back()}
    />
  );
}
