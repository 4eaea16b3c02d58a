import type { Output } from '@causeway/contract/call.ts';
import type { checkOperatorActivation } from '@causeway/contract/operator.ts';
import { useMemo } from 'react';
import { useFormats } from '../../../lib/format.ts';
import { useText } from '../../../lib/locale.tsx';
import { Button } from '../../../ui/button.tsx';
import { CodeField } from '../../../ui/code-field.tsx';
import { DescriptionList } from '../../../ui/description-list.tsx';
import { Form } from '../../../ui/form.tsx';
import { useFields } from '../../../ui/form-state.ts';
import { PublicLayout } from '../../../ui/public-layout.tsx';
import { AuthenticatorSecret, NewPasswordFields, useLongest } from '../../identity/index.ts';
import { loadPublicCalls } from '../load-public-calls.ts';
import { type ActivateValues, activateCheck } from '../rules.ts';

interface Props {
  token: string;
  activation: Output<typeof checkOperatorActivation>;
  onDone: () => void;
}

const askLongest = async () => (await loadPublicCalls()).passwordMaxLength();

/** Password and authenticator together: neither serves without the other. */
export function ActivationForm({ token, activation, onDone }: Props) {
  const t = useText();
  const formats = useFormats();
  const maxLength = useLongest(askLongest);
  const check = useMemo(() => activateCheck(maxLength), [maxLength]);
  const fields = useFields<ActivateValues, ActivateValues>({
    check,
    defaults: { password: '', confirm: '', code: '' },
  });
  const { name, email, role, secret, uri, expiresAt } = activation;
  const submit = async ({ password, code }: ActivateValues) => {
    const { activate } = await loadPublicCalls();
    try {
      await activate(token, password, code);
    } catch (error) {
      fields.set('code', '');
      throw error;
    }
    onDone();
  };
  return (
    <PublicLayout
      title={t('ops.title.activate')}
      intro={t('ops.activate.intro', { time: formats.dateTime(expiresAt) })}
    >
      <div className="mb-6">
        <DescriptionList
          framed
          facts={[
            { term: t('ops.field.name'), value: name },
            { term: t('ops.field.email'), value: <span className="break-all">{email}</span> },
            { term: t('ops.field.role'), value: t(`ops.role.${role}`) },
          ]}
        />
      </div>
      <Form fields={fields} onSubmit={submit} label={t('ops.title.activate')}>
        <h2 className="m-0 text-14 font-semibold">{t('ops.activate.password')}</h2>
        {/* So that the browser's password store knows whose password it is. */}
        <input type="text" autoComplete="username" value={email} readOnly hidden />
        <NewPasswordFields fields={fields} name="password" maxLength={maxLength} />
        <h2 className="mt-2 mb-0 text-14 font-semibold">{t('ops.activate.authenticator')}</h2>
        <p className="m-0 text-13 text-muted">{t('identity.otp.scan')}</p>
        <AuthenticatorSecret secret={secret} uri={uri} note={t('ops.activate.byHand')} />
        <CodeField
          {...fields.value('code')}
          onBlur={() => undefined}
          label={t('identity.otp.code')}
          hint={t('identity.otp.codeHint')}
        />
        <Button type="submit" kind="primary" size="large" wide busy={fields.submitting}>
          {t('ops.activate.submit')}
        </Button>
      </Form>
    </PublicLayout>
  );
}
