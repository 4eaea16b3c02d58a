import { exportAudit, getAuditEvent, getAuditKey, listAudit, listAuditFilters } from 'virtual:calls/audit';
import { useEffect } from 'react';
import { download, type Input } from '../../lib/client.ts';
import type { ContractOf } from '../../lib/light-call.ts';
import { useCall } from '../../lib/queries.ts';

export type AuditQuery = NonNullable<Input<ContractOf<typeof listAudit>>['query']>;
export type ExportQuery = Input<ContractOf<typeof exportAudit>>['query'];

/** An event is sealed within a second: what is shown unsealed is asked for again after this time, in milliseconds. */
const sealing_ms = 1500;

/** One page of the audit log; what is shown stays while the next page is on its way. */
export function useAudit(query: AuditQuery) {
  const audit = useCall(listAudit, { query }, { quiet: true, keepPrevious: true });
  useAgainWhile(audit.data?.items.some(({ seal }) => seal === null) ?? false, audit);
  return audit;
}

export function useAuditEvent(id: string) {
  const event = useCall(getAuditEvent, { params: { id } }, { quiet: true });
  useAgainWhile(event.data !== undefined && event.data.seal === null, event);
  return event;
}

/** What the log can be filtered by; the list works without it. */
export function useAuditFilters() {
  return useCall(listAuditFilters, {}, { quiet: true, staleTime_ms: 300_000 }).data;
}

/** The keys that checkpoints are signed with, the newest first. */
export function useAuditKeys() {
  return useCall(getAuditKey, {}, { quiet: true }).data?.keys;
}

function useAgainWhile(
  waiting: boolean,
  { refetch, dataUpdatedAt }: Pick<ReturnType<typeof useCall>, 'refetch' | 'dataUpdatedAt'>,
) {
  // Each answer starts the next wait.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the time of the last answer is what makes it run again
  useEffect(() => {
    if (!waiting) return undefined;
    const timer = setTimeout(() => void refetch(), sealing_ms);
    return () => clearTimeout(timer);
  }, [waiting, refetch, dataUpdatedAt]);
}

export interface Progress {
  /** Records that have come; null before the first. */
  done: number | null;
  /** How many there will be; null when the server does not know. */
  total: number | null;
}

const lineFeed = 10;
const carriageReturn = 13;

/**
 * Saves the log as a file and tells how far it is. A record ends with a line feed; in CSV, whose cells may hold line feeds
 * of their own, with a carriage return before it.
 */
export function downloadAudit(
  query: ExportQuery,
  onProgress: (progress: Progress) => void,
  signal: AbortSignal,
): Promise<void> {
  let ends = 0;
  let last = 0;
  const onChunk = (chunk: Uint8Array, headers: Headers) => {
    for (const byte of chunk) {
      if (byte === lineFeed && (query.format === 'jsonl' || last === carriageReturn)) ends += 1;
      last = byte;
    }
    const total = Number(headers.get('x-total-rows') ?? Number.NaN);
    // The first line is the heading.
    const done = Math.max(0, ends - 1);
    onProgress(Number.isNaN(total) ? { done, total: null } : { done: Math.min(done, total), total });
  };
  return download(exportAudit, { query }, `audit-log.${query.format}`, { signal, onChunk });
}
