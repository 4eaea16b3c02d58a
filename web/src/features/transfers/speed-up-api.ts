import { getTransaction, listTransactions } from 'virtual:calls/transactions';
import { quoteSpeedUp, speedUpTransfer } from 'virtual:calls/transfers';
import { getOverview, getStatement, listWallets } from 'virtual:calls/wallets';
import { invalidateOn } from '../../lib/live.ts';
import { invalidateCall, useCall, useMutationCall } from '../../lib/queries.ts';

// Apart from `api.ts`: only transfers whose network fee was a choice ask for these.
invalidateOn(['transaction'], [quoteSpeedUp]);

/** How often the worker may publish other rates. */
const ratesHold_ms = 30_000;

export function useSpeedUpOffer(id: string, enabled: boolean) {
  return useCall(quoteSpeedUp, { query: { id } }, { enabled, quiet: true, refetchInterval_ms: ratesHold_ms });
}

/** An offer that was refused is another by now, or none: it is asked for again. */
export function useSpeedUp(onSuccess: () => void) {
  const moved = [quoteSpeedUp, listTransactions, getTransaction, listWallets, getOverview, getStatement];
  return useMutationCall(speedUpTransfer, {
    invalidates: moved,
    onSuccess,
    onError: () => void invalidateCall(quoteSpeedUp),
  });
}
