import { addRateAlert, listRateAlerts, removeRateAlert } from 'virtual:calls/alerts';
import { getRateHistory, listRates } from 'virtual:calls/rates';
import { listWallets } from 'virtual:calls/wallets';
import type { RateSpan } from '@causeway/contract/rates-rules.ts';
import { useMemo } from 'react';
import { useCall, useMutationCall } from '../../lib/queries.ts';

/** Rates are renewed every few seconds; the points of a chart every ten minutes at most. */
const ratesRefresh_ms = 15_000;
const historyRefresh_ms = 60_000;

export function useRates() {
  return useCall(listRates, {}, { quiet: true, refetchInterval_ms: ratesRefresh_ms });
}

/** The assets that the company has money in; undefined until that is known, none where it cannot be known. */
export function useHeldAssets(): ReadonlySet<string> | undefined {
  const { data, isError } = useCall(listWallets, {}, { quiet: true });
  return useMemo(() => {
    if (data === undefined) return isError ? new Set() : undefined;
    return new Set(data.items.filter(({ quantity }) => /[1-9]/.test(quantity)).map(({ asset }) => asset));
  }, [data, isError]);
}

export function useRateHistory(sell: string, buy: string, span: RateSpan) {
  return useCall(
    getRateHistory,
    { query: { sell, buy, span } },
    { quiet: true, keepPrevious: true, refetchInterval_ms: historyRefresh_ms },
  );
}

/** Those of the person signed in. */
export function useRateAlerts() {
  return useCall(listRateAlerts, {}, { quiet: true, refetchInterval_ms: historyRefresh_ms });
}

export function useAddRateAlert(onSuccess: () => void) {
  return useMutationCall(addRateAlert, { invalidates: [listRateAlerts], onSuccess });
}

export function useRemoveRateAlert() {
  return useMutationCall(removeRateAlert, { invalidates: [listRateAlerts] });
}
