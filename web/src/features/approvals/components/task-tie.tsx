import type { ApprovalContent } from '@causeway/contract/approvals.ts';
import { useText } from '../../../lib/locale.tsx';
import { usePermission } from '../../../lib/permission.ts';
import { amountLine } from '../../../ui/amount-parts.ts';
import { PlainLink } from '../../../ui/plain-link.tsx';
import { Banner } from '../../../ui/states.tsx';

type Payment = Extract<ApprovalContent, { shape: 'payment' }>;

/** That a transfer is a test before a larger amount, or the rest after one, and whether that test has arrived. */
export function TaskTie({ content: { test, restOf }, coin }: { content: Payment; coin: string | null }) {
  const t = useText();
  const seesTransactions = usePermission('transaction.view') === true;
  if (coin === null) return null;
  const line = (amount: string) => amountLine(amount, coin);
  if (test !== null) {
    return <Banner kind="notice">{t('approvals.tie.test', { rest: line(test.rest), total: line(test.total) })}</Banner>;
  }
  if (restOf === null) return null;
  const { transactionId, amount, status } = restOf;
  return (
    <Banner kind={status === 'completed' ? 'notice' : 'negative'}>
      {t(status === 'completed' ? 'approvals.tie.restArrived' : 'approvals.tie.restNotArrived', {
        amount: line(amount),
      })}
      {seesTransactions && (
        <PlainLink href={`/app/transaction/${transactionId}`} className="block text-13 text-accent">
          {t('approvals.tie.toTest')}
        </PlainLink>
      )}
    </Banner>
  );
}
