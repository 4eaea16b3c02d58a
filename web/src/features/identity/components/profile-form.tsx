import type { User } from '@causeway/contract/identity.ts';
import { useText } from '../../../lib/locale.tsx';
import { toast } from '../../../lib/toasts.ts';
import { Button } from '../../../ui/button.tsx';
import { Form } from '../../../ui/form.tsx';
import { useFields } from '../../../ui/form-state.ts';
import { MobileFields } from '../../../ui/mobile-fields.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import { useUpdateUser } from '../api.ts';
import { checkProfile, type ProfileValues } from '../profile-rules.ts';

/** What the person says of themselves, to be changed. */
export function ProfileForm({ user, onClose }: { user: User; onClose: () => void }) {
  const t = useText();
  const update = useUpdateUser();
  const fields = useFields<ProfileValues, ProfileValues>({
    check: checkProfile,
    defaults: {
      firstName: user.firstName,
      lastName: user.lastName,
      mobileCountryCode: user.mobileCountryCode ?? '852',
      mobile: user.mobile ?? '',
    },
  });
  const submit = async ({ firstName, lastName, mobileCountryCode, mobile }: ProfileValues) => {
    const number = mobile.trim() === '' ? { mobileCountryCode: null, mobile: null } : { mobileCountryCode, mobile };
    await update.mutateAsync({ body: { firstName, lastName, ...number } });
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
          optional
          autoComplete="family-name"
          maxLength={60}
        />
        <MobileFields code={fields.value('mobileCountryCode')} number={fields.value('mobile')} optional own />
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
