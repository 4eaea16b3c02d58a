import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { useText } from '../../../lib/locale.tsx';
import { newId } from '../../../lib/new-id.ts';
import { usePermission } from '../../../lib/permission.ts';
import { toast } from '../../../lib/toasts.ts';
import { Button } from '../../../ui/button.tsx';
import { Form } from '../../../ui/form.tsx';
import { useFields } from '../../../ui/form-state.ts';
import { PanelFormFoot } from '../../../ui/panel-form-foot.tsx';
import { SidePanel } from '../../../ui/side-panel.tsx';
import { NoPermission } from '../../../ui/states.tsx';
import { useAddRole } from '../api.ts';
import { atField } from '../at-field.ts';
import { RoleFields } from '../components/role-fields.tsx';
import { checkRole, newRole } from '../role-values.ts';

/** A new role of the company. */
export function Page() {
  const t = useText();
  return (
    <SidePanel title={t('organisation.role.add')} backTo="/app/role-management">
      {usePermission('role.manage') === false ? <NoPermission /> : <AddForm />}
    </SidePanel>
  );
}

function AddForm() {
  const t = useText();
  const router = useRouter();
  // Chosen once, so that a form sent twice is one role.
  const [id] = useState(() => newId());
  const fields = useFields({ check: checkRole, defaults: newRole(id) });
  const add = useAddRole();
  return (
    <Form
      fields={fields}
      onSubmit={async (body) => {
        await add.mutateAsync({ body }).catch(atField);
        toast('success', t('organisation.added'));
        router.history.push(`/app/role-management/${id}${router.state.location.searchStr}`);
      }}
      label={t('organisation.role.add')}
    >
      <RoleFields fields={fields} holders={0} />
      <PanelFormFoot>
        <Button type="submit" kind="primary" busy={fields.submitting}>
          {t('organisation.role.add')}
        </Button>
      </PanelFormFoot>
    </Form>
  );
}
