import { type ReactNode, useRef, useState } from 'react';
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
import { WorkProgress } from './work-progress.tsx';

interface Props {
  fields: Fields<SignInValues, SignInValues>;
  onSignIn: (values: SignInValues) => Promise<void>;
  heading: string;
  intro: string;
  /** Under the card: another way in. */
  footer?: ReactNode;
  /** Beside the password: what to do without it. */
  forgotten?: ReactNode;
  /** How far the proof of work has come that is asked for after failures. */
  work: number | null;
}

/** Email and password. A password that misses one of the four points is not sent at all (decisions, "Sign-in"). */
export function CredentialsStep({ fields, onSignIn, heading, intro, footer, forgotten, work }: Props) {
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
    <PublicLayout title={heading} intro={intro} {...(footer !== undefined && { footer })}>
      {!window.isSecureContext && (
        <div className="mb-5">
          <Banner kind="negative">{t('identity.insecure')}</Banner>
        </div>
      )}
      <Form fields={fields} onSubmit={submit} label={heading}>
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
            {...(forgotten !== undefined && { aside: forgotten })}
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
