import { listOperators } from 'virtual:calls/operator';
import { listCompanies } from 'virtual:calls/operator-companies';
import {
  commentQueueItem,
  getQueueItem,
  handOverQueueItem,
  listQueue,
  reopenQueueItem,
  resolveQueueItem,
  summariseQueue,
  takeQueueItem,
} from 'virtual:calls/operator-queue';
import { useCall, useMutationCall } from '../../lib/queries.ts';
import { refresh_ms } from '../operator/index.ts';

/** What a change of an item makes stale. */
const stale = [listQueue, getQueueItem, summariseQueue];

/** Open items by kind and company, read again while it is on screen. */
export function useSummary() {
  return useCall(summariseQueue, {}, { quiet: true, refetchInterval_ms: refresh_ms });
}

export function useItem(id: string) {
  return useCall(getQueueItem, { params: { id } }, { quiet: true, refetchInterval_ms: refresh_ms });
}

/** The active colleagues, to hand an item over to. */
export function useColleagues() {
  return useCall(listOperators, { query: { state: 'active', size: '100' } }, { quiet: true });
}

/** A company by its id, for a filter that a link has set. */
export function useCompanyNamed(id: string, wanted: boolean): string | undefined {
  const read = useCall(listCompanies, { query: { keyword: id, size: '10' } }, { enabled: wanted, quiet: true });
  return read.data?.items.find((company) => company.id === id)?.name;
}

export function useTake() {
  return useMutationCall(takeQueueItem, { invalidates: stale });
}

export function useHandOver() {
  return useMutationCall(handOverQueueItem, { invalidates: stale });
}

export function useComment() {
  return useMutationCall(commentQueueItem, { invalidates: stale });
}

export function useResolve() {
  return useMutationCall(resolveQueueItem, { invalidates: stale });
}

export function useReopen() {
  return useMutationCall(reopenQueueItem, { invalidates: stale });
}
