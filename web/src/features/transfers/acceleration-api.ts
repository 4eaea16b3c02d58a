import { getTransaction, listTransactions } from 'virtual:calls/transactions';
import { accelerateDeposit, quoteAcceleration } from 'virtual:calls/transfers';
import { getOverview, getStatement, listWallets } from 'virtual:calls/wallets';
import { invalidateOn } from '../../lib/live.ts';
import { invalidateCall, useCall, useMutationCall } from '../../lib/queries.ts';

// Apart from `api.ts`: only deposits that wait for a block ask for these.
invalidateOn(['transaction'], [quoteAcceleration]);

/** How often the worker may publish other rates. */
const ratesHold_ms = 30_000;

export function useAccelerationQuote(depositId: string, enabled: boolean) {
  const options = { enabled, quiet: true, refetchInterval_ms: ratesHold_ms };
  return useCall(quoteAcceleration, { query: { depositId } }, options);
}

/** A quote that was refused is another by now, or none: it is asked for again. */
export function useAcceleration(onSuccess: () => void) {
  const moved = [quoteAcceleration, listTransactions, getTransaction, listWallets, getOverview, getStatement];
  return useMutationCall(accelerateDeposit, {
    invalidates: moved,
    onSuccess,
    onError: () => void invalidateCall(quoteAcceleration),
  });
}
