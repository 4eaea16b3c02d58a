import { useCall } from '../../lib/queries.ts';
import { useAuditSource } from './source.ts';

/** An event is sealed within a second: what is shown unsealed is asked for again after this time, in milliseconds. */
export const sealing_ms = 1500;

export function useAuditEvent(id: string) {
  return useCall(
    useAuditSource().event,
    { params: { id } },
    {
      quiet: true,
      again_ms: ({ seal }) => (seal === null ? sealing_ms : null),
    },
  );
}

/** What the log can be filtered by; the list works without it. */
export function useAuditFilters() {
  return useCall(useAuditSource().filters, {}, { quiet: true, staleTime_ms: 300_000 }).data;
}

/** The keys that checkpoints are signed with, the newest first. */
export function useAuditKeys() {
  return useCall(useAuditSource().key, {}, { quiet: true }).data?.keys;
}
