import type { Database } from '../../../platform/database/database.ts';
import { type Loop, startLoop } from '../../../platform/jobs/loop.ts';
import type { Log } from '../../../platform/process/log.ts';
import { bookDue } from './store.ts';

/**
 * Puts executed exchanges into the platform's position (docs/adr/0083-…). What is to be booked is a row of `exchange_due`, written by the commit that
 * executes an exchange; limits count it from then on, so that booking later changes nothing but where it is summed.
 */

const everyMs = 1000;
const pageSize = 500;

/** Books until stopped; of several workers, one. */
export function startPositionBooking(database: Database, log: Log): Loop {
  return startLoop({
    name: 'exchange.book',
    everyMs,
    log,
    alone: { database, lock: 'exchange.book' },
    async step(signal) {
      while (!signal.aborted && (await bookOnce(database)) === pageSize);
    },
  });
}

/** Books one page of what is due; returns how many exchanges. */
export function bookOnce(database: Database): Promise<number> {
  return database.withoutCompany((tx) => bookDue(tx, pageSize));
}
