import { listApprovals } from 'virtual:calls/approvals';
import { approvalKinds } from '@causeway/contract/approval-kinds.ts';
import type { ApprovalTask } from '@causeway/contract/approvals.ts';
import type { ApprovalView } from '@causeway/contract/approvals-rules.ts';
import type { Translate } from '../../../lib/locale.tsx';
import type { Column } from '../../../ui/data-table.tsx';
import { defineList, type ListFilter } from '../../../ui/list-view.tsx';
import { Time } from '../../../ui/time.tsx';
import { Account } from '../../transactions/index.ts';
import { TaskAmount } from '../components/task-amount.tsx';
import { TaskMarks } from '../components/task-marks.tsx';
import { TaskStatus } from '../components/task-status.tsx';
import { isAtBank, statusTexts } from '../words.ts';

const addresses: Record<ApprovalView, string> = {
  initiated: '/app/i-initiated-approval',
  pending: '/app/pending-approval',
  completed: '/app/approved',
  all: '/app/approval',
};

const kindTexts = Object.fromEntries(approvalKinds.map((kind) => [kind, `approvals.kind.${kind}`]));

/** The approval lists. */
export const taskLists = {
  initiated: listOf('initiated'),
  pending: listOf('pending'),
  completed: listOf('completed'),
  all: listOf('all'),
};

function listOf(view: ApprovalView) {
  return defineList({
    call: listApprovals,
    label: `approvals.list.${view}`,
    name: `approvals-${view}`,
    filters: [
      { kind: 'search', name: 'keyword', label: 'approvals.search' },
      { kind: 'choice', name: 'kind', label: 'approvals.filter.kind', options: kindTexts },
      ...statusFilter(view),
      { kind: 'dates', label: 'approvals.filter.time' },
      { kind: 'amount', name: 'amountMin', label: 'approvals.filter.amountMin' },
      { kind: 'amount', name: 'amountMax', label: 'approvals.filter.amountMax' },
    ],
    columns: ({ t }) => columnsOf(t, view),
    order: { by: 'time', order: 'desc' },
    rowId: (task) => task.id,
    href: (task) => `${addresses[view]}/${task.id}`,
    empty: { icon: 'approval', title: `approvals.empty.${view}`, text: `approvals.emptyText.${view}` },
  });
}

/** What waits has one status, what is completed has the others. */
function statusFilter(view: ApprovalView): ListFilter[] {
  if (view === 'pending') return [];
  const statuses = Object.entries(statusTexts).filter(([status]) => view !== 'completed' || status !== 'pending');
  const options = Object.fromEntries(statuses.map(([status, { text }]) => [status, text]));
  return [{ kind: 'choice', name: 'status', label: 'approvals.column.status', options }];
}

/** The id of the sortable column is the name of its order. */
function columnsOf(t: Translate, view: ApprovalView): Column<ApprovalTask>[] {
  const columns: Column<ApprovalTask>[] = [
    {
      id: 'name',
      header: t('approvals.column.name'),
      card: 'title',
      cell: (task) => (
        <span className="inline-flex max-w-64 flex-col">
          <span className="font-medium break-words">{task.name}</span>
          {task.party && (
            <span className="text-12 font-normal text-faint">
              <Account value={task.party.account} atBank={isAtBank(task.kind)} />
            </span>
          )}
          <TaskMarks task={task} />
        </span>
      ),
    },
    {
      id: 'amount',
      header: t('approvals.column.amount'),
      align: 'right',
      card: 'figure',
      cell: (task) => <TaskAmount task={task} />,
    },
    {
      id: 'status',
      header: t('approvals.column.status'),
      skeleton: 'w-32',
      cell: (task) => (
        <div className="md:min-w-44">
          <TaskStatus task={task} />
        </div>
      ),
    },
    {
      id: 'initiator',
      header: t('approvals.column.initiator'),
      card: 'meta',
      skeleton: 'w-24',
      hideable: true,
      cell: (task) => (
        <span className="inline-flex flex-col">
          <span>{task.initiator.name}</span>
          {task.department !== null && <span className="text-12 text-faint">{task.department}</span>}
        </span>
      ),
    },
    {
      id: 'time',
      header: t('approvals.column.started'),
      card: 'meta',
      sort: 'server',
      skeleton: 'w-36',
      cell: (task) => <Time at={task.startedAt} />,
    },
  ];
  const last: Column<ApprovalTask> =
    view === 'pending'
      ? {
          id: 'expires',
          header: t('approvals.column.expires'),
          skeleton: 'w-36',
          hideable: true,
          cell: (task) => <Time at={task.expiresAt} />,
        }
      : {
          id: 'finished',
          header: t('approvals.column.finished'),
          skeleton: 'w-36',
          hideable: true,
          cell: (task) =>
            task.finishedAt === null ? <span className="text-faint">–</span> : <Time at={task.finishedAt} />,
        };
  return [...columns, last];
}
