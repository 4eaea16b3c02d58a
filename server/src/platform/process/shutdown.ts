import { setTimeout as delay } from 'node:timers/promises';
import type { Health } from './health.ts';
import type { Log } from './log.ts';

const patienceMs = 20_000;

export interface Drain {
  health: Health;
  /** How long `/readyz` is 503 before anything stops: as long as the proxy needs to notice. */
  drainMs: number;
}

/**
 * Ends the process in order at SIGTERM or SIGINT: it says on `/readyz` that it is about to end, waits until the proxy has
 * noticed, and stops what was started, the last first. A second signal, or an end that takes 20 seconds longer than the
 * wait, is immediate.
 */
export function shutDownWith(log: Log, drain: Drain, stops: readonly (() => Promise<unknown>)[]): void {
  let ending = false;
  const end = async (signal: string) => {
    if (ending) process.exit(1);
    ending = true;
    log.info({ signal }, 'shutting down');
    drain.health.drain();
    setTimeout(() => process.exit(1), drain.drainMs + patienceMs).unref();
    await delay(drain.drainMs);
    for (const stop of stops) {
      await stop().catch((error: unknown) => log.error({ err: error }, 'something would not stop'));
    }
    process.exit(0);
  };
  process.on('SIGTERM', end);
  process.on('SIGINT', end);
}
