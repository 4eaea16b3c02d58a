import {
  acceptPaymentRequest,
  askRestOfPaymentRequest,
  cancelPaymentRequest,
  createPaymentRequest,
  editPaymentRequest,
  getPaymentRequest,
  getPaymentRequestOptions,
  listPaymentRequests,
  remindOfPaymentRequest,
  settlePaymentRequestByHand,
} from 'virtual:calls/payment-requests';
import { refundPaymentRequest } from 'virtual:calls/payment-requests-refund';
import { getTransaction, listTransactions } from 'virtual:calls/transactions';
import { listWallets } from 'virtual:calls/wallets';
import type { Output } from '@causeway/contract/call.ts';
import type {
  getPaymentRequest as getCall,
  getPaymentRequestOptions as optionsCall,
} from '@causeway/contract/payment-requests.ts';
import { invalidateOn } from '../../lib/live.ts';
import { useCall, useMutationCall } from '../../lib/queries.ts';

invalidateOn(['paymentRequest', 'transaction'], [getPaymentRequest, listPaymentRequests]);
invalidateOn(['organisation'], [getPaymentRequest, getPaymentRequestOptions]);

const requests = [getPaymentRequest, listPaymentRequests];

export type Request = Output<typeof getCall>;
export type Payment = Request['receipts'][number];
export type RequestOptions = Output<typeof optionsCall>;

/** Rates are of the moment: the form shows about what its request will freeze. */
const ratesAgain_ms = 60_000;

export function useRequest(id: string) {
  return useCall(getPaymentRequest, { params: { id } }, { quiet: true, staleTime_ms: 0 });
}

/** The latest that need a decision. */
export function useUndecided(enabled: boolean) {
  return useCall(listPaymentRequests, { query: { state: 'unresolved', size: '10' } }, { quiet: true, enabled });
}

export function useRequestOptions() {
  return useCall(getPaymentRequestOptions, {}, { quiet: true, refetchInterval_ms: ratesAgain_ms });
}

/** Its refusals are the form's to say. */
export function useCreate() {
  return useMutationCall(createPaymentRequest, { invalidates: requests, quiet: true });
}

export function useEdit() {
  return useMutationCall(editPaymentRequest, { invalidates: requests });
}

export function useCancel() {
  return useMutationCall(cancelPaymentRequest, { invalidates: requests });
}

export function useAccept() {
  return useMutationCall(acceptPaymentRequest, { invalidates: requests });
}

export function useAskRest() {
  return useMutationCall(askRestOfPaymentRequest, { invalidates: requests });
}

export function useSettleByHand() {
  return useMutationCall(settlePaymentRequestByHand, { invalidates: requests });
}

export function useRemind() {
  return useMutationCall(remindOfPaymentRequest, { invalidates: requests });
}

export function useRefund() {
  return useMutationCall(refundPaymentRequest, {
    invalidates: [...requests, listTransactions, getTransaction, listWallets],
    quiet: true,
  });
}
