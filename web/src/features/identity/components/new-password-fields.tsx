import { useText } from '../../../lib/locale.tsx';
import type { Fields } from '../../../ui/form-state.ts';
import { PasswordField } from '../../../ui/password-field.tsx';

interface Props<Values extends { confirm: string }, Output> {
  fields: Fields<Values, Output>;
  /** The name of the field that holds the new password. */
  name: keyof Values & string;
  /** The longest password that the server takes. */
  maxLength: number;
  label?: string;
}

/** A password being chosen, with the live checklist, and the same once more. */
export function NewPasswordFields<Values extends { confirm: string }, Output>(props: Props<Values, Output>) {
  const { fields, name, maxLength, label } = props;
  const t = useText();
  return (
    <>
      <PasswordField
        {...fields.text(name)}
        label={label ?? t('identity.field.password')}
        hint={t('identity.password.hint', { max: maxLength })}
        autoComplete="new-password"
        checklistFor={String(fields.values[name] ?? '')}
      />
      <PasswordField {...fields.text('confirm')} label={t('identity.field.confirm')} autoComplete="new-password" />
    </>
  );
}
