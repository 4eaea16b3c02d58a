import {
  getHealth,
  getSupportShown,
  listFailedJobs,
  listMarketRates,
  listTables,
  retryJob,
  setJobAside,
} from 'virtual:calls/operator-health';
import type { Output } from '@causeway/contract/call.ts';
import type * as calls from '@causeway/contract/operator-health.ts';
import { useCall, useMutationCall } from '../../lib/queries.ts';
import { refresh_ms } from '../operator/index.ts';

export type Health = Output<typeof calls.getHealth>;
export type FailedJob = Output<typeof calls.listFailedJobs>['items'][number];
export type Table = Output<typeof calls.listTables>['tables'][number];

export function useHealth() {
  return useCall(getHealth, {}, { quiet: true, refetchInterval_ms: refresh_ms });
}

export function useSupportShown() {
  return useCall(getSupportShown, {}, { quiet: true });
}

export function useRates() {
  return useCall(listMarketRates, {}, { quiet: true, refetchInterval_ms: refresh_ms });
}

/** Sizes change slowly, and reading them costs the database something. */
export function useTables(wanted: boolean) {
  return useCall(listTables, {}, { quiet: true, enabled: wanted });
}

export function useRetryJob() {
  return useMutationCall(retryJob, { invalidates: [listFailedJobs, getHealth] });
}

export function useSetJobAside() {
  return useMutationCall(setJobAside, { invalidates: [listFailedJobs, getHealth] });
}
