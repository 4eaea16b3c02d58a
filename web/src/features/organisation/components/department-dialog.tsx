import { departmentNameMaxLength } from '@causeway/contract/organisation-rules.ts';
import { useState } from 'react';
import { type Translate, useText } from '../../../lib/locale.tsx';
import { newId } from '../../../lib/new-id.ts';
import { toast } from '../../../lib/toasts.ts';
import { Button } from '../../../ui/button.tsx';
import { ConfirmDialog, Dialog } from '../../../ui/dialog.tsx';
import { Form } from '../../../ui/form.tsx';
import { FormFoot } from '../../../ui/form-foot.tsx';
import { type Checked, useFields } from '../../../ui/form-state.ts';
import { SelectField } from '../../../ui/select-field.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import { type Department, useAddDepartment, useDeleteDepartment, useEditDepartment } from '../api.ts';
import { atField } from '../at-field.ts';
import { departmentOptions } from '../department-tree.ts';
import { departmentPath } from '../words.ts';
import { MoveDepartment } from './move-department.tsx';

/** What is asked about departments. */
export type DepartmentQuestion =
  | { kind: 'add'; parentId: string | null }
  | { kind: 'rename'; department: Department }
  | { kind: 'move'; department: Department }
  | { kind: 'delete'; department: Department };

interface Props {
  question: DepartmentQuestion | null;
  departments: readonly Department[];
  onClose: () => void;
  onAdded: (id: string) => void;
  onDeleted: () => void;
}

/** Adding, renaming, moving and deleting departments. */
export function DepartmentDialog({ question, departments, onClose, onAdded, onDeleted }: Props) {
  const t = useText();
  // What closes keeps its words until it is gone from the screen.
  const [last, setLast] = useState<DepartmentQuestion | null>(null);
  if (question !== null && question !== last) setLast(question);
  if (last?.kind === 'delete') {
    return (
      <DeleteDialog
        open={question !== null}
        department={last.department}
        departments={departments}
        onClose={onClose}
        onDeleted={onDeleted}
      />
    );
  }
  return (
    <Dialog open={question !== null} onOpenChange={(open) => open || onClose()} title={titleOf(last, t)}>
      {last?.kind === 'rename' && <RenameForm department={last.department} onDone={onClose} />}
      {last?.kind === 'move' && (
        <MoveDepartment
          key={last.department.id}
          department={last.department}
          departments={departments}
          onClose={onClose}
        />
      )}
      {last?.kind === 'add' && (
        <AddForm
          parentId={last.parentId}
          departments={departments}
          onClose={onClose}
          onAdded={(id) => {
            onClose();
            onAdded(id);
          }}
        />
      )}
    </Dialog>
  );
}

function titleOf(question: DepartmentQuestion | null, t: Translate): string {
  if (question?.kind === 'move') return t('organisation.department.moveTitle', { name: question.department.name });
  return t(question?.kind === 'rename' ? 'organisation.department.rename' : 'organisation.department.add');
}

interface AddValues {
  name: string;
  parentId: string;
}

/** How the choice of parent names the top: no department has this id. */
const top = 'top';

function checkName<Values extends { name: string }>(values: Values): Checked<Values> {
  const name = values.name.trim();
  if (name === '') return { ok: false, problems: [{ path: ['name'], message: 'field.required' }] };
  return { ok: true, values: { ...values, name } };
}

interface AddProps {
  parentId: string | null;
  departments: readonly Department[];
  onClose: () => void;
  onAdded: (id: string) => void;
}

function AddForm({ parentId, departments, onClose, onAdded }: AddProps) {
  const t = useText();
  const [id] = useState(() => newId());
  const defaults = { name: '', parentId: parentId ?? top };
  const fields = useFields<AddValues, AddValues>({ check: checkName, defaults });
  const add = useAddDepartment();
  const submit = async ({ name, parentId: parent }: AddValues) => {
    await add.mutateAsync({ body: { id, name, parentId: parent === top ? null : parent } }).catch(atField);
    toast('success', t('organisation.added'));
    onAdded(id);
  };
  return (
    <Form fields={fields} onSubmit={submit} label={t('organisation.department.add')}>
      <NameField {...fields.text('name')} />
      <SelectField
        label={t('organisation.department.parent')}
        options={[{ value: top, label: t('organisation.department.top') }, ...departmentOptions(departments)]}
        {...fields.value('parentId')}
      />
      <FormFoot submitText={t('organisation.save')} busy={fields.submitting} onCancel={onClose} />
    </Form>
  );
}

function RenameForm({ department, onDone }: { department: Department; onDone: () => void }) {
  const t = useText();
  const { id, name: before, parentId } = department;
  const fields = useFields<{ name: string }, { name: string }>({ check: checkName, defaults: { name: before } });
  const edit = useEditDepartment();
  const submit = async ({ name }: { name: string }) => {
    await edit.mutateAsync({ body: { id, name, parentId } }).catch(atField);
    toast('success', t('organisation.edited'));
    onDone();
  };
  return (
    <Form fields={fields} onSubmit={submit} label={t('organisation.department.rename')}>
      <NameField {...fields.text('name')} />
      <FormFoot submitText={t('organisation.save')} busy={fields.submitting} onCancel={onDone} />
    </Form>
  );
}

type NameBinding = Pick<Parameters<typeof TextField>[0], 'name' | 'value' | 'onChange' | 'onBlur' | 'error'>;

function NameField(binding: NameBinding) {
  const t = useText();
  return (
    <TextField
      label={t('organisation.department.name')}
      autoComplete="off"
      maxLength={departmentNameMaxLength}
      {...binding}
    />
  );
}

interface DeleteProps {
  open: boolean;
  department: Department;
  departments: readonly Department[];
  onClose: () => void;
  onDeleted: () => void;
}

/** Asks before deleting; a department that is in use says so instead. */
function DeleteDialog({ open, department, departments, onClose, onDeleted }: DeleteProps) {
  const t = useText();
  const remove = useDeleteDepartment();
  const { id, memberCount } = department;
  const children = departments.filter(({ parentId }) => parentId === id).length;
  if (memberCount > 0 || children > 0) {
    return (
      <Dialog
        open={open}
        onOpenChange={(next) => next || onClose()}
        title={t('organisation.department.inUseTitle')}
        description={t('organisation.department.inUse', { name: department.name, members: memberCount, children })}
        actions={<Button onClick={onClose}>{t('ui.close')}</Button>}
      />
    );
  }
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={(next) => next || onClose()}
      title={t('organisation.department.deleteTitle')}
      facts={[{ term: t('organisation.field.department'), value: departmentPath(departments, id) }]}
      confirmText={t('organisation.department.delete')}
      negative
      busy={remove.isPending}
      onConfirm={() =>
        remove.mutate(
          { params: { id } },
          {
            onSuccess: () => {
              toast('success', t('organisation.deleted'));
              onDeleted();
              onClose();
            },
          },
        )
      }
    />
  );
}
