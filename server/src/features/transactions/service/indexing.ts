import type { Database } from '../../../platform/database/database.ts';
import { type Loop, startLoop } from '../../../platform/jobs/loop.ts';
import type { Log } from '../../../platform/process/log.ts';
import { indexTexts } from '../store/search.ts';

const batch = 500;
const pauseMs = 2000;

/**
 * Takes the texts of new transactions into the search's index until stopped: too expensive for the moment in which a member
 * waits for a transfer. What is not in it yet is found all the same, by reading. Several workers may.
 */
export function startIndexing(database: Database, log: Log): Loop {
  return startLoop({
    name: 'transfers.index',
    everyMs: pauseMs,
    log,
    step: async () => ((await database.withoutCompany((tx) => indexTexts(tx, batch))) < batch ? pauseMs : 0),
  });
}
