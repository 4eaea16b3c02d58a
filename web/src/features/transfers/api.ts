import { sendUserCode } from 'virtual:calls/identity';
import {
  cancelTransfer,
  exportTransactions,
  getTransaction,
  listTransactions,
  transferOut,
} from 'virtual:calls/transfers';
import { getFee, getOverview, getStatement, listWallets } from 'virtual:calls/wallets';
import { networkError } from '../../lib/api-error.ts';
import type { Input } from '../../lib/client.ts';
import type { ContractOf } from '../../lib/light-call.ts';
import { invalidateOn } from '../../lib/live.ts';
import { useCall, useMutationCall } from '../../lib/queries.ts';

invalidateOn(['transaction'], [listTransactions, getTransaction]);

const moved = [listTransactions, getTransaction, listWallets, getOverview, getStatement];

export type TransactionQuery = NonNullable<Input<ContractOf<typeof listTransactions>>['query']>;
export type ExportQuery = NonNullable<Input<ContractOf<typeof exportTransactions>>['query']>;

export function useTransactions(query: TransactionQuery) {
  return useCall(listTransactions, { query }, { quiet: true, keepPrevious: true });
}

export function useTransaction(id: string) {
  return useCall(getTransaction, { params: { id } }, { quiet: true });
}

/** The fee of sending `amount` of a coin on a chain; without an amount the fee as it stands. */
export function useWithdrawFee(coin: string, chain: string, amount: string) {
  return useCall(
    getFee,
    { query: { feeType: 'crypto_withdraw_fee', coin, chain, ...(amount !== '' && { amount }) } },
    { enabled: coin !== '' && chain !== '', quiet: true },
  );
}

export function useTransferOut() {
  return useMutationCall(transferOut, { invalidates: [...moved, getFee] });
}

export function useSendCode() {
  return useMutationCall(sendUserCode);
}

/** `onSuccess` is told even when the button has gone: a live event may take it away before the answer comes. */
export function useCancelTransfer(onSuccess: () => void) {
  return useMutationCall(cancelTransfer, { invalidates: moved, onSuccess });
}

/** The filtered list as a file; the server writes it and neutralises formulas. */
export async function downloadList(query: ExportQuery): Promise<void> {
  const { download } = await import('../../lib/download.ts').catch((cause: unknown) => {
    throw networkError(cause);
  });
  return download(exportTransactions, { query }, 'transactions.csv');
}
