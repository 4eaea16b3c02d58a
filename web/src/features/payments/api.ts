import { cancelPayout, createPayment, fiatTransferOut, foreseePayout } from 'virtual:calls/payments';
import { getTransaction, listCategories, listTransactions } from 'virtual:calls/transactions';
import { getHistory, getOverview, getStatement, listWallets } from 'virtual:calls/wallets';
import type { Query } from '@causeway/contract/call.ts';
import type { foreseePayout as call } from '@causeway/contract/payments.ts';
import { invalidateOn } from '../../lib/live.ts';
import { useCall, useMutationCall } from '../../lib/queries.ts';

// It changes with the rules, the policies and the lists, with payees and people, with what else is sent, and with the price.
invalidateOn(['control', 'organisation', 'transaction', 'balance', 'payee', 'rate'], [foreseePayout]);

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
