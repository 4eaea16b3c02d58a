import type { CronContext } from '../../../platform/jobs/cron.ts';
import { allCompaniesWithReleases, findUnfollowed } from '../store/releases.ts';
import { followRelease } from './follow-release.ts';

/** What the event's own job has before the sweep does its work as well. */
const graceMs = 2 * 60_000;
const mostAtOnce = 200;

/**
 * Follows the payments to sellers whose end no job has followed: the job failed at every try or was discarded, or the payment came to nothing while the
 * program did not follow any (docs/adr/0115-…). What fails keeps nothing else from its turn, and is tried again in the next round.
 */
export async function followMissedReleases(context: CronContext): Promise<void> {
  const { database, log, signal } = context;
  for (const companyId of await database.withoutCompany(allCompaniesWithReleases)) {
    if (signal.aborted) return;
    await followMissedOf(context, companyId).catch((error: unknown) =>
      log.warn({ companyId, err: error }, 'payments to sellers could not be looked through'),
    );
  }
}

async function followMissedOf({ database, log, signal }: CronContext, companyId: string): Promise<void> {
  const ids = await database.withCompany(companyId, (tx) => findUnfollowed(tx, { olderMs: graceMs, most: mostAtOnce }));
  for (const transactionId of ids) {
    if (signal.aborted) return;
    const payment = { companyId, transactionId };
    try {
      await database.withCompany(companyId, (tx) => followRelease(tx, transactionId));
      log.warn(payment, 'the end of a payment to a seller was followed late');
    } catch (error) {
      log.warn({ ...payment, err: error }, 'the end of a payment to a seller could not be followed');
    }
  }
}
