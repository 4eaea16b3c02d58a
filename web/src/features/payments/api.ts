import {
  cancelPayout,
  createCryptoPayment,
  createPayment,
  fiatTransferOut,
  foreseePayout,
  getCryptoPaymentOptions,
  quoteCryptoPayment,
} from 'virtual:calls/payments';
import { getTransaction, listCategories, listTransactions } from 'virtual:calls/transactions';
import { getHistory, getOverview, getStatement, listWallets } from 'virtual:calls/wallets';
import type { Body, Query } from '@causeway/contract/call.ts';
import type { foreseePayout as call, quoteCryptoPayment as quoteCall } from '@causeway/contract/payments.ts';
import { invalidateOn, pricesRefresh_ms } from '../../lib/live.ts';
import { useCall, useMutationCall } from '../../lib/queries.ts';
import { renewBefore_ms, useAskedAgain } from '../exchange/index.ts';

// It changes with the rules, the policies and the lists, with payees and people, and with what else is sent.
invalidateOn(['control', 'organisation', 'transaction', 'balance', 'payee'], [foreseePayout]);
// A quote is firm: prices alone do not replace it before it ends.
invalidateOn(['control', 'organisation', 'balance', 'payee'], [quoteCryptoPayment]);
invalidateOn(['balance', 'payee'], [getCryptoPaymentOptions]);

const moved = [listTransactions, getTransaction, listWallets, getOverview, getHistory, getStatement];

export type OutlookQuery = Query<typeof call>;

/** What a payment would be, were it submitted now; nothing is asked before payee and wallet are chosen. */
export function useOutlook(query: OutlookQuery | null) {
  return useCall(
    foreseePayout,
    { query: query ?? ({} as OutlookQuery) },
    { enabled: query !== null, quiet: true, keepPrevious: true },
  );
}

/** The coin wallets that can pay a payee, and through which bank; nothing is asked before the payee is chosen. */
export function useCoinOptions(payeeId: string | null) {
  return useCall(
    getCryptoPaymentOptions,
    { query: { payeeId: payeeId ?? '' } },
    { enabled: payeeId !== null, quiet: true, refetchInterval_ms: pricesRefresh_ms },
  );
}

export type CoinQuoteBody = Body<typeof quoteCall>;

/** A firm price of a payment out of coins, renewed for as long as the page is looked at. */
export function useCoinQuote(body: CoinQuoteBody | null) {
  const quote = useCall(
    quoteCryptoPayment,
    { body: body ?? ({} as CoinQuoteBody) },
    {
      enabled: body !== null,
      quiet: true,
      keepPrevious: true,
      staleTime_ms: 0,
      again_ms: ({ remainingMs }) => Math.max(1_000, remainingMs - renewBefore_ms),
    },
  );
  useAskedAgain(quote);
  return quote;
}

export function usePayWithCoins() {
  return useMutationCall(createCryptoPayment, { invalidates: [...moved, listCategories], quiet: true });
}

/** Their failures are the form's to say: some in a field, the others beside the button. */
export function usePay() {
  return useMutationCall(createPayment, { invalidates: [...moved, listCategories], quiet: true });
}

export function useTransferAtBank() {
  return useMutationCall(fiatTransferOut, { invalidates: [...moved, listCategories], quiet: true });
}

/** `onSuccess` is called even when the button has gone: a live event may remove it before the response. */
export function useCancelPayout(onSuccess: () => void) {
  return useMutationCall(cancelPayout, { invalidates: moved, onSuccess });
}
