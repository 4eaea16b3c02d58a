import type { ApprovalTask } from '@causeway/contract/approvals.ts';
import { Money } from '../../../ui/money.tsx';

/** Decimals shown in the list; what is beyond them is there on hover and in the detail. */
const listDecimals = 8;

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
