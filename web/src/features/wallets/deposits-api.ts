import { listTransactions } from 'virtual:calls/transactions';
import { invalidateOn } from '../../lib/live.ts';
import { useCall } from '../../lib/queries.ts';

// Apart from `api.ts`, so that the wallet list does not load the calls of transfers for it.
invalidateOn(['balance', 'transaction'], [listTransactions]);

/** What came into a wallet lately, the newest first; nothing is asked until the wallet is known. */
export function useDeposits(walletId: string | undefined) {
  return useCall(
    listTransactions,
    { query: { type: 'chain_deposit', walletId: walletId ?? '', size: '10' } },
    { enabled: walletId !== undefined, quiet: true },
  );
}
