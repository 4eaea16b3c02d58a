import { setTimeout as delay } from 'node:timers/promises';
import { Counter, Gauge } from 'prom-client';
import type { Database } from '../database/database.ts';
import { type SessionLock, takeSessionLock } from '../database/session-lock.ts';
import type { Log } from '../process/log.ts';
import { registry } from '../process/metrics.ts';

/**
 * The one implementation of work that repeats in a process. What runs at times of the clock, once for all workers, is a `CronJob`
 * (`cron.ts`); a loop is for what repeats faster than a minute, holds something open, or runs in every process.
 */

// biome-ignore lint/suspicious/noConfusingVoidType: most steps return nothing
type Pause = number | void;

export interface LoopOptions {
  /** `<feature>.<verb>`, with a chain after a colon where there is one loop for each: in metrics and logs. */
  name: string;
  /** Pause between the end of a step and the next, in milliseconds. */
  everyMs: number;
  /**
   * One round. Returns nothing, or the pause before the next in milliseconds (0: at once). `signal` aborts when the loop stops: a long
   * step ends early, a short one need not look at it.
   */
  step(signal: AbortSignal): Promise<Pause> | Pause;
  log: Log;
  /** Pause after a step that failed; doubles from failure to failure up to `mostMs`. Default: `everyMs`, at least 1 s, up to 5 s. */
  retry?: { firstMs: number; mostMs: number };
  /** Only one process at a time runs the loop: the one that holds the session lock of this name. */
  alone?: { database: Database; lock: string };
  /** When the first step runs; default `now`. */
  first?: 'now' | 'after a pause';
  /** Whether the loop alone keeps the process running; default true. */
  keepsProcess?: boolean;
}

export interface Loop {
  /** Runs the next step now, or at once after the running one. */
  wake(): void;
  /** Runs no further step; resolves when the running one has ended. */
  stop(): Promise<void>;
}

const leastRetryMs = 1000;
const mostRetryMs = 5000;

const lastDone = new Gauge({
  name: 'causeway_loop_last_done_seconds',
  help: 'When the loop last finished a step without an error, as Unix time',
  labelNames: ['loop'],
  registers: [registry],
});
const failures = new Counter({
  name: 'causeway_loop_failures_total',
  help: 'Steps that ended with an error',
  labelNames: ['loop'],
  registers: [registry],
});

/** Repeats `step` until stopped: never two at once; an error is logged and the step is tried again. */
export function startLoop(options: LoopOptions): Loop {
  const pauses = new Pauses(options.keepsProcess ?? true);
  const running = options.alone ? runAlone(options, options.alone, pauses) : runSteps(options, pauses);
  return {
    wake: () => pauses.wake(),
    async stop() {
      pauses.end();
      await running;
    },
  };
}

/** Stops loops of one owner together. */
export async function stopAll(loops: readonly Pick<Loop, 'stop'>[]): Promise<void> {
  await Promise.all(loops.map((loop) => loop.stop()));
}

/** Steps while the loop is not stopped and `goesOn`. */
async function runSteps(
  { name, everyMs, step, log, retry, first }: LoopOptions,
  pauses: Pauses,
  goesOn: () => Promise<boolean> = async () => true,
): Promise<void> {
  const { firstMs, mostMs } = retry ?? {
    firstMs: Math.max(everyMs, leastRetryMs),
    mostMs: Math.max(everyMs, mostRetryMs),
  };
  let failed = 0;
  if (first === 'after a pause') await pauses.wait(everyMs);
  while (!pauses.signal.aborted && (await goesOn())) {
    let pauseMs = everyMs;
    try {
      pauseMs = (await step(pauses.signal)) ?? everyMs;
      failed = 0;
      lastDone.set({ loop: name }, Date.now() / 1000);
    } catch (error) {
      pauseMs = Math.min(firstMs * 2 ** failed, mostMs);
      failed += 1;
      failures.inc({ loop: name });
      if (!pauses.signal.aborted)
        log.warn({ err: error, loop: name, failed, pauseMs }, 'a loop failed; it tries again');
    }
    await pauses.wait(pauseMs);
  }
}

async function runAlone(
  options: LoopOptions,
  { database, lock }: { database: Database; lock: string },
  pauses: Pauses,
) {
  const againMs = Math.max(options.everyMs, leastRetryMs);
  while (!pauses.signal.aborted) {
    const held: SessionLock | null = await takeSessionLock(database, lock).catch(() => null);
    if (!held) {
      await pauses.wait(againMs);
      continue;
    }
    try {
      await runSteps(options, pauses, () => held.isHeld());
    } finally {
      await held.release();
    }
  }
}

/** The pauses of one loop, which a wake-up cuts short and the end for good. */
class Pauses {
  readonly #end = new AbortController();
  readonly #keepsProcess: boolean;
  #pause = new AbortController();
  #isWoken = false;

  constructor(keepsProcess: boolean) {
    this.#keepsProcess = keepsProcess;
  }

  get signal(): AbortSignal {
    return this.#end.signal;
  }

  /** A wake-up during a step leaves out the pause after it. */
  async wait(ms: number): Promise<void> {
    if (this.signal.aborted) return;
    if (!this.#isWoken) {
      this.#pause = new AbortController();
      await delay(ms, undefined, { signal: this.#pause.signal, ref: this.#keepsProcess }).catch(() => undefined);
    }
    this.#isWoken = false;
  }

  wake(): void {
    this.#isWoken = true;
    this.#pause.abort();
  }

  end(): void {
    this.#end.abort();
    this.#pause.abort();
  }
}
