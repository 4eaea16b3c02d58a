import type { Operator } from '@causeway/contract/operator.ts';
import { operatorRoles } from '@causeway/contract/operator-rules.ts';
import { useMemo } from 'react';
import { useText } from '../../../lib/locale.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Form } from '../../../ui/form.tsx';
import { useFields } from '../../../ui/form-state.ts';
import { RadioField } from '../../../ui/radio-field.tsx';
import { Banner } from '../../../ui/states.tsx';
import { useProposeRole } from '../api.ts';
import { type RoleValues, roleCheck } from '../rules.ts';
import { isNarrower } from '../words.ts';
import { DialogFoot } from './dialog-foot.tsx';
import { ReasonField } from './reason-field.tsx';
import { RoleRights } from './role-rights.tsx';
import { SecondNote } from './second-note.tsx';
import { useProposed } from './use-proposed.ts';

/** Another role for a colleague: at once where it allows less, proposed where it allows more. */
export function RoleDialog({ person, onClose }: { person: Operator; onClose: () => void }) {
  const t = useText();
  const propose = useProposeRole();
  const proposed = useProposed();
  const check = useMemo(() => roleCheck(person.role), [person.role]);
  const fields = useFields<RoleValues, RoleValues>({ check, defaults: { role: person.role, reason: '' } });
  const { role } = fields.values;
  const isChange = role !== person.role;
  const atOnce = isNarrower(person.role, role);
  const submit = async (body: RoleValues) => {
    const { proposalId } = await propose.mutateAsync({ params: { id: person.id }, body });
    proposed(proposalId);
    onClose();
  };
  const title = t('ops.ask.role', { name: person.name });
  return (
    <Dialog open wide onOpenChange={(open) => open || fields.submitting || onClose()} title={title}>
      <Form fields={fields} onSubmit={submit} label={title}>
        <RadioField
          {...fields.value('role')}
          label={t('ops.field.role')}
          options={operatorRoles.map((value) => ({
            value,
            label: t(`ops.role.${value}`),
            ...(value === person.role && { detail: t('ops.role.present') }),
          }))}
        />
        <section className="flex flex-col gap-2">
          <h3 className="m-0 text-13 font-medium">{t('ops.rights', { role: t(`ops.role.${role}`) })}</h3>
          <RoleRights role={role} />
        </section>
        {isChange && (atOnce ? <Banner kind="notice">{t('ops.role.atOnce')}</Banner> : <SecondNote />)}
        <ReasonField binding={fields.text('reason')} />
        <DialogFoot
          fields={fields}
          submitText={t(isChange && atOnce ? 'ops.role.change' : 'ops.propose')}
          onClose={onClose}
        />
      </Form>
    </Dialog>
  );
}
