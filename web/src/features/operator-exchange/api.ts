import { listCompanies } from 'virtual:calls/operator-companies';
import {
  changeExchangeLimit,
  getExchangePosition,
  getHedgeOrder,
  listExchangeTerms,
  proposeExchangeTerms,
  withdrawExchangeTerms,
} from 'virtual:calls/operator-exchange';
import type { Output } from '@causeway/contract/call.ts';
import type * as calls from '@causeway/contract/operator-exchange.ts';
import { useCall, useMutationCall } from '../../lib/queries.ts';
import { refresh_ms } from '../operator/index.ts';

export type Desk = Output<typeof calls.getExchangePosition>;
export type Position = Desk['positions'][number];
export type Day = Desk['days'][number];
export type Venue = Desk['venues'][number];
export type Hedge = Output<typeof calls.getHedgeOrder>;
export type Terms = Output<typeof calls.listExchangeTerms>['items'][number];

const often = { quiet: true, refetchInterval_ms: refresh_ms } as const;

export function useDesk() {
  return useCall(getExchangePosition, {}, often);
}

export function useHedge(id: string) {
  return useCall(getHedgeOrder, { params: { id } }, often);
}

export function useTerms(id: string) {
  return useCall(listExchangeTerms, { query: { id } }, { quiet: true });
}

/** Companies whose name has the keyword. */
export function useCompanies(keyword: string) {
  return useCall(listCompanies, { query: { keyword, size: '20' } }, { quiet: true });
}

export function useChangeLimit() {
  return useMutationCall(changeExchangeLimit, { invalidates: [getExchangePosition] });
}

export function useProposeTerms() {
  return useMutationCall(proposeExchangeTerms, { invalidates: [listExchangeTerms] });
}

export function useWithdrawTerms() {
  return useMutationCall(withdrawExchangeTerms, { invalidates: [listExchangeTerms] });
}
