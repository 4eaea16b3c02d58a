import type { Output } from '@causeway/contract/call.ts';
import { localeOf } from '@causeway/contract/locale.ts';
import type { checkOperatorActivation } from '@causeway/contract/operator.ts';
import { Link, useLocation } from '@tanstack/react-router';
import { useCallback, useEffect, useState } from 'react';
import { ApiError } from '../../../lib/api-error.ts';
import { applyLocale, chosenLocale, useText } from '../../../lib/locale.tsx';
import { buttonClass } from '../../../ui/button.tsx';
import { PublicLayout } from '../../../ui/public-layout.tsx';
import { ErrorState, Loading, Skeleton } from '../../../ui/states.tsx';
import { DoneStep } from '../../identity/index.ts';
import { ActivationForm } from '../components/activation-form.tsx';
import { loadPublicCalls } from '../load-public-calls.ts';

/** What is known about the link; `failed` could not be checked, which says nothing about the link. */
type LinkState =
  | { state: 'checking' }
  | { state: 'valid'; activation: Output<typeof checkOperatorActivation> }
  | { state: 'invalid' }
  | { state: 'failed'; error: unknown };

/**
 * Where the link of an invitation or a reset leads: whose account it is, then password and authenticator. The token is behind
 * the `#`, which no server and no proxy is sent.
 */
export function Page() {
  const t = useText();
  const token = useLocation({ select: ({ hash }) => hash.replace(/^#/, '') });
  const [link, ask] = useLink(token);
  const [done, setDone] = useState(false);
  if (done) return <DoneStep title={t('ops.activate.done')}>{t('ops.activate.doneText')}</DoneStep>;
  switch (link.state) {
    case 'valid':
      return <ActivationForm token={token} activation={link.activation} onDone={() => setDone(true)} />;
    case 'invalid':
      return (
        <PublicLayout title={t('identity.activate.invalid')}>
          <p role="alert" className="mt-0 mb-6 text-muted">
            {t('ops.activate.invalidText')}
          </p>
          <Link to="/sign-in" className={`w-full ${buttonClass('primary', 'large')}`}>
            {t('identity.activate.signIn')}
          </Link>
        </PublicLayout>
      );
    case 'failed':
      return (
        <PublicLayout title={t('ops.title.activate')}>
          <ErrorState title={t('identity.activate.failed')} error={link.error} onRetry={ask} />
        </PublicLayout>
      );
    case 'checking':
      return (
        <PublicLayout title={t('ops.title.activate')} intro={t('identity.activate.checking')}>
          <Loading loading skeleton={<Skeleton height="h-96" />}>
            {null}
          </Loading>
        </PublicLayout>
      );
  }
}

/** Has the link checked, again when asked to. */
function useLink(token: string): [LinkState, () => void] {
  const [link, setLink] = useState<LinkState>({ state: 'checking' });
  const ask = useCallback(async () => {
    if (token === '') return setLink({ state: 'invalid' });
    setLink({ state: 'checking' });
    try {
      const { checkLink } = await loadPublicCalls();
      const activation = await checkLink(token);
      // The language that the invitation was made in, unless the reader has chosen another in this browser.
      if (chosenLocale() === null) await applyLocale(localeOf(activation.language));
      setLink({ state: 'valid', activation });
    } catch (error) {
      const invalid = error instanceof ApiError && error.status === 400;
      setLink(invalid ? { state: 'invalid' } : { state: 'failed', error });
    }
  }, [token]);
  useEffect(() => void ask(), [ask]);
  return [link, () => void ask()];
}
