import type { Database } from '../../../platform/database/database.ts';
import type { CronJob } from '../../../platform/jobs/cron.ts';
import { sweepWallet } from './making.ts';
import { findUnsweptWallets } from './store.ts';

/** Sweeps by the clock: what was credited at further addresses within the last minute, and what had to wait. */
export function sweepsJob(): CronJob {
  return { name: 'rails.sweep', schedule: '* * * * *', run: ({ database }) => sweepDue(database) };
}

/** Sweeps the wallets with coins at further addresses, each in a transaction of its own; a failure does not keep the others from it. */
export async function sweepDue(database: Database): Promise<void> {
  const failures: unknown[] = [];
  for (const { companyId, walletId } of await database.withoutCompany(findUnsweptWallets)) {
    await database
      .withCompany(companyId, (tx) => sweepWallet(tx, walletId))
      .catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0) throw failures[0];
}
