import type { Log } from './log.ts';

const patienceMs = 20_000;

/**
 * Ends the process in order at SIGTERM or SIGINT: what was started last stops first. A second signal, or an end that
 * takes longer than 20 seconds, is immediate.
 */
export function shutDownWith(log: Log, stops: readonly (() => Promise<unknown>)[]): void {
  let ending = false;
  const end = async (signal: string) => {
    if (ending) process.exit(1);
    ending = true;
    log.info({ signal }, 'shutting down');
    setTimeout(() => process.exit(1), patienceMs).unref();
    for (const stop of stops) {
      await stop().catch((error: unknown) => log.error({ err: error }, 'something would not stop'));
    }
    process.exit(0);
  };
  process.on('SIGTERM', end);
  process.on('SIGINT', end);
}
