import { passkeyNameMaxLength } from '@causeway/contract/identity-rules.ts';
import { useText } from '../../../lib/locale.tsx';
import { Form } from '../../../ui/form.tsx';
import { FormFoot } from '../../../ui/form-foot.tsx';
import { useFields } from '../../../ui/form-state.ts';
import { TextField } from '../../../ui/text-field.tsx';
import { checkPasskeyName, type PasskeyNameValues } from '../rules.ts';

interface Props {
  /** What it is called so far. */
  name: string;
  submitText: string;
  onSubmit: (values: PasskeyNameValues) => Promise<unknown>;
  onCancel: () => void;
}

/** What a passkey is called by its owner. */
export function PasskeyNameForm({ name, submitText, onSubmit, onCancel }: Props) {
  const t = useText();
  const fields = useFields<PasskeyNameValues, PasskeyNameValues>({ check: checkPasskeyName, defaults: { name } });
  return (
    <Form fields={fields} onSubmit={onSubmit} label={t('identity.passkey.name')}>
      <TextField
        {...fields.text('name')}
        label={t('identity.passkey.name')}
        hint={t('identity.passkey.nameHint')}
        maxLength={passkeyNameMaxLength}
        autoComplete="off"
        autoFocus
      />
      <FormFoot submitText={submitText} busy={fields.submitting} onCancel={onCancel} />
    </Form>
  );
}
