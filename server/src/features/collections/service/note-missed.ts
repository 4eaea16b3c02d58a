import type { Clock } from '../../../platform/clock.ts';
import type { CronContext } from '../../../platform/jobs/cron.ts';
import { allCompaniesWithRequests, findUnnoted } from '../store/noting.ts';
import { noteTransaction } from './note.ts';

/** What the event's own job has before the sweep does its work as well. */
const graceMs = 2 * 60_000;
const mostAtOnce = 200;

/**
 * Notes deposits and refunds that no job of an event has noted: it failed at every try, or was discarded (docs/adr/0115-…). What fails keeps nothing else from
 * its turn, and is tried again in the next round.
 */
export async function noteMissed(context: CronContext, clock: Clock): Promise<void> {
  const { database, log, signal } = context;
  for (const companyId of await database.withoutCompany(allCompaniesWithRequests)) {
    if (signal.aborted) return;
    await noteMissedOf(context, clock, companyId).catch((error: unknown) =>
      log.warn({ companyId, err: error }, 'payments of requests could not be looked through'),
    );
  }
}

async function noteMissedOf({ database, log, signal }: CronContext, clock: Clock, companyId: string): Promise<void> {
  const ids = await database.withCompany(companyId, (tx) => findUnnoted(tx, { olderMs: graceMs, most: mostAtOnce }));
  for (const transactionId of ids) {
    if (signal.aborted) return;
    const payment = { companyId, transactionId };
    try {
      await database.withCompany(companyId, (tx) => noteTransaction(tx, transactionId, clock));
      log.warn(payment, 'a payment or a refund of a payment request was noted late');
    } catch (error) {
      log.warn({ ...payment, err: error }, 'a payment or a refund of a payment request could not be noted');
    }
  }
}
