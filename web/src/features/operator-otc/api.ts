import {
  changeOtcMinimum,
  declineDeskRequest,
  getDeskRequest,
  listDeskRequests,
  noteDeskRequest,
  priceDeskRequest,
  quoteDeskRequest,
} from 'virtual:calls/operator-otc';
import type { Output } from '@causeway/contract/call.ts';
import type * as calls from '@causeway/contract/operator-otc.ts';
import { useCall, useMutationCall } from '../../lib/queries.ts';

export type Request = Output<typeof calls.getDeskRequest>;
export type Price = Output<typeof calls.priceDeskRequest>;

/** Requests are answered in minutes: they are read again more often than the rest of the console. */
export const again_ms = 5_000;
const often = { quiet: true, refetchInterval_ms: again_ms } as const;
const written = [getDeskRequest, listDeskRequests];

export function useRequest(id: string) {
  return useCall(getDeskRequest, { params: { id } }, { ...often, staleTime_ms: 0 });
}

/** What a rate comes to now; nothing is asked while there is none. */
export function usePrice(id: string, rate: string) {
  return useCall(
    priceDeskRequest,
    { params: { id }, query: { rate } },
    { ...often, enabled: rate !== '', keepPrevious: true, staleTime_ms: 0 },
  );
}

export function useMinimum() {
  return useCall(listDeskRequests, { query: { size: '10' } }, { quiet: true });
}

export function useQuote() {
  return useMutationCall(quoteDeskRequest, { invalidates: written });
}

export function useDecline() {
  return useMutationCall(declineDeskRequest, { invalidates: written });
}

export function useNote() {
  return useMutationCall(noteDeskRequest, { invalidates: written });
}

export function useChangeMinimum() {
  return useMutationCall(changeOtcMinimum, { invalidates: [listDeskRequests] });
}
