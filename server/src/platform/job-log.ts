import { Logger } from 'graphile-worker';
import type { Log } from './log.ts';

/** Graphile Worker's own messages in our log: warnings and errors, the rest only when debugging. */
export function jobLogger(log: Log): Logger {
  return new Logger((scope) => (level, message, meta) => {
    const entry = { scope: scope.label, ...meta };
    if (level === 'error') log.error(entry, message);
    else if (level === 'warning') log.warn(entry, message);
    else log.debug(entry, message);
  });
}
