import type { CodeMethod, User } from '@causeway/contract/identity.ts';
import { useMemo, useState } from 'react';
import { useText } from '../../../lib/locale.tsx';
import { toast } from '../../../lib/toasts.ts';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { CodeField } from '../../../ui/code-field.tsx';
import { Form } from '../../../ui/form.tsx';
import { useFields } from '../../../ui/form-state.ts';
import { PasswordField } from '../../../ui/password-field.tsx';
import { SendCodeButton, useCodeWait } from '../../../ui/send-code-button.tsx';
import { useChangePassword, useSendUserCode } from '../api.ts';
import { withSealed } from '../password-cipher.ts';
import { type ChangePasswordValues, changePasswordCheck } from '../rules.ts';
import { MethodChoice } from './method-choice.tsx';
import { NewPasswordFields } from './new-password-fields.tsx';
import { usePasswordMaxLength } from './password-limit.ts';

const codeMethods: readonly CodeMethod[] = ['otp_auth', 'email'];
const empty: ChangePasswordValues = { currentPassword: '', newPassword: '', confirm: '', code: '' };

/** A new password, proved by the current one and a code; every other session ends with it. */
export function ChangePasswordCard({ user }: { user: User }) {
  const t = useText();
  const maxLength = usePasswordMaxLength();
  const check = useMemo(() => changePasswordCheck(maxLength), [maxLength]);
  const fields = useFields<ChangePasswordValues, ChangePasswordValues>({ check, defaults: empty });
  const [method, setMethod] = useState<CodeMethod>(user.hasOtp ? 'otp_auth' : 'email');
  const change = useChangePassword();
  const sendCode = useSendUserCode();
  const wait = useCodeWait();
  const mailCode = async () => {
    const sent = await sendCode.mutateAsync({ body: { scenario: 'update_psd' } });
    toast('success', t('identity.code.sent', { email: user.email }));
    return sent;
  };

  const submit = async ({ currentPassword, newPassword, code }: ChangePasswordValues) => {
    await withSealed([currentPassword, newPassword], ([current = '', next = '']) =>
      change.mutateAsync({ body: { currentPassword: current, newPassword: next, method, code } }),
    );
    fields.reset();
    toast('success', t('identity.change.done'));
  };
  return (
    <Card title={t('identity.change.title')}>
      <p className="mt-0 mb-5 text-13 text-muted">{t('identity.change.intro')}</p>
      <div className="max-w-120">
        <Form fields={fields} onSubmit={submit} label={t('identity.change.title')}>
          <input type="text" autoComplete="username" value={user.email} readOnly hidden />
          <PasswordField {...fields.text('currentPassword')} label={t('identity.field.currentPassword')} />
          <NewPasswordFields
            fields={fields}
            name="newPassword"
            maxLength={maxLength}
            label={t('identity.field.newPassword')}
          />
          {user.hasOtp && (
            <MethodChoice
              methods={codeMethods}
              value={method}
              onChange={(next) => {
                setMethod(next);
                fields.set('code', '');
              }}
            />
          )}
          <CodeField
            {...fields.value('code')}
            onBlur={() => undefined}
            label={t('identity.field.code')}
            hint={t(method === 'email' ? 'identity.change.codeEmail' : 'identity.change.codeOtp', {
              email: user.email,
            })}
            {...(method === 'email' && { action: <SendCodeButton wait={wait} onSend={mailCode} /> })}
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
