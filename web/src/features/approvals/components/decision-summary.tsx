import type { ApprovalTask } from '@causeway/contract/approvals.ts';
import { useText } from '../../../lib/locale.tsx';
import { DescriptionList, type Fact } from '../../../ui/description-list.tsx';
import { Money } from '../../../ui/money.tsx';
import { Account } from '../../transactions/index.ts';
import { addAmounts } from '../sums.ts';
import { isAtBank } from '../words.ts';
import { TaskMarks } from './task-marks.tsx';

/** Who is paid how much and where: once more before a decision; of many, sums and the list of them. */
export function DecisionSummary({ tasks }: { tasks: readonly ApprovalTask[] }) {
  const t = useText();
  const [only] = tasks;
  if (tasks.length === 1 && only) return <DescriptionList framed facts={factsOf(only, t)} />;
  const sums = addAmounts(tasks);
  return (
    <div className="flex flex-col gap-3">
      <DescriptionList
        framed
        facts={[
          ...sums.coins.map(({ coin, amount, count }) => ({
            term: t('approvals.sumOf', { count }),
            value: <Money amount={amount} coin={coin} align="right" />,
          })),
          ...(sums.usd === null
            ? []
            : [{ term: t('approvals.sumValue'), value: <Money amount={sums.usd} coin="USD" align="right" /> }]),
          { term: t('approvals.sumPayees'), value: String(sums.payees) },
        ]}
      />
      <ul className="m-0 max-h-40 list-none overflow-y-auto rounded-6 border border-line p-0 text-13">
        {tasks.map((task) => (
          <li
            key={task.id}
            className="flex items-baseline justify-between gap-4 px-3 py-1.5 not-last:border-b border-line"
          >
            <span className="min-w-0">
              <span className="block truncate">{task.name}</span>
              <TaskMarks task={task} />
            </span>
            {task.amount === null && task.party !== null && (
              <Account value={task.party.account} atBank={isAtBank(task.kind)} />
            )}
            {task.amount !== null && task.coin !== null && (
              <Money amount={task.amount} coin={task.coin} align="right" />
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}

function factsOf(task: ApprovalTask, t: ReturnType<typeof useText>): Fact[] {
  const facts: (Fact | false)[] = [
    { term: t('approvals.column.name'), value: task.name },
    task.amount !== null &&
      task.coin !== null && {
        term: t('approvals.column.amount'),
        value: <Money amount={task.amount} coin={task.coin} align="right" />,
      },
    task.party !== null && { term: t('approvals.payee'), value: task.party.name },
    task.party !== null && {
      term: t(isAtBank(task.kind) ? 'approvals.accountAtBank' : 'approvals.account'),
      value: <Account value={task.party.account} atBank={isAtBank(task.kind)} whole />,
    },
    ...task.facts.map(({ label, value }) => ({ term: label, value })),
    { term: t('approvals.column.initiator'), value: task.initiator.name },
  ];
  return facts.filter((fact) => fact !== false);
}
