import { getApproval, listApprovals } from 'virtual:calls/approvals';
import {
  cancelBatch,
  checkBatch,
  getBatchRun,
  listBatchRunRows,
  listBatchRuns,
  sendBatchAgain,
  submitBatch,
} from 'virtual:calls/batch-runs';
import { listTransactions } from 'virtual:calls/transactions';
import { listWallets } from 'virtual:calls/wallets';
import type { BatchRowState } from '@causeway/contract/batch-runs-rules.ts';
import { invalidateOn } from '../../lib/live.ts';
import { useCall, useMutationCall } from '../../lib/queries.ts';

const followed = [getBatchRun, listBatchRunRows, listBatchRuns];

invalidateOn(['batch', 'transaction', 'approval'], followed);
// What is paid meanwhile, or a payee that can be paid by now, changes what the batch would meet.
invalidateOn(['batch', 'balance', 'payee'], [checkBatch]);

const touched = [...followed, checkBatch, listTransactions, listWallets, listApprovals, getApproval];

export function useCheck(id: string) {
  return useCall(checkBatch, { params: { id } }, { quiet: true, keepPrevious: true });
}

/** Their failures are the form's to say. */
export function useSubmitRun(isFirst: boolean) {
  const submit = useMutationCall(submitBatch, { invalidates: touched, quiet: true });
  const again = useMutationCall(sendBatchAgain, { invalidates: touched, quiet: true });
  return isFirst ? submit : again;
}

export function useRuns(id: string) {
  return useCall(listBatchRuns, { params: { id } }, { keepPrevious: true });
}

export function useRun(id: string) {
  return useCall(getBatchRun, { params: { id } }, { quiet: true, keepPrevious: true });
}

export interface RowsQuery {
  state?: BatchRowState;
  sort?: 'position' | 'remarkable';
  size?: '10' | '20' | '50' | '100';
  cursor?: string;
}

export function useRunRows(id: string, query: RowsQuery) {
  return useCall(listBatchRunRows, { params: { id }, query }, { keepPrevious: true });
}

export function useCancelRun(onSuccess: () => void) {
  return useMutationCall(cancelBatch, { invalidates: touched, onSuccess });
}
