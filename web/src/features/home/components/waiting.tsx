import { TodoCard } from '../../approvals/index.ts';
import { ReceiptsMissing } from '../../cards/index.ts';
import { RequestsWaiting } from '../../collections/index.ts';
import { QuotesWaiting } from '../../otc/index.ts';
import { TradesWaiting } from '../../trades/index.ts';

/**
 * What waits: for an answer to the desk's quotes, for the company in trades, for a decision on payment requests, for receipts of cards, and for approval. One part, since
 * each that is loaded by itself costs bytes at first paint.
 */
export function Waiting() {
  return (
    <>
      <QuotesWaiting />
      <TradesWaiting />
      <RequestsWaiting />
      <ReceiptsMissing />
      <TodoCard />
    </>
  );
}
