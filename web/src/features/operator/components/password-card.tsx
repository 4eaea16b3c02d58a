import { useMemo } from 'react';
import { useText } from '../../../lib/locale.tsx';
import { toast } from '../../../lib/toasts.ts';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { CodeField } from '../../../ui/code-field.tsx';
import { Form } from '../../../ui/form.tsx';
import { useFields } from '../../../ui/form-state.ts';
import { PasswordField } from '../../../ui/password-field.tsx';
import { type ChangePasswordValues, changePasswordCheck, NewPasswordFields, useLongest } from '../../identity/index.ts';
import { useChangePassword } from '../api.ts';
import { passwordKey, withSealed } from '../sealing.ts';

const empty: ChangePasswordValues = { currentPassword: '', newPassword: '', confirm: '', code: '' };
const askLongest = async () => (await passwordKey()).maxLength;

/** A new password, proved by the current one and a code of the authenticator; every other session ends with it. */
export function PasswordCard({ email }: { email: string }) {
  const t = useText();
  const maxLength = useLongest(askLongest);
  const check = useMemo(() => changePasswordCheck(maxLength), [maxLength]);
  const fields = useFields<ChangePasswordValues, ChangePasswordValues>({ check, defaults: empty });
  const change = useChangePassword();
  const submit = async ({ currentPassword, newPassword, code }: ChangePasswordValues) => {
    await withSealed([currentPassword, newPassword], ([current = '', next = '']) =>
      change.mutateAsync({ body: { currentPassword: current, newPassword: next, code } }),
    );
    fields.reset();
    toast('success', t('identity.change.done'));
  };
  return (
    <Card title={t('identity.change.title')}>
      <p className="mt-0 mb-5 text-13 text-muted">{t('identity.change.intro')}</p>
      <div className="max-w-120">
        <Form fields={fields} onSubmit={submit} label={t('identity.change.title')}>
          <input type="text" autoComplete="username" value={email} readOnly hidden />
          <PasswordField {...fields.text('currentPassword')} label={t('identity.field.currentPassword')} />
          <NewPasswordFields
            fields={fields}
            name="newPassword"
            maxLength={maxLength}
            label={t('identity.field.newPassword')}
          />
          <CodeField
            {...fields.value('code')}
            onBlur={() => undefined}
            label={t('identity.field.code')}
            hint={t('identity.change.codeOtp')}
          />
          <div>
            <Button type="submit" kind="primary" busy={fields.submitting}>
              {t('identity.change.submit')}
            </Button>
          </div>
        </Form>
      </div>
    </Card>
  );
}
