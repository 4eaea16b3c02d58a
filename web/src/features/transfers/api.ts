import { deleteCategory, getTransaction, listCategories, listTransactions } from 'virtual:calls/transactions';
import { cancelTransfer, transferOut } from 'virtual:calls/transfers';
import { getFee, getHistory, getOverview, getStatement, listWallets } from 'virtual:calls/wallets';
import { useCall, useMutationCall } from '../../lib/queries.ts';

const moved = [listTransactions, getTransaction, listWallets, getOverview, getHistory, getStatement];

/** The fee of sending `amount` of a coin on a chain; without an amount the current fee. */
export function useWithdrawFee(coin: string, chain: string, amount: string) {
  return useCall(
    getFee,
    { query: { feeType: 'crypto_withdraw_fee', asset: coin, chain, ...(amount !== '' && { amount }) } },
    { enabled: coin !== '' && chain !== '', quiet: true },
  );
}

export function useDeleteCategory() {
  return useMutationCall(deleteCategory, { invalidates: [listCategories] });
}

/** Its failures are the form's to say: some in a field, some beside the summary, the others as a toast. */
export function useTransferOut() {
  return useMutationCall(transferOut, { invalidates: [...moved, getFee, listCategories], quiet: true });
}

/** `onSuccess` is called even when the button has gone: a live event may remove it before the response. */
export function useCancelTransfer(onSuccess: () => void) {
  return useMutationCall(cancelTransfer, { invalidates: moved, onSuccess });
}
