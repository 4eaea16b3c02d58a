import type { CronContext } from '../../../platform/jobs/cron.ts';
import { sweepCompanies } from '../../../platform/jobs/sweep.ts';
import { allCompaniesWithReleases, findUnfollowed } from '../store/releases.ts';
import { followRelease } from './follow-release.ts';

/** Follows the payments to sellers whose end no job has followed, also those that came to nothing while the program did not follow any. */
export function followMissedReleases(context: CronContext): Promise<void> {
  return sweepCompanies(context, {
    companies: allCompaniesWithReleases,
    find: findUnfollowed,
    perform: followRelease,
    words: {
      late: 'the end of a payment to a seller was followed late',
      failed: 'the end of a payment to a seller could not be followed',
      unread: 'payments to sellers could not be looked through',
    },
  });
}
