import { RequestsWaiting } from '../../collections/index.ts';
import { QuotesWaiting } from '../../otc/index.ts';
import { TradesWaiting } from '../../trades/index.ts';

/** What waits for an answer to the desk's quotes, for the company in trades, and for a decision on payment requests. */
export function WaitingParts() {
  return (
    <>
      <QuotesWaiting />
      <TradesWaiting />
      <RequestsWaiting />
    </>
  );
}
