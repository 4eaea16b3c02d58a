import { cancelExchange, listLimitOrders } from 'virtual:calls/exchange';
import { addStandingOrder, listStandingOrders, stopStandingOrder } from 'virtual:calls/standing-orders';
import { listTransactions } from 'virtual:calls/transactions';
import { listWallets } from 'virtual:calls/wallets';
import { invalidateOn, pricesRefresh_ms } from '../../lib/live.ts';
import { useCall, useMutationCall } from '../../lib/queries.ts';

invalidateOn(['transaction'], [listLimitOrders]);
invalidateOn(['standing', 'transaction'], [listStandingOrders]);

export function useLimitOrders() {
  return useCall(listLimitOrders, {}, { refetchInterval_ms: pricesRefresh_ms });
}

export function useCancelLimitOrder(onSuccess: () => void) {
  return useMutationCall(cancelExchange, {
    invalidates: [listLimitOrders, listTransactions, listWallets],
    onSuccess,
  });
}

export function useStandingOrders() {
  return useCall(listStandingOrders, {});
}

/** Its failures are the form's to say. */
export function useAddStanding() {
  return useMutationCall(addStandingOrder, { invalidates: [listStandingOrders] });
}

export function useStopStanding(onSuccess: () => void) {
  return useMutationCall(stopStandingOrder, { invalidates: [listStandingOrders], onSuccess });
}
