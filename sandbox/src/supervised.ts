import { setTimeout as delay } from 'node:timers/promises';
import type { ChildEnd } from './child.ts';

/** One run of a part, until its process ends. */
export type Run = { ended: Promise<ChildEnd>; stop(): Promise<unknown> };

export type Supervised = {
  /** One of the server's own processes: ended first, while the services that it uses still run. */
  isServer: boolean;
  /** Ends the part and does not start it again. */
  stop(): Promise<void>;
};

export type SupervisedOptions = {
  name: string;
  /** Starts the part and resolves when it is ready for use. */
  start: () => Promise<Run>;
  isServer?: boolean;
  say: (sentence: string) => void;
};

const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 10_000;
/** A part that ran this long has recovered: the next failure begins with the shortest pause again. */
const STEADY_MS = 30_000;

/** Starts a part, and starts it again, with growing pauses, whenever it ends unasked. The first start may fail. */
export async function supervise({ name, start, say, isServer = false }: SupervisedOptions): Promise<Supervised> {
  const stopping = new AbortController();
  let current: Run | undefined = await start();

  async function watch(): Promise<void> {
    let pauseMs = FIRST_PAUSE_MS;
    while (current !== undefined) {
      const since = Date.now();
      const end = await current.ended;
      if (stopping.signal.aborted) return;
      if (Date.now() - since > STEADY_MS) pauseMs = FIRST_PAUSE_MS;
      say(`The ${name} ended unexpectedly (${describe(end)}); starting it again.`);
      current = await startAgain(pauseMs);
      pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
      if (current !== undefined) say(`The ${name} is running again.`);
    }
  }

  async function startAgain(firstPauseMs: number): Promise<Run | undefined> {
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
      await delay(pauseMs, undefined, { signal: stopping.signal }).catch(() => undefined);
      if (stopping.signal.aborted) return undefined;
      try {
        const next = await start();
        if (!stopping.signal.aborted) return next;
        await next.stop();
        return undefined;
      } catch (error) {
        say(`The ${name} could not be started: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
  }

  const watching = watch();
  return {
    isServer,
    async stop() {
      stopping.abort();
      await current?.stop();
      await watching;
    },
  };
}

function describe(end: ChildEnd): string {
  return end.signal ?? `exit code ${end.code ?? 'unknown'}`;
}
