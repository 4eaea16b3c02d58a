import type { User } from '@causeway/contract/identity.ts';
import { useText } from '../../../lib/locale.tsx';
import { toast } from '../../../lib/toasts.ts';
import { Button } from '../../../ui/button.tsx';
import { Form } from '../../../ui/form.tsx';
import { useFields } from '../../../ui/form-state.ts';
import { TextField } from '../../../ui/text-field.tsx';
import { useUpdateUser } from '../api.ts';
import { checkName, type NameValues } from '../rules.ts';

/** The person's own name, to be changed. */
export function ProfileForm({ user, onClose }: { user: User; onClose: () => void }) {
  const t = useText();
  const update = useUpdateUser();
  const fields = useFields<NameValues, NameValues>({
    check: checkName,
    defaults: { firstName: user.firstName, lastName: user.lastName },
  });
  const submit = async (values: NameValues) => {
    await update.mutateAsync({ body: values });
    toast('success', t('identity.profile.saved'));
    onClose();
  };
  return (
    <div className="mb-6 max-w-120 border-b border-line pb-6">
      <Form fields={fields} onSubmit={submit} label={t('identity.profile.edit')}>
        <TextField
          {...fields.text('firstName')}
          label={t('identity.field.firstName')}
          autoComplete="given-name"
          maxLength={60}
          autoFocus
        />
        <TextField
          {...fields.text('lastName')}
          label={t('identity.field.lastName')}
          autoComplete="family-name"
          maxLength={60}
        />
        <div className="flex gap-2">
          <Button type="submit" kind="primary" busy={fields.submitting}>
            {t('identity.save')}
          </Button>
          <Button kind="quiet" onClick={onClose}>
            {t('ui.cancel')}
          </Button>
        </div>
      </Form>
    </div>
  );
}
