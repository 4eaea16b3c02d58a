import { countMissingCardReceipts } from 'virtual:calls/cards-receipts';
import { invalidateOn } from '../../lib/live.ts';
import { useCall } from '../../lib/queries.ts';

/** Apart from the other calls of cards, since the home page asks it too. */
invalidateOn(['card'], [countMissingCardReceipts]);

/** How many receipts are missing. */
export function useMissing() {
  return useCall(countMissingCardReceipts, {}, { quiet: true }).data;
}
