import type { User } from '@causeway/contract/identity.ts';
import { ApiError } from '../../../lib/api-error.ts';
import { useText } from '../../../lib/locale.tsx';
import { toast } from '../../../lib/toasts.ts';
import { Button } from '../../../ui/button.tsx';
import { CodeField } from '../../../ui/code-field.tsx';
import { Form } from '../../../ui/form.tsx';
import { useFields } from '../../../ui/form-state.ts';
import { PasswordField } from '../../../ui/password-field.tsx';
import { ErrorState, Loading, Skeleton } from '../../../ui/states.tsx';
import { useBinding, useBindMfa } from '../api.ts';
import { withSealed } from '../password-cipher.ts';
import { type BindValues, checkBind } from '../rules.ts';
import { AuthenticatorSecret } from './authenticator-secret.tsx';

const empty: BindValues = { code: '', password: '' };

interface Props {
  user: User;
  onClose: () => void;
  /** It is bound; these are its recovery codes, shown this once. */
  onBound: (recoveryCodes: readonly string[]) => void;
}

/** Scan, then confirm by a code from the authenticator and the password. */
export function AuthenticatorBinding({ user, onClose, onBound }: Props) {
  const t = useText();
  const binding = useBinding(true);
  const bind = useBindMfa();
  const fields = useFields<BindValues, BindValues>({ check: checkBind, defaults: empty });

  const submit = async ({ code, password }: BindValues) => {
    try {
      const { recoveryCodes } = await withSealed([password], ([sealed = '']) =>
        bind.mutateAsync({ body: { code, password: sealed } }),
      );
      onBound(recoveryCodes);
    } catch (error) {
      fields.set('code', '');
      // The secret was not confirmed in time: here is another one to scan.
      if (error instanceof ApiError && error.key === 'mfaSecretExpired') await binding.refetch();
      throw error;
    }
    toast('success', t('identity.otp.done'));
  };

  if (binding.error !== null && binding.data === undefined) {
    return <ErrorState error={binding.error} onRetry={() => void binding.refetch()} />;
  }
  // Bound meanwhile in another tab: there is no secret to show.
  if (binding.data?.bound) return <p className="m-0">{t('identity.otp.introBound')}</p>;
  const { secret, uri } = binding.data ?? { secret: null, uri: null };
  return (
    <div className="grid gap-x-10 gap-y-6 md:grid-cols-[auto_minmax(0,26rem)]">
      <div className="flex flex-col gap-3">
        <p className="m-0 text-13 font-medium">{t('identity.otp.scan')}</p>
        <Loading loading={uri === null || secret === null} skeleton={<Skeleton width="w-52" height="h-52" />}>
          {uri !== null && secret !== null && (
            <AuthenticatorSecret secret={secret} uri={uri} note={t('identity.otp.byHand')} />
          )}
        </Loading>
      </div>
      <Form fields={fields} onSubmit={submit} label={t('identity.otp.title')}>
        <CodeField
          {...fields.value('code')}
          onBlur={() => undefined}
          label={t('identity.otp.code')}
          hint={t('identity.otp.codeHint')}
        />
        <input type="text" autoComplete="username" value={user.email} readOnly hidden />
        <PasswordField {...fields.text('password')} label={t('identity.field.currentPassword')} />
        <div className="flex gap-2">
          <Button type="submit" kind="primary" busy={fields.submitting}>
            {t('identity.otp.submit')}
          </Button>
          <Button kind="quiet" onClick={onClose}>
            {t('ui.cancel')}
          </Button>
        </div>
      </Form>
    </div>
  );
}
