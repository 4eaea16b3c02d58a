import { useNavigate, useRouter, useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import type { ListValues } from '../../../lib/list-state.ts';
import { useText } from '../../../lib/locale.tsx';
import { sessionToken } from '../../../lib/session.ts';
import { whenIdle } from '../../../ui/deferred.ts';
import { useFields } from '../../../ui/form-state.ts';
import { CredentialsStep, checkSignIn, type SignInValues, targetAfterSignIn } from '../../identity/index.ts';
import { SecondStep } from '../components/second-step.tsx';
import { loadPublicCalls } from '../load-public-calls.ts';
import type { PendingSignIn } from '../public-calls.ts';

/**
 * Sign-in in two steps, always both. The address holds the step, so that the browser's back button leads from the code to the
 * password; the ticket is only kept in memory, so that a reload starts from the beginning.
 */
export function Page() {
  const t = useText();
  const router = useRouter();
  const navigate = useNavigate();
  const search = useSearch({ strict: false }) as ListValues;
  const [work, setWork] = useState<number | null>(null);
  const [pending, setPending] = useState<PendingSignIn | null>(null);
  const fields = useFields<SignInValues, SignInValues>({
    check: checkSignIn,
    defaults: { email: '', password: '' },
  });
  const goOn = () => router.history.replace(targetAfterSignIn(search['to']));
  whenIdle(loadPublicCalls);

  // A signed-in person is sent on. Checked once: a session that begins here navigates on its own.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the page opens
  useEffect(() => {
    if (sessionToken() !== null) goOn();
  }, []);

  async function start(values: SignInValues): Promise<void> {
    const { signIn } = await loadPublicCalls();
    setPending(await signIn(values, setWork));
    await navigate({ to: '.', search: { ...search, step: 'verify' } as never });
  }

  if (search['step'] !== 'verify' || pending === null) {
    return (
      <CredentialsStep
        fields={fields}
        onSignIn={start}
        work={work}
        heading={t('ops.signIn.heading')}
        intro={t('ops.signIn.intro')}
        footer={t('ops.signIn.help')}
      />
    );
  }
  return <SecondStep key={pending.ticket} pending={pending} onDone={goOn} onBack={() => router.history.back()} />;
}
