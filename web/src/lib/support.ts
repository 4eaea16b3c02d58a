import { getSupport } from 'virtual:calls/live';
import type { Support } from '@causeway/contract/live.ts';
import { useCall } from './queries.ts';

/** Whom companies contact at the provider; undefined while that is being read. */
export function useSupport(): Support | undefined {
  return useCall(getSupport, {}, { quiet: true, staleTime_ms: Number.POSITIVE_INFINITY }).data;
}
