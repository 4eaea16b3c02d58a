import { listTransactions } from 'virtual:calls/transactions';
import { getHistory, getOverview } from 'virtual:calls/wallets';
import { invalidateOn } from '../../lib/live.ts';
import { useCall } from '../../lib/queries.ts';

invalidateOn(['balance', 'rate'], [getOverview]);
invalidateOn(['balance'], [getHistory]);
invalidateOn(['transaction'], [listTransactions]);

/** Total, available, in transfer, arriving. */
export function useOverview() {
  return useCall(getOverview, {}, { quiet: true });
}

/** The total at the end of each of the last 30 days. */
export function useHistory() {
  return useCall(getHistory, {}, { quiet: true });
}

export function useRecentTransactions() {
  return useCall(listTransactions, { query: { size: '10' } }, { quiet: true });
}
