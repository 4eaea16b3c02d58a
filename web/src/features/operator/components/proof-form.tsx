import { useText } from '../../../lib/locale.tsx';
import { Button } from '../../../ui/button.tsx';
import { CodeField } from '../../../ui/code-field.tsx';
import { Form } from '../../../ui/form.tsx';
import { useFields } from '../../../ui/form-state.ts';
import { PasswordField } from '../../../ui/password-field.tsx';
import { checkProof, type ProofValues } from '../rules.ts';
import { withSealed } from '../sealing.ts';

interface Props {
  submitText: string;
  negative?: boolean;
  /** Gets the password sealed. Rejects with the server's refusal. */
  onProved: (proof: ProofValues) => Promise<unknown>;
  onCancel: () => void;
}

/** What proves a change of one's own sign-in: the password and a code of the authenticator. */
export function ProofForm({ submitText, negative, onProved, onCancel }: Props) {
  const t = useText();
  const fields = useFields<ProofValues, ProofValues>({
    check: checkProof,
    defaults: { currentPassword: '', code: '' },
  });
  const submit = async ({ currentPassword, code }: ProofValues) => {
    try {
      await withSealed([currentPassword], ([sealed = '']) => onProved({ currentPassword: sealed, code }));
    } catch (error) {
      fields.set('code', '');
      throw error;
    }
  };
  return (
    <Form fields={fields} onSubmit={submit} label={t('ops.proof')}>
      <PasswordField {...fields.text('currentPassword')} label={t('identity.field.currentPassword')} />
      <CodeField
        {...fields.value('code')}
        onBlur={() => undefined}
        label={t('identity.field.code')}
        hint={t('identity.change.codeOtp')}
      />
      <div className="flex flex-wrap justify-end gap-2">
        <Button disabled={fields.submitting} onClick={onCancel}>
          {t('ui.cancel')}
        </Button>
        <Button type="submit" kind={negative ? 'negative' : 'primary'} busy={fields.submitting}>
          {submitText}
        </Button>
      </div>
    </Form>
  );
}
