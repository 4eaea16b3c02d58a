import { getApproval, listApprovals } from 'virtual:calls/approvals';
import { confirmTrade, declineTrade, disputeTrade, getTrade, listTrades, releaseTrade } from 'virtual:calls/trades';
import { getTransaction, listTransactions } from 'virtual:calls/transactions';
import { foreseeReview, listNetworkFees } from 'virtual:calls/transfers';
import { getFee, getHistory, getOverview, getStatement, listWallets } from 'virtual:calls/wallets';
import { invalidateOn } from '../../lib/live.ts';
import { useCall, useMutationCall } from '../../lib/queries.ts';

const trades = [getTrade, listTrades];

// Payments to the seller, approvals and the balance change what a trade shows and what can be done with it.
invalidateOn(['trade', 'transaction', 'approval'], trades);
invalidateOn(['balance', 'payee', 'control', 'organisation'], [getTrade]);
invalidateOn(['balance'], [foreseeReview]);

const moved = [
  ...trades,
  listTransactions,
  getTransaction,
  listWallets,
  getOverview,
  getHistory,
  getStatement,
  listApprovals,
  getApproval,
];

export function useTrade(id: string) {
  return useCall(getTrade, { params: { id } }, { quiet: true, keepPrevious: true });
}

/** Trades that wait for the company as their buyer. */
export function useWaitingTrades() {
  return useCall(
    listTrades,
    { query: { side: 'buyer', actor: 'buyer', sort: 'deadline', order: 'asc', size: '10' } },
    { quiet: true },
  );
}

/** Its failures are the dialog's to say. */
export function useConfirmTrade() {
  return useMutationCall(confirmTrade, { invalidates: moved, quiet: true });
}

export function useDeclineTrade(onSuccess: () => void) {
  return useMutationCall(declineTrade, { invalidates: trades, onSuccess });
}

export function useDisputeTrade(onSuccess: () => void) {
  return useMutationCall(disputeTrade, { invalidates: trades, onSuccess });
}

/** Its failures are the dialog's to say. */
export function useReleaseTrade() {
  return useMutationCall(releaseTrade, {
    invalidates: [...moved, getFee, listNetworkFees, foreseeReview],
    quiet: true,
  });
}

/** The flat fee of a transfer; of a chain where the network fee is a choice, `plusNetworkFee`. */
export function useFlatFee(asset: string, chain: string) {
  return useCall(getFee, { query: { feeType: 'crypto_withdraw_fee', asset, chain } }, { quiet: true });
}

export function useFeeLevels(query: { walletId: string; payeeId: string; amount: string }, enabled: boolean) {
  return useCall(listNetworkFees, { query }, { quiet: true, keepPrevious: true, enabled });
}

/** What a payment to the seller would meet. */
export function useReview(query: { walletId: string; payeeId: string; amount: string }, enabled: boolean) {
  return useCall(foreseeReview, { query }, { quiet: true, keepPrevious: true, enabled });
}
