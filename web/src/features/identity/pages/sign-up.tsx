import { Link, useSearch } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import type { ListValues } from '../../../lib/list-state.ts';
import { useLocale, useText } from '../../../lib/locale.tsx';
import { Button } from '../../../ui/button.tsx';
import { Form } from '../../../ui/form.tsx';
import { useFields } from '../../../ui/form-state.ts';
import { PublicLayout } from '../../../ui/public-layout.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import { Agreements } from '../components/agreements.tsx';
import { DoneStep } from '../components/done-step.tsx';
import { EmailCode } from '../components/email-code.tsx';
import { quietLink } from '../components/links.ts';
import { NewPasswordFields } from '../components/new-password-fields.tsx';
import { usePasswordMaxLength } from '../components/password-limit.ts';
import { loadPublicCalls } from '../load-public-calls.ts';
import { type SignUpValues, signUpCheck } from '../rules.ts';

const neverKept = ['code', 'password', 'confirm'] as const;

const empty: SignUpValues = {
  invitationCode: '',
  companyName: '',
  firstName: '',
  lastName: '',
  email: '',
  ticket: '',
  code: '',
  password: '',
  confirm: '',
  agreeTerms: false,
  agreePaymentTerms: false,
  agreePrivacy: false,
};

/** A company and its first administrator. A link of the operator may bring the code: `/sign-up?invitation=…`. */
export function Page() {
  const t = useText();
  const locale = useLocale();
  const search = useSearch({ strict: false }) as ListValues;
  const maxLength = usePasswordMaxLength();
  const check = useMemo(() => signUpCheck(maxLength), [maxLength]);
  const [work, setWork] = useState<number | null>(null);
  const [doneFor, setDoneFor] = useState<string | null>(null);
  const fields = useFields<SignUpValues, SignUpValues>({
    check,
    defaults: { ...empty, invitationCode: search['invitation'] ?? '' },
    keep: 'sign-up',
    keepExcept: neverKept,
  });

  if (doneFor !== null) {
    return <DoneStep title={t('identity.signUp.done')}>{t('identity.signUp.doneText', { email: doneFor })}</DoneStep>;
  }
  const mailCode = async (email: string) => {
    const sent = await (await loadPublicCalls()).sendSignUpCode(email, setWork);
    fields.set('ticket', sent.ticket);
    return sent;
  };
  const submit = async (values: SignUpValues) => {
    const { signUp } = await loadPublicCalls();
    await signUp(values, locale);
    setDoneFor(values.email.trim());
  };
  return (
    <PublicLayout
      title={t('identity.signUp.heading')}
      intro={t('identity.signUp.intro')}
      footer={
        <>
          {t('identity.signUp.haveAccount')}{' '}
          <Link to="/sign-in" className={quietLink}>
            {t('identity.done.signIn')}
          </Link>
        </>
      }
    >
      <Form fields={fields} onSubmit={submit} label={t('identity.signUp.heading')}>
        <TextField
          {...fields.text('invitationCode')}
          label={t('identity.field.invitationCode')}
          hint={t('identity.signUp.invitationHint')}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
        />
        <TextField
          {...fields.text('companyName')}
          label={t('identity.field.companyName')}
          autoComplete="organization"
          maxLength={120}
        />
        <div className="grid gap-5 sm:grid-cols-2">
          <TextField
            {...fields.text('firstName')}
            label={t('identity.field.firstName')}
            autoComplete="given-name"
            maxLength={60}
          />
          <TextField
            {...fields.text('lastName')}
            label={t('identity.field.lastName')}
            autoComplete="family-name"
            maxLength={60}
          />
        </div>
        <EmailCode fields={fields} send={mailCode} work={work} hint={t('identity.code.hint')} />
        <NewPasswordFields fields={fields} name="password" maxLength={maxLength} />
        <Agreements fields={fields} />
        <Button type="submit" kind="primary" size="large" wide busy={fields.submitting}>
          {t('identity.signUp.submit')}
        </Button>
      </Form>
    </PublicLayout>
  );
}
