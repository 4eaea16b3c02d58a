import { Link } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { useText } from '../../../lib/locale.tsx';
import { Button } from '../../../ui/button.tsx';
import { Form } from '../../../ui/form.tsx';
import { useFields } from '../../../ui/form-state.ts';
import { PublicLayout } from '../../../ui/public-layout.tsx';
import { DoneStep } from '../components/done-step.tsx';
import { EmailCode } from '../components/email-code.tsx';
import { quietLink } from '../components/links.ts';
import { NewPasswordFields } from '../components/new-password-fields.tsx';
import { usePasswordMaxLength } from '../components/password-limit.ts';
import { loadPublicCalls } from '../load-public-calls.ts';
import { type ForgetValues, forgetCheck } from '../rules.ts';

/** A forgotten password: the code proves the email, and the new password holds from then on. */
export function Page() {
  const t = useText();
  const maxLength = usePasswordMaxLength();
  const check = useMemo(() => forgetCheck(maxLength), [maxLength]);
  const [done, setDone] = useState(false);
  const [work, setWork] = useState<number | null>(null);
  const fields = useFields<ForgetValues, ForgetValues>({
    check,
    defaults: { email: '', ticket: '', code: '', newPassword: '', confirm: '' },
  });

  if (done) return <DoneStep title={t('identity.forget.done')}>{t('identity.forget.doneText')}</DoneStep>;
  const mailCode = async (email: string) => {
    const sent = await (await loadPublicCalls()).sendForgetCode(email, setWork);
    fields.set('ticket', sent.ticket);
    return sent;
  };
  const submit = async (values: ForgetValues) => {
    const { resetPassword } = await loadPublicCalls();
    await resetPassword(values);
    setDone(true);
  };
  return (
    <PublicLayout
      title={t('identity.forget.heading')}
      intro={t('identity.forget.intro')}
      footer={
        <Link to="/sign-in" className={quietLink}>
          {t('identity.forget.back')}
        </Link>
      }
    >
      <Form fields={fields} onSubmit={submit} label={t('identity.forget.heading')}>
        <EmailCode fields={fields} send={mailCode} work={work} hint={t('identity.forget.codeHint')} />
        <NewPasswordFields
          fields={fields}
          name="newPassword"
          maxLength={maxLength}
          label={t('identity.field.newPassword')}
        />
        <Button type="submit" kind="primary" size="large" wide busy={fields.submitting}>
          {t('identity.forget.submit')}
        </Button>
      </Form>
    </PublicLayout>
  );
}
