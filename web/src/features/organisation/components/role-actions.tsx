import { roleNameMaxLength } from '@causeway/contract/organisation-rules.ts';
import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { useText } from '../../../lib/locale.tsx';
import { newId } from '../../../lib/new-id.ts';
import { toast } from '../../../lib/toasts.ts';
import { Button } from '../../../ui/button.tsx';
import { ConfirmDialog, Dialog } from '../../../ui/dialog.tsx';
import { Form } from '../../../ui/form.tsx';
import { FormFoot } from '../../../ui/form-foot.tsx';
import { type Checked, useFields } from '../../../ui/form-state.ts';
import { TextField } from '../../../ui/text-field.tsx';
import { type Role, useCopyRole, useDeleteRole } from '../api.ts';
import { atField } from '../at-field.ts';

/** Copying any role; deleting one of the company's own. */
export function RoleActions({ role }: { role: Role }) {
  const t = useText();
  const [asking, setAsking] = useState<'copy' | 'delete' | null>(null);
  const close = () => setAsking(null);
  return (
    <>
      {role.system === null && (
        <Button icon="trash" onClick={() => setAsking('delete')}>
          {t('organisation.role.delete')}
        </Button>
      )}
      <Button icon="copy" onClick={() => setAsking('copy')}>
        {t('organisation.role.copy')}
      </Button>
      <Dialog
        open={asking === 'copy'}
        onOpenChange={(open) => open || close()}
        title={t('organisation.role.copyTitle', { name: role.name })}
        description={t('organisation.role.copyText')}
      >
        <CopyForm role={role} onClose={close} />
      </Dialog>
      <DeleteDialog role={role} open={asking === 'delete'} onClose={close} />
    </>
  );
}

interface CopyValues {
  name: string;
}

function checkCopy({ name }: CopyValues): Checked<CopyValues> {
  const trimmed = name.trim();
  if (trimmed === '') return { ok: false, problems: [{ path: ['name'], message: 'field.required' }] };
  return { ok: true, values: { name: trimmed } };
}

function CopyForm({ role, onClose }: { role: Role; onClose: () => void }) {
  const t = useText();
  const router = useRouter();
  const [id] = useState(() => newId());
  const name = t('organisation.role.copyName', { name: role.name }).slice(0, roleNameMaxLength);
  const fields = useFields<CopyValues, CopyValues>({ check: checkCopy, defaults: { name } });
  const copy = useCopyRole();
  const submit = async (values: CopyValues) => {
    await copy.mutateAsync({ body: { id: role.id, newId: id, name: values.name } }).catch(atField);
    toast('success', t('organisation.role.copied'));
    onClose();
    router.history.push(`/app/role-management/${id}${router.state.location.searchStr}`);
  };
  return (
    <Form fields={fields} onSubmit={submit} label={t('organisation.role.copy')}>
      <TextField
        label={t('organisation.role.name')}
        autoComplete="off"
        maxLength={roleNameMaxLength}
        {...fields.text('name')}
      />
      <FormFoot submitText={t('organisation.role.copy')} busy={fields.submitting} onCancel={onClose} />
    </Form>
  );
}

/** A role that members hold says so instead of asking; whether a rule names it, the server knows. */
function DeleteDialog({ role, open, onClose }: { role: Role; open: boolean; onClose: () => void }) {
  const t = useText();
  const router = useRouter();
  const remove = useDeleteRole({
    onSuccess: () => {
      toast('success', t('organisation.deleted'));
      router.history.push(`/app/role-management${router.state.location.searchStr}`);
    },
  });
  if (role.memberCount > 0) {
    return (
      <Dialog
        open={open}
        onOpenChange={(next) => next || onClose()}
        title={t('organisation.role.inUseTitle')}
        description={t('organisation.role.inUse', { name: role.name, count: role.memberCount })}
        actions={<Button onClick={onClose}>{t('ui.close')}</Button>}
      />
    );
  }
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={(next) => next || onClose()}
      title={t('organisation.role.deleteTitle')}
      description={t('organisation.role.deleteText')}
      facts={[{ term: t('organisation.role.name'), value: role.name }]}
      confirmText={t('organisation.role.delete')}
      negative
      busy={remove.isPending}
      onConfirm={() => remove.mutate({ body: { id: role.id } })}
    />
  );
}
