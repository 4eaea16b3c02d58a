import { Link } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { useText } from '../../../lib/locale.tsx';
import { toast } from '../../../lib/toasts.ts';
import { Button } from '../../../ui/button.tsx';
import { Form } from '../../../ui/form.tsx';
import type { Fields } from '../../../ui/form-state.ts';
import { PasswordField } from '../../../ui/password-field.tsx';
import { PublicLayout } from '../../../ui/public-layout.tsx';
import { Banner } from '../../../ui/states.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import { meetsAllPoints, type SignInValues } from '../rules.ts';
import { quietLink } from './links.ts';
import { WorkProgress } from './work-progress.tsx';

interface Props {
  fields: Fields<SignInValues, SignInValues>;
  onSignIn: (values: SignInValues) => Promise<void>;
  /** How far the proof of work has come that is asked for after failures. */
  work: number | null;
}

/** Email and password. A password that misses one of the four points is not sent at all (decisions, "Sign-in"). */
export function CredentialsStep({ fields, onSignIn, work }: Props) {
  const t = useText();
  const box = useRef<HTMLDivElement>(null);
  const [missed, setMissed] = useState(false);
  const submit = (values: SignInValues) => {
    if (meetsAllPoints(values.password)) return onSignIn(values);
    setMissed(true);
    toast('error', t('identity.passwordRules'));
    box.current?.querySelector('input')?.focus();
    return undefined;
  };
  return (
    <PublicLayout
      title={t('identity.signIn.heading')}
      intro={t('identity.signIn.intro')}
      footer={
        <>
          {t('identity.signIn.noAccount')}{' '}
          <Link to="/sign-up" className={quietLink}>
            {t('identity.signIn.create')}
          </Link>
        </>
      }
    >
      {!window.isSecureContext && (
        <div className="mb-5">
          <Banner kind="negative">{t('identity.insecure')}</Banner>
        </div>
      )}
      <Form fields={fields} onSubmit={submit} label={t('identity.signIn.heading')}>
        <TextField
          {...fields.text('email')}
          type="email"
          inputMode="email"
          label={t('identity.field.email')}
          autoComplete="username"
          autoCapitalize="off"
          spellCheck={false}
        />
        <div ref={box}>
          <PasswordField
            {...fields.text('password')}
            label={t('identity.field.password')}
            aside={
              <Link to="/forget" className={quietLink}>
                {t('identity.signIn.forgotten')}
              </Link>
            }
            checklistFor={fields.values.password}
            missed={missed}
          />
        </div>
        <WorkProgress share={work} />
        <Button type="submit" kind="primary" size="large" wide busy={fields.submitting}>
          {t('identity.signIn.submit')}
        </Button>
      </Form>
    </PublicLayout>
  );
}
