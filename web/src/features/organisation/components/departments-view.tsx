import { useState } from 'react';
import { useListState } from '../../../lib/list-state.ts';
import { useText } from '../../../lib/locale.tsx';
import { Card } from '../../../ui/card.tsx';
import { EmptyState, ErrorState, Loading, Skeleton } from '../../../ui/states.tsx';
import { type Departments, useDepartments } from '../api.ts';
import { DepartmentCard } from './department-card.tsx';
import { DepartmentDialog, type DepartmentQuestion } from './department-dialog.tsx';
import { DepartmentTree } from './department-tree.tsx';
import { UnassignedCard, unassignedKey } from './unassigned-card.tsx';

const chosenNames = ['department'] as const;

/** The tree at the left, the members of the chosen department beside it; the address holds the choice. */
export function DepartmentsView() {
  const departments = useDepartments();
  const { data } = departments;
  if (data === undefined && departments.error !== null) {
    return (
      <Card>
        <ErrorState error={departments.error} onRetry={() => void departments.refetch()} />
      </Card>
    );
  }
  return (
    <Loading loading={data === undefined} skeleton={<ViewSkeleton />}>
      {data && <Loaded departments={data} />}
    </Loading>
  );
}

function Loaded({ departments }: { departments: Departments }) {
  const t = useText();
  const address = useListState(chosenNames);
  const [question, setQuestion] = useState<DepartmentQuestion | null>(null);
  const wanted = address.filters.department ?? departments.items[0]?.id ?? unassignedKey;
  const chosen = departments.items.find(({ id }) => id === wanted);
  const choose = (id: string) => address.setFilters({ department: id });
  return (
    <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]">
      <DepartmentTree
        departments={departments}
        chosen={wanted}
        onChoose={choose}
        onAdd={() => setQuestion({ kind: 'add', parentId: null })}
      />
      {chosen !== undefined ? (
        <DepartmentCard key={chosen.id} department={chosen} departments={departments} onAsk={setQuestion} />
      ) : wanted === unassignedKey ? (
        <UnassignedCard people={departments.unassigned} />
      ) : (
        <Card>
          <EmptyState
            icon="search"
            title={t('organisation.department.notFound')}
            text={t('organisation.department.notFoundText')}
          />
        </Card>
      )}
      <DepartmentDialog
        question={question}
        departments={departments.items}
        onClose={() => setQuestion(null)}
        onAdded={choose}
        onDeleted={() => address.setFilters({ department: null })}
      />
    </div>
  );
}

function ViewSkeleton() {
  return (
    <div className="grid gap-6 lg:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]">
      <Card>
        <div className="flex flex-col gap-3">
          {['w-40', 'w-32', 'w-36', 'w-28', 'w-32'].map((width, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no other identity
            <Skeleton key={index} width={width} height="h-5" />
          ))}
        </div>
      </Card>
      <Card>
        <Skeleton height="h-60" />
      </Card>
    </div>
  );
}
