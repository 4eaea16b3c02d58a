import { type Language, languageOf, locales } from '@causeway/contract/locale.ts';
import { type OperatorRole, operatorNameMaxLength, operatorRoles } from '@causeway/contract/operator-rules.ts';
import { useRef } from 'react';
import { localeNames, useLocale, useText } from '../../../lib/locale.tsx';
import { newId } from '../../../lib/new-id.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { Form } from '../../../ui/form.tsx';
import { useFields } from '../../../ui/form-state.ts';
import { SelectField } from '../../../ui/select-field.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import { useProposeStaff } from '../api.ts';
import { checkInvite, type InviteValues } from '../rules.ts';
import { DialogFoot } from './dialog-foot.tsx';
import { ReasonField } from './reason-field.tsx';
import { RoleRights } from './role-rights.tsx';
import { SecondNote } from './second-note.tsx';
import { useProposed } from './use-proposed.ts';

/** Proposes a new colleague; their mail goes out when another administrator has confirmed it. */
export function InviteDialog({ onClose }: { onClose: () => void }) {
  const t = useText();
  const locale = useLocale();
  const propose = useProposeStaff();
  const proposed = useProposed();
  // The same id when the same is sent again: a lost answer must not make two proposals.
  const id = useRef(newId());
  const fields = useFields<InviteValues, InviteValues>({
    check: checkInvite,
    defaults: { name: '', email: '', role: '', language: languageOf(locale), reason: '' },
    keep: 'operator-invite',
  });
  const { role } = fields.values;
  const submit = async (values: InviteValues) => {
    const { proposalId } = await propose.mutateAsync({
      body: { ...values, id: id.current, role: values.role as OperatorRole, language: values.language as Language },
    });
    proposed(proposalId);
    onClose();
  };
  return (
    <Dialog open wide onOpenChange={(open) => open || onClose()} title={t('ops.invite')}>
      <Form fields={fields} onSubmit={submit} label={t('ops.invite')}>
        <SecondNote />
        <TextField
          {...fields.text('name')}
          label={t('ops.field.name')}
          autoComplete="off"
          maxLength={operatorNameMaxLength}
        />
        <TextField
          {...fields.text('email')}
          type="email"
          inputMode="email"
          label={t('ops.field.email')}
          hint={t('ops.invite.emailHint')}
          autoComplete="off"
        />
        <SelectField<OperatorRole>
          {...fields.value('role')}
          label={t('ops.field.role')}
          options={operatorRoles.map((value) => ({ value, label: t(`ops.role.${value}`) }))}
        />
        {role !== '' && <RoleRights role={role} />}
        <SelectField
          {...fields.value('language')}
          label={t('ops.field.language')}
          hint={t('ops.invite.languageHint')}
          options={locales.map((value) => ({ value: languageOf(value), label: localeNames[value] }))}
        />
        <ReasonField binding={fields.text('reason')} />
        <DialogFoot fields={fields} submitText={t('ops.propose')} onClose={onClose} />
      </Form>
    </Dialog>
  );
}
