import type { ApprovalTask } from '@causeway/contract/approvals.ts';
import type { ApprovalView } from '@causeway/contract/approvals-rules.ts';
import { Outlet, useLocation } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { type ListState, tableOf, useListState } from '../../../lib/list-state.ts';
import { useText } from '../../../lib/locale.tsx';
import { usePermission } from '../../../lib/permission.ts';
import { Button } from '../../../ui/button.tsx';
import { DataTable } from '../../../ui/data-table.tsx';
import { instantsOf } from '../../../ui/days.ts';
import { type Filter, FilterBar } from '../../../ui/filter-bar.tsx';
import { Page as Frame } from '../../../ui/page.tsx';
import { EmptyState } from '../../../ui/states.tsx';
import { type TaskQuery, useTasks } from '../api.ts';
import { type FilterName, filterNames, queryOf } from '../list-query.ts';
import { kindTexts, statusTexts } from '../words.ts';
import { DecideDialog } from './decide-dialog.tsx';
import { taskColumns } from './task-columns.tsx';

const addresses: Record<ApprovalView, string> = {
  initiated: '/app/i-initiated-approval',
  pending: '/app/pending-approval',
  completed: '/app/approved',
  all: '/app/approval',
};

/** One of the approval lists (specification, section 2): filtered, by time, decided on one by one or many at once. */
export function TaskList({ view }: { view: ApprovalView }) {
  const t = useText();
  const list = useListState(filterNames);
  const search = useLocation({ select: (location) => location.searchStr });
  const tasks = useTasks(pageOf(view, list));
  const columns = useMemo(() => taskColumns(t, view), [t, view]);
  const ticking = useTicking(tasks.data?.items);
  const mayDecide = usePermission('approval.decide');
  return (
    <Frame>
      <DataTable
        label={t(`approvals.list.${view}`)}
        name={`approvals-${view}`}
        columns={columns}
        {...tableOf(tasks, list)}
        rowId={(task) => task.id}
        rowHref={(task) => `${addresses[view]}/${task.id}${search}`}
        sort={list.sort ?? { by: 'time', order: 'desc' }}
        onSort={list.setSort}
        {...(view === 'pending' && mayDecide && { selected: ticking.ids, onSelect: ticking.set })}
        toolbar={<Toolbar view={view} list={list} ticked={ticking.tasks} onDone={() => ticking.set(new Set())} />}
        empty={<NoTasks view={view} filtered={list.active > 0} onClear={list.clear} />}
      />
      <Outlet />
    </Frame>
  );
}

/** The tasks ticked; those that have left the list since are no longer among them. */
function useTicking(rows: readonly ApprovalTask[] | undefined) {
  const [ids, set] = useState<ReadonlySet<string>>(new Set());
  const tasks = (rows ?? []).filter((task) => ids.has(task.id));
  return { ids, set, tasks };
}

interface ToolbarProps {
  view: ApprovalView;
  list: ListState<FilterName>;
  ticked: readonly ApprovalTask[];
  onDone: () => void;
}

function Toolbar({ view, list, ticked, onDone }: ToolbarProps) {
  const t = useText();
  const filters = useFilters(view);
  const [outcome, setOutcome] = useState<'approved' | 'rejected' | null>(null);
  const some = ticked.length > 0;
  return (
    <>
      <FilterBar
        filters={filters}
        state={list}
        {...(some && {
          actions: (
            <>
              <Button onClick={() => setOutcome('rejected')}>
                {t('approvals.rejectMany', { count: ticked.length })}
              </Button>
              <Button kind="primary" onClick={() => setOutcome('approved')}>
                {t('approvals.approveMany', { count: ticked.length })}
              </Button>
            </>
          ),
        })}
      />
      {outcome !== null && some && (
        <DecideDialog
          tasks={ticked}
          outcome={outcome}
          onClose={() => setOutcome(null)}
          onDone={() => {
            setOutcome(null);
            onDone();
          }}
        />
      )}
    </>
  );
}

function NoTasks({ view, filtered, onClear }: { view: ApprovalView; filtered: boolean; onClear: () => void }) {
  const t = useText();
  if (filtered) {
    return (
      <EmptyState
        icon="search"
        title={t('approvals.noMatch')}
        text={t('approvals.noMatchText')}
        action={<Button onClick={onClear}>{t('approvals.clear')}</Button>}
      />
    );
  }
  return <EmptyState icon="approval" title={t(`approvals.empty.${view}`)} text={t(`approvals.emptyText.${view}`)} />;
}

function useFilters(view: ApprovalView): Filter<FilterName>[] {
  const t = useText();
  return useMemo(() => {
    const filters: Filter<FilterName>[] = [
      { kind: 'search', name: 'keyword', label: t('approvals.search'), placeholder: t('approvals.search') },
      {
        kind: 'choice',
        name: 'kind',
        label: t('approvals.filter.kind'),
        options: Object.entries(kindTexts).map(([value, text]) => ({ value, label: t(text) })),
      },
    ];
    if (view !== 'pending') {
      filters.push({
        kind: 'choice',
        name: 'status',
        label: t('approvals.column.status'),
        options: Object.entries(statusTexts)
          .filter(([value]) => view !== 'completed' || value !== 'pending')
          .map(([value, { text }]) => ({ value, label: t(text) })),
      });
    }
    return [
      ...filters,
      { kind: 'dates', from: 'from', to: 'to', label: t('approvals.filter.time') },
      { kind: 'text', name: 'amountMin', label: t('approvals.filter.amountMin'), inputMode: 'decimal' },
      { kind: 'text', name: 'amountMax', label: t('approvals.filter.amountMax'), inputMode: 'decimal' },
    ];
  }, [t, view]);
}

function pageOf(view: ApprovalView, list: ListState<FilterName>): TaskQuery {
  return {
    ...queryOf(view, list.filters, instantsOf),
    ...(list.sort?.by === 'time' && { order: list.sort.order }),
    size: `${list.size}` as NonNullable<TaskQuery['size']>,
    ...(list.cursor !== null && { cursor: list.cursor }),
  };
}
