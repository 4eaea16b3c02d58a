import { getAlerts, setAlerts, watchWallet } from 'virtual:calls/alerts';
import { listWallets } from 'virtual:calls/wallets';
import { useCall, useMutationCall } from '../../lib/queries.ts';

/** Which alerts the person signed in has chosen. */
export function useAlerts() {
  return useCall(getAlerts, {}, { quiet: true });
}

export function useSetAlerts(onSuccess: () => void) {
  return useMutationCall(setAlerts, { invalidates: [getAlerts], onSuccess });
}

/** The company's wallets, with the balances below which they alert. */
export function useWatchedWallets() {
  return useCall(listWallets, {}, { quiet: true });
}

export function useWatchWallet(onSuccess: () => void) {
  return useMutationCall(watchWallet, { invalidates: [listWallets], onSuccess });
}
