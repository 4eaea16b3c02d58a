import { useText } from '../../../lib/locale.tsx';
import { toast } from '../../../lib/toasts.ts';
import { ComboboxField } from '../../../ui/combobox-field.tsx';
import { Form } from '../../../ui/form.tsx';
import { FormFoot } from '../../../ui/form-foot.tsx';
import { type Checked, useFields } from '../../../ui/form-state.ts';
import { SelectField } from '../../../ui/select-field.tsx';
import { type Department, useEditDepartment } from '../api.ts';
import { atField } from '../at-field.ts';
import { departmentOptions, possibleParents, siblingsUnder } from '../department-tree.ts';

interface Values {
  /** A department's id, or the top. */
  parentId: string;
  /** Among those under the parent, from 0. */
  position: string;
}

interface Props {
  department: Department;
  departments: readonly Department[];
  onClose: () => void;
}

/** How the choice of parent names the top: no department has this id. */
const top = 'top';
const idOf = (parent: string) => (parent === top ? null : parent);

function check(values: Values): Checked<Values> {
  if (values.parentId !== '') return { ok: true, values };
  return { ok: false, problems: [{ path: ['parentId'], message: 'field.required' }] };
}

/** Moves a department with all that is under it: under which one, and where among those there. */
export function MoveDepartment({ department, departments, onClose }: Props) {
  const t = useText();
  const { id, name, parentId } = department;
  const edit = useEditDepartment();
  const placeIn = (parent: string) => {
    const siblings = siblingsUnder(departments, idOf(parent), department);
    const isSame = idOf(parent) === parentId;
    return String(isSame ? siblings.filter(({ position }) => position < department.position).length : siblings.length);
  };
  const fields = useFields<Values, Values>({
    check,
    defaults: { parentId: parentId ?? top, position: placeIn(parentId ?? top) },
  });
  const { values } = fields;
  const parents = new Set(possibleParents(departments, department).map((parent) => parent.id));
  const siblings = values.parentId === '' ? [] : siblingsUnder(departments, idOf(values.parentId), department);
  const submit = async ({ parentId: parent, position }: Values) => {
    const body = { id, name, parentId: idOf(parent), position: Number(position) };
    await edit.mutateAsync({ body }).catch(atField);
    toast('success', t('organisation.edited'));
    onClose();
  };
  return (
    <Form fields={fields} onSubmit={submit} label={t('organisation.department.moveTitle', { name })}>
      <ComboboxField
        label={t('organisation.department.parent')}
        options={[
          { value: top, label: t('organisation.department.top') },
          ...departmentOptions(departments).filter(({ value }) => parents.has(value)),
        ]}
        {...fields.value('parentId')}
        onChange={(next) => {
          fields.set('parentId', next);
          fields.set('position', placeIn(next));
        }}
      />
      <SelectField
        label={t('organisation.department.place')}
        options={[
          { value: '0', label: t('organisation.department.first') },
          ...siblings.map((sibling, index) => ({
            value: String(index + 1),
            label: t('organisation.department.after', { name: sibling.name }),
          })),
        ]}
        {...fields.value('position')}
      />
      <FormFoot submitText={t('organisation.department.moveHere')} busy={fields.submitting} onCancel={onClose} />
    </Form>
  );
}
