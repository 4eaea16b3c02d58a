import { cancelExchange, exchange, getExchangeOptions, quoteExchange } from 'virtual:calls/exchange';
import { getTransaction, listTransactions } from 'virtual:calls/transactions';
import { getHistory, getOverview, getStatement, listWallets } from 'virtual:calls/wallets';
import { useEffect } from 'react';
import type { ApiError } from '../../lib/api-error.ts';
import { invalidateOn, pricesRefresh_ms } from '../../lib/live.ts';
import { useCall, useMutationCall } from '../../lib/queries.ts';
import type { Intent } from './exchange-values.ts';

// A quote is firm: prices alone do not replace it before it ends.
invalidateOn(['control', 'organisation', 'balance'], [quoteExchange]);
invalidateOn(['balance'], [getExchangeOptions]);

const moved = [
  listTransactions,
  getTransaction,
  listWallets,
  getOverview,
  getHistory,
  getStatement,
  getExchangeOptions,
];

/** While there is no price, it is asked for again after this long. */
const noPriceAgain_ms = 5_000;

/** Quotes are renewed this long before they expire, so that the one on screen is still valid when the button is pressed. */
export const renewBefore_ms = 4_000;

export function useExchangeOptions() {
  return useCall(getExchangeOptions, {}, { refetchInterval_ms: pricesRefresh_ms });
}

/** A firm price for what is typed, renewed for as long as the page is looked at. */
export function useQuote(intent: Intent | null) {
  const quote = useCall(
    quoteExchange,
    { body: intent ?? ({} as Intent) },
    {
      enabled: intent !== null,
      quiet: true,
      keepPrevious: true,
      staleTime_ms: 0,
      again_ms: ({ remainingMs }) => Math.max(1_000, remainingMs - renewBefore_ms),
    },
  );
  useAskedAgain(quote);
  return quote;
}

/** While there is no price, a quote is asked for again by itself. */
export function useAskedAgain(quote: { error: ApiError | null; errorUpdatedAt: number; refetch: () => unknown }): void {
  const { error, errorUpdatedAt, refetch } = quote;
  const hasNoPrice = error?.key === 'quoteUnavailable';
  // biome-ignore lint/correctness/useExhaustiveDependencies: each failure begins a new wait
  useEffect(() => {
    if (!hasNoPrice) return;
    const timer = setTimeout(() => void refetch(), noPriceAgain_ms);
    return () => clearTimeout(timer);
  }, [hasNoPrice, errorUpdatedAt, refetch]);
}

/** Its failures are the form's to say: some in a field, the others in the dialog. */
export function useExchange() {
  return useMutationCall(exchange, { invalidates: moved, quiet: true });
}

/** `onSuccess` is called even when the button has gone: a live event may remove it before the response. */
export function useCancelExchange(onSuccess: () => void) {
  return useMutationCall(cancelExchange, { invalidates: moved, onSuccess });
}
