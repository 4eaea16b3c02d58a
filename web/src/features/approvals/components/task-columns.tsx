import type { ApprovalTask } from '@causeway/contract/approvals.ts';
import type { ApprovalView } from '@causeway/contract/approvals-rules.ts';
import type { Translate } from '../../../lib/locale.tsx';
import { Address } from '../../../ui/address.tsx';
import type { Column } from '../../../ui/data-table.tsx';
import { Money } from '../../../ui/money.tsx';
import { Time } from '../../../ui/time.tsx';
import { TaskStatus } from './task-status.tsx';

/** Decimals shown in the list; what is beyond them is there on hover and in the detail. */
const listDecimals = 8;

/** The id of the sortable column is the name that the call sorts by. */
export function taskColumns(t: Translate, view: ApprovalView): Column<ApprovalTask>[] {
  const columns: Column<ApprovalTask>[] = [
    {
      id: 'name',
      header: t('approvals.column.name'),
      card: 'title',
      cell: (task) => (
        <span className="inline-flex max-w-64 flex-col">
          <span className="font-medium break-words">{task.name}</span>
          {task.payee && (
            <span className="text-12 font-normal text-faint">
              <Address value={task.payee.account} short copyable={false} />
            </span>
          )}
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

/** What is applied for, with its value when it was submitted; a change of rules has none. */
export function TaskAmount({ task, size }: { task: ApprovalTask; size?: 'hero' }) {
  if (task.amount === null || task.coin === null) return <span className="text-faint">–</span>;
  return (
    <Money
      amount={task.amount}
      coin={task.coin}
      align={size ? 'left' : 'right'}
      {...(size ? { size } : { atMost: listDecimals })}
      {...(task.valueUsd !== null && { fiat: { amount: task.valueUsd, coin: 'USD' } })}
    />
  );
}
