import { exchange, getExchangeOptions } from 'virtual:calls/exchange';
import { askOtc, counterOtc, getOtc, getOtcTerms, listOtc, noteOtc, withdrawOtc } from 'virtual:calls/otc';
import { getTransaction, listTransactions } from 'virtual:calls/transactions';
import { getHistory, getOverview, getStatement, listWallets } from 'virtual:calls/wallets';
import type { Output } from '@causeway/contract/call.ts';
import type { getOtc as getOtcCall } from '@causeway/contract/otc.ts';
import { invalidateOn } from '../../lib/live.ts';
import { useCall, useMutationCall } from '../../lib/queries.ts';

invalidateOn(['otc'], [getOtc, listOtc]);
// What risk, approvals and the balance make of a quote.
invalidateOn(['control', 'organisation', 'balance'], [getOtc]);

const requests = [getOtc, listOtc];
const moved = [...requests, listTransactions, getTransaction, listWallets, getOverview, getHistory, getStatement];

export type Request = Output<typeof getOtcCall>;

export function useRequest(id: string) {
  return useCall(getOtc, { params: { id } }, { quiet: true, staleTime_ms: 0 });
}

export function useTerms() {
  return useCall(getOtcTerms, {}, { quiet: true });
}

export function useWallets() {
  return useCall(getExchangeOptions, {});
}

/** Requests whose quote waits for the company. */
export function useQuoted() {
  return useCall(listOtc, { query: { state: 'quoted', size: '10' } }, { quiet: true });
}

/** Its refusals are the form's to say: one of them leads to another page. */
export function useAsk() {
  return useMutationCall(askOtc, { invalidates: requests, quiet: true });
}

export function useCounter() {
  return useMutationCall(counterOtc, { invalidates: requests });
}

export function useNote() {
  return useMutationCall(noteOtc, { invalidates: requests });
}

export function useWithdraw() {
  return useMutationCall(withdrawOtc, { invalidates: requests });
}

export function useAccept() {
  return useMutationCall(exchange, { invalidates: moved, quiet: true });
}
