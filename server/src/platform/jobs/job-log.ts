import { Logger } from 'graphile-worker';
import type { Log } from '../process/log.ts';

/**
 * Graphile Worker's own messages in our log: warnings and errors, the rest only when debugging. Its messages carry whole
 * jobs and driver errors; of these only what names the job and the failure is written, never a payload.
 */
export function jobLogger(log: Log): Logger {
  return new Logger((scope) => (level, message, meta) => {
    // `runJob` has logged the failure of a job already, with the company it belongs to.
    if (meta !== undefined && meta['failure'] === true) return;
    const entry = { scope: scope.label, ...harmless(meta) };
    if (level === 'error') log.error(entry, firstLine(message));
    else if (level === 'warning') log.warn(entry, firstLine(message));
    else log.debug(entry, firstLine(message));
  });
}

function harmless(meta: Readonly<Record<string, unknown>> | undefined): Record<string, unknown> {
  if (meta === undefined) return {};
  const error = meta['error'] ?? meta['fatalError'];
  return {
    ...(error === undefined ? {} : { reason: reasonOf(error) }),
    ...(isJob(meta['job']) ? { job: meta['job'].task_identifier, jobId: meta['job'].id } : {}),
  };
}

/** An error's name, code and first line: PostgreSQL's `detail` would show the row, and with it the payload. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  const code = 'code' in error && typeof error.code === 'string' ? ` ${error.code}` : '';
  return `${error.name}${code}: ${firstLine(error.message)}`;
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? '';
}

function isJob(value: unknown): value is { id: string; task_identifier: string } {
  return typeof value === 'object' && value !== null && 'id' in value && 'task_identifier' in value;
}
