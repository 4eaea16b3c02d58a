import type { PlatformTx, Tx } from '../database/database.ts';
import type { CronContext } from './cron.ts';

/** Work that the job of an event does, looked for in the state and done where no job has: it failed at every try, or was discarded (docs/adr/0115-…). */
export interface Sweep {
  /** The companies that have anything of the kind; asked outside of any company. */
  companies(tx: PlatformTx): Promise<string[]>;
  /** Transactions that reached their stage so many milliseconds ago and for which something is to be done, the oldest first. */
  find(tx: Tx, bounds: { olderMs: number; most: number }): Promise<string[]>;
  /** Does it for one, in a database transaction of its own: by the function of the event's job. */
  perform(tx: Tx, transactionId: string): Promise<unknown>;
  /** For the log: it was done, it could not be done for one, a company could not be looked through. */
  words: { late: string; failed: string; unread: string };
}

/** What the event's own job has before the sweep does its work as well. */
const graceMs = 2 * 60_000;
const mostAtOnce = 200;

/** One round over all companies. What fails keeps nothing else from its turn, and is tried again in the next round. */
export async function sweepCompanies(context: CronContext, sweep: Sweep): Promise<void> {
  const { database, log, signal } = context;
  for (const companyId of await database.withoutCompany(sweep.companies)) {
    if (signal.aborted) return;
    await sweepOne(context, sweep, companyId).catch((error: unknown) =>
      log.warn({ companyId, err: error }, sweep.words.unread),
    );
  }
}

async function sweepOne({ database, log, signal }: CronContext, sweep: Sweep, companyId: string): Promise<void> {
  const ids = await database.withCompany(companyId, (tx) => sweep.find(tx, { olderMs: graceMs, most: mostAtOnce }));
  for (const transactionId of ids) {
    if (signal.aborted) return;
    const one = { companyId, transactionId };
    try {
      await database.withCompany(companyId, (tx) => sweep.perform(tx, transactionId));
      log.warn(one, sweep.words.late);
    } catch (error) {
      log.warn({ ...one, err: error }, sweep.words.failed);
    }
  }
}
