import type { Body } from '@causeway/contract/call.ts';
import type { editMember } from '@causeway/contract/organisation.ts';
import { useState } from 'react';
import { ApiError } from '../../../lib/api-error.ts';
import { useText } from '../../../lib/locale.tsx';
import { Button } from '../../../ui/button.tsx';
import { ConfirmDialog } from '../../../ui/dialog.tsx';
import { Form } from '../../../ui/form.tsx';
import { useFields } from '../../../ui/form-state.ts';
import { PanelFormFoot } from '../../../ui/panel-form-foot.tsx';
import { ControlNote, useTellChange } from '../../control/index.ts';
import { type Member, useChoices, useEditMember } from '../api.ts';
import { atField } from '../at-field.ts';
import { checkMember, type MemberValues, valuesOf } from '../member-values.ts';
import { ImpactNote } from './impact-note.tsx';
import { MemberFields } from './member-fields.tsx';

type Edit = Body<typeof editMember>;

/** A member's form. Another role takes effect with the next request, so that it is asked about first. */
export function MemberEdit({ member }: { member: Member }) {
  const t = useText();
  const [asking, setAsking] = useState<Edit | null>(null);
  const fields = useFields<MemberValues, Edit>({ check: checkMember, defaults: valuesOf(member) });
  const edit = useEditMember();
  const tell = useTellChange();
  const roles = useChoices().data?.roles ?? [];
  const save = async (body: Edit) => {
    const effect = await edit.mutateAsync({ body }).catch(atField);
    tell(effect, t('organisation.edited'));
    // What waits is in the note above; the form shows what is in force.
    if (!effect.applied) fields.reset();
  };
  const confirm = async (body: Edit) => {
    try {
      await save(body);
      setAsking(null);
    } catch (error) {
      if (!(error instanceof ApiError) || Object.keys(error.fields).length === 0) return;
      fields.showServerErrors(error.fields);
      setAsking(null);
    }
  };
  return (
    <>
      <Form
        fields={fields}
        onSubmit={(body) => (body.roleId === member.role.id ? save(body) : setAsking(body))}
        label={t('organisation.member.edit')}
      >
        <MemberFields fields={fields} emailFixed={member.status !== 'invited'} />
        <PanelFormFoot>
          <Button type="submit" kind="primary" busy={fields.submitting}>
            {t('organisation.save')}
          </Button>
        </PanelFormFoot>
      </Form>
      <ConfirmDialog
        open={asking !== null}
        onOpenChange={(open) => open || setAsking(null)}
        title={t('organisation.member.roleTitle')}
        description={t('organisation.member.roleText')}
        facts={[
          { term: t('organisation.field.name'), value: member.name },
          { term: t('organisation.member.roleBefore'), value: member.role.name },
          {
            term: t('organisation.member.roleAfter'),
            value: roles.find(({ id }) => id === asking?.roleId)?.name ?? '–',
          },
        ]}
        confirmText={t('organisation.member.roleConfirm')}
        busy={edit.isPending}
        onConfirm={() => asking !== null && void confirm(asking)}
      >
        {asking !== null && (
          <div className="mt-4">
            <ImpactNote memberId={member.id} />
            <ControlNote permission="member.manage" />
          </div>
        )}
      </ConfirmDialog>
    </>
  );
}
