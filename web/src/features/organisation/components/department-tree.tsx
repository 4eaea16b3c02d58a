import { departmentMaxDepth } from '@causeway/contract/organisation-rules.ts';
import { useMemo } from 'react';
import { useFormats } from '../../../lib/format.ts';
import { useText } from '../../../lib/locale.tsx';
import { toast } from '../../../lib/toasts.ts';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { EmptyState } from '../../../ui/states.tsx';
import { Tree } from '../../../ui/tree.tsx';
import { type Departments, useEditDepartment } from '../api.ts';
import { treeOf } from '../department-tree.ts';
import { unassignedKey } from './unassigned-card.tsx';

interface Props {
  departments: Departments;
  chosen: string;
  onChoose: (id: string) => void;
  onAdd: () => void;
  moving: string | null;
  onMoving: (id: string | null) => void;
  /** Reads the departments again; settles when that is done. */
  onMoved: () => Promise<unknown>;
}

/** The departments to choose from and to move about, and those who have none beneath. */
export function DepartmentTree({ departments, chosen, onChoose, onAdd, moving, onMoving, onMoved }: Props) {
  const t = useText();
  const formats = useFormats();
  const { items, unassigned } = departments;
  const nodes = useMemo(() => treeOf(items), [items]);
  const edit = useEditDepartment();
  const alone = chosen === unassignedKey;
  return (
    <Card
      title={t('organisation.structure.departments')}
      aside={
        <Button size="small" icon="plus" onClick={onAdd}>
          {t('organisation.department.add')}
        </Button>
      }
      flush
    >
      <div className="p-2.5">
        {nodes.length === 0 ? (
          <EmptyState
            icon="people"
            title={t('organisation.departments.empty')}
            text={t('organisation.departments.emptyText')}
            action={<Button onClick={onAdd}>{t('organisation.department.add')}</Button>}
          />
        ) : (
          <Tree
            label={t('organisation.structure.departments')}
            nodes={nodes}
            selected={alone ? null : chosen}
            onSelect={onChoose}
            moves={{
              text: (key, values) => t(`organisation.tree.${key}`, values),
              maxDepth: departmentMaxDepth,
              moving,
              onMoving,
              onMove: async (id, to) => {
                const name = items.find((department) => department.id === id)?.name ?? '';
                await edit.mutateAsync({ body: { id, name, ...to } });
                await onMoved();
                toast('success', t('organisation.edited'));
              },
            }}
          />
        )}
      </div>
      <div className="border-t border-line p-2.5">
        <button
          type="button"
          aria-pressed={alone}
          className={classNames(
            'flex min-h-8 w-full items-center justify-between gap-3 rounded-6 px-2.5 py-1 text-left text-13',
            alone ? 'bg-accent-soft font-medium text-accent' : 'text-muted hover:bg-hover',
          )}
          onClick={() => onChoose(unassignedKey)}
        >
          {t('organisation.unassigned')}
          <span className="figures text-12 text-faint">{formats.count(unassigned.length)}</span>
        </button>
      </div>
    </Card>
  );
}
