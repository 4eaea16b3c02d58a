import type { Clock } from '../../../platform/clock.ts';
import type { CronContext } from '../../../platform/jobs/cron.ts';
import { sweepCompanies } from '../../../platform/jobs/sweep.ts';
import { allCompaniesWithRequests, findUnnoted } from '../store/noting.ts';
import { noteTransaction } from './note.ts';

/** Notes deposits and refunds that no job of an event has noted. */
export function noteMissed(context: CronContext, clock: Clock): Promise<void> {
  return sweepCompanies(context, {
    companies: allCompaniesWithRequests,
    find: findUnnoted,
    perform: (tx, transactionId) => noteTransaction(tx, transactionId, clock),
    words: {
      late: 'a payment or a refund of a payment request was noted late',
      failed: 'a payment or a refund of a payment request could not be noted',
      unread: 'payments of requests could not be looked through',
    },
  });
}
