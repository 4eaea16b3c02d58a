import type { Database } from '../../../platform/database/database.ts';
import type { CronJob } from '../../../platform/jobs/cron.ts';
import { findUnvaluedCompanies, valueTransactions } from '../store/values.ts';

const batch = 1000;

/**
 * Gives transactions that were written while no price was known the value of their day, once the day (UTC) is over and if it has a
 * price. What has none stays without a value: none is invented. Doing it twice, or by two workers at once, is harmless.
 */
export async function fillValues(database: Database, signal?: AbortSignal): Promise<number> {
  let filled = 0;
  for (const companyId of await database.withoutCompany(findUnvaluedCompanies)) {
    for (let count = batch; count === batch; filled += count) {
      if (signal?.aborted) return filled;
      count = await database.withCompany(companyId, (tx) => valueTransactions(tx, batch));
    }
  }
  return filled;
}

/** Once an hour: most are due when a day has just ended. */
export function fillValuesJob(): CronJob {
  return {
    name: 'transactions.fillValues',
    schedule: '7 * * * *',
    async run({ database, log, signal }) {
      const filled = await fillValues(database, signal);
      if (filled > 0) log.info({ filled }, 'transactions without a value were valued by the prices of their day');
    },
  };
}
