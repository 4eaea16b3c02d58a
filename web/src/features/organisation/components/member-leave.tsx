import { useText } from '../../../lib/locale.tsx';
import { useUser } from '../../../lib/user.ts';
import { Button } from '../../../ui/button.tsx';
import { ComboboxField } from '../../../ui/combobox-field.tsx';
import { Form } from '../../../ui/form.tsx';
import { type Checked, useFields } from '../../../ui/form-state.ts';
import { Checkbox } from '../../../ui/text-field.tsx';
import { ControlNote, useTellChange } from '../../control/index.ts';
import { type Member, useChoices, useSetMemberLeave } from '../api.ts';
import { atField } from '../at-field.ts';

interface LeaveValues {
  onLeave: boolean;
  deputyId: string;
}

/** Everything that the two controls can say is right; who may be deputy is the server's rule. */
const check = (values: LeaveValues): Checked<LeaveValues> => ({ ok: true, values });

/** On leave or back; the deputy decides in the meantime. */
export function MemberLeave({ member }: { member: Member }) {
  const t = useText();
  const defaults = { onLeave: member.onLeave, deputyId: member.deputy?.id ?? '' };
  const fields = useFields<LeaveValues, LeaveValues>({ check, defaults });
  const leave = useSetMemberLeave();
  const tell = useTellChange();
  const me = useUser()?.id;
  const people = useChoices().data?.people ?? [];
  // No one may make themselves a deputy: it would give them another's say in approvals.
  const others = people.filter(({ id }) => id !== member.id && id !== me);
  const submit = async ({ onLeave, deputyId }: LeaveValues) => {
    const deputy = onLeave && deputyId !== '' ? deputyId : null;
    const effect = await leave.mutateAsync({ body: { id: member.id, onLeave, deputyId: deputy } }).catch(atField);
    if (!onLeave) fields.set('deputyId', '');
    tell(effect, t('organisation.set'));
    // What waits is in the note above; the form shows what is in force.
    if (!effect.applied) fields.reset();
  };
  return (
    <Form fields={fields} onSubmit={submit} label={t('organisation.leave.title')}>
      <Checkbox {...fields.box('onLeave')}>{t('organisation.leave.onLeave')}</Checkbox>
      {fields.values.onLeave && (
        <ComboboxField
          label={t('organisation.leave.deputy')}
          optional
          hint={t('organisation.leave.deputyHint')}
          placeholder={t('organisation.leave.chooseDeputy')}
          options={others
            .filter(({ status, onLeave }) => status === 'active' && !onLeave)
            .map(({ id, name, roleName }) => ({ value: id, label: name, detail: roleName }))}
          {...fields.value('deputyId')}
        />
      )}
      {fields.values.onLeave && <ControlNote permission="member.manage" />}
      <div className="flex justify-end">
        <Button type="submit" busy={fields.submitting}>
          {t('organisation.leave.save')}
        </Button>
      </div>
    </Form>
  );
}
