import type { exportAudit } from '@causeway/contract/audit.ts';
import type { Input } from '../../lib/client.ts';
import { download } from '../../lib/download.ts';
import type { AuditSource } from './source.ts';

type ExportQuery = Input<typeof exportAudit>['query'];

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
  source: AuditSource,
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
  return download(source.export, { query }, `audit-log.${query.format}`, { signal, onChunk });
}
