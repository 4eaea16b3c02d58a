import { useMemo } from 'react';
import { useFormats } from '../../../lib/format.ts';
import { useText } from '../../../lib/locale.tsx';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { EmptyState } from '../../../ui/states.tsx';
import { Tree } from '../../../ui/tree.tsx';
import type { Departments } from '../api.ts';
import { treeOf } from '../department-tree.ts';
import { unassignedKey } from './unassigned-card.tsx';

interface Props {
  departments: Departments;
  chosen: string;
  onChoose: (id: string) => void;
  onAdd: () => void;
}

/** The departments to choose from, and beneath them the members who have none. */
export function DepartmentTree({ departments, chosen, onChoose, onAdd }: Props) {
  const t = useText();
  const formats = useFormats();
  const { items, unassigned } = departments;
  const nodes = useMemo(() => treeOf(items), [items]);
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
