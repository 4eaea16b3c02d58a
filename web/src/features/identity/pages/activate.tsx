import type { Output } from '@causeway/contract/call.ts';
import type { checkActivation } from '@causeway/contract/identity.ts';
import { Link, useLocation } from '@tanstack/react-router';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { ApiError } from '../../../lib/api-error.ts';
import { useFormats } from '../../../lib/format.ts';
import { useText } from '../../../lib/locale.tsx';
import { Button, buttonClass } from '../../../ui/button.tsx';
import { Form } from '../../../ui/form.tsx';
import { useFields } from '../../../ui/form-state.ts';
import { PublicLayout } from '../../../ui/public-layout.tsx';
import { ErrorState, Loading, Skeleton } from '../../../ui/states.tsx';
import { DoneStep } from '../components/done-step.tsx';
import { NewPasswordFields } from '../components/new-password-fields.tsx';
import { usePasswordMaxLength } from '../components/password-limit.ts';
import { loadPublicCalls } from '../load-public-calls.ts';
import { type ActivateValues, activateCheck } from '../rules.ts';

type Invitation = Output<typeof checkActivation>;

/** What is known about the link; `failed` could not be checked, which says nothing about the link. */
type LinkState =
  | { state: 'checking' }
  | { state: 'valid'; invitation: Invitation }
  | { state: 'invalid' }
  | { state: 'failed'; error: unknown };

/**
 * Where the mail of an activation or a reset leads: whose account it is, then the password. The token is behind the
 * `#`, which no server and no proxy is sent.
 */
export function Page() {
  const t = useText();
  const token = useLocation({ select: ({ hash }) => hash.replace(/^#/, '') });
  const [link, ask] = useLink(token);
  const [done, setDone] = useState(false);
  if (done) return <DoneStep title={t('identity.activate.done')}>{t('identity.activate.doneText')}</DoneStep>;
  switch (link.state) {
    case 'invalid':
      return <InvalidLink />;
    case 'failed':
      return (
        <PublicLayout title={t('identity.activate.heading')}>
          <ErrorState title={t('identity.activate.failed')} error={link.error} onRetry={ask} />
        </PublicLayout>
      );
    case 'checking':
      return (
        <PublicLayout title={t('identity.activate.heading')} intro={t('identity.activate.checking')}>
          <Loading loading skeleton={<Skeleton height="h-48" />}>
            {null}
          </Loading>
        </PublicLayout>
      );
    case 'valid':
      return <PasswordForm token={token} invitation={link.invitation} onDone={() => setDone(true)} />;
  }
}

interface FormProps {
  token: string;
  invitation: Invitation;
  onDone: () => void;
}

function PasswordForm({ token, invitation, onDone }: FormProps) {
  const t = useText();
  const formats = useFormats();
  const maxLength = usePasswordMaxLength();
  const check = useMemo(() => activateCheck(maxLength), [maxLength]);
  const fields = useFields<ActivateValues, ActivateValues>({ check, defaults: { password: '', confirm: '' } });
  const reset = invitation.purpose !== 'activation';
  const { companyName: company, email } = invitation;
  const submit = async ({ password }: ActivateValues) => {
    const { setPassword } = await loadPublicCalls();
    await setPassword(token, password);
    onDone();
  };
  return (
    <PublicLayout
      title={t(reset ? 'identity.activate.headingReset' : 'identity.activate.heading')}
      intro={
        <>
          {t(reset ? 'identity.activate.introReset' : 'identity.activate.intro', { company, email })}
          <span className="block">
            {t('identity.activate.valid', { time: formats.dateTime(invitation.expiresAt) })}
          </span>
        </>
      }
    >
      <Form fields={fields} onSubmit={submit} label={t('identity.activate.heading')}>
        {/* So that the browser's password store knows whose password it is. */}
        <input type="text" autoComplete="username" value={email} readOnly hidden />
        <NewPasswordFields fields={fields} name="password" maxLength={maxLength} />
        <Button type="submit" kind="primary" size="large" wide busy={fields.submitting}>
          {t('identity.activate.submit')}
        </Button>
      </Form>
    </PublicLayout>
  );
}

function InvalidLink() {
  const t = useText();
  return (
    <PublicLayout title={t('identity.activate.invalid')}>
      <p role="alert" className="mt-0 mb-6 text-muted">
        {t('identity.activate.invalidText')}
      </p>
      <Link to="/sign-in" className={`w-full ${buttonClass('primary', 'large')}`}>
        {t('identity.activate.signIn')}
      </Link>
    </PublicLayout>
  );
}

/** Has the link checked, again when asked to. */
function useLink(token: string): [LinkState, () => void] {
  const [link, setLink] = useState<LinkState>({ state: 'checking' });
  const ask = useCallback(async () => {
    if (token === '') return setLink({ state: 'invalid' });
    setLink({ state: 'checking' });
    try {
      const { checkLink } = await loadPublicCalls();
      setLink({ state: 'valid', invitation: await checkLink(token) });
    } catch (error) {
      const invalid = error instanceof ApiError && error.status === 400;
      setLink(invalid ? { state: 'invalid' } : { state: 'failed', error });
    }
  }, [token]);
  useEffect(() => void ask(), [ask]);
  return [link, () => void ask()];
}
