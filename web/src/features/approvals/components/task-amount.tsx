import type { ApprovalTask } from '@causeway/contract/approvals.ts';
import { Money } from '../../../ui/money.tsx';

/** Decimals shown in the list; what is beyond them is there on hover and in the detail. */
const listDecimals = 8;

/** What is applied for, with its value when it was submitted: of several assets the value alone. A change of rules has neither. */
export function TaskAmount({ task, size }: { task: ApprovalTask; size?: 'hero' }) {
  const align = size ? 'left' : 'right';
  if (task.amount === null || task.coin === null) {
    if (task.kind !== 'batch' || task.valueUsd === null) return <span className="text-faint">–</span>;
    return <Money amount={task.valueUsd} coin="USD" align={align} {...(size && { size })} />;
  }
  return (
    <Money
      amount={task.amount}
      coin={task.coin}
      align={align}
      {...(size ? { size } : { atMost: listDecimals })}
      {...(task.valueUsd !== null && { fiat: { amount: task.valueUsd, coin: 'USD' } })}
    />
  );
}
