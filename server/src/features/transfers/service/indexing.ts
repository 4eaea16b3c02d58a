import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '../../../platform/database.ts';
import type { Log } from '../../../platform/log.ts';
import { indexTexts } from '../store/search.ts';

const batch = 500;
const pauseMs = 2000;

/**
 * Takes the texts of new transactions into the search's index until stopped: too dear for the moment in which somebody
 * waits for a transfer. What is not in it yet is found all the same, by reading. Several workers may.
 */
export function startIndexing(database: Database, log: Log): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const running = (async () => {
    while (!stopping.signal.aborted) {
      const indexed = await database
        .withoutCompany((tx) => indexTexts(tx, batch))
        .catch((error: unknown) => {
          log.warn({ err: error }, 'texts could not be indexed; trying again');
          return 0;
        });
      if (indexed < batch) await delay(pauseMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  })();
  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
