import type { Database } from '../../../platform/database/database.ts';
import type { CronJob } from '../../../platform/jobs/cron.ts';
import { findPrices, isStale, usdValue } from '../../rates/index.ts';
import { settleWallet } from './making.ts';
import { type DueWallet, findDueWallets } from './store.ts';

/**
 * Settlements by the clock: every night all that is due, both ways; every ten minutes what is worth more than a threshold, so that neither side
 * owes the other much for long.
 */

/** US cents of one wallet. */
const settlementThresholdCents = 1_000_000n;
/** What is older was settled by a night, or could not be. */
const recentDays = 2;

export function settlementJobs(): CronJob[] {
  return [
    {
      name: 'rails.settleNightly',
      schedule: '40 2 * * *',
      backfillMs: 3_600_000,
      run: ({ database }) => settleDue(database, 'nightly'),
    },
    {
      name: 'rails.settleAboveThreshold',
      schedule: '*/10 * * * *',
      run: ({ database }) => settleDue(database, 'threshold'),
    },
  ];
}

/** Settles the wallets that are due, each in a transaction of its own; a failure does not keep the others from it. */
export async function settleDue(
  database: Database,
  cause: 'nightly' | 'threshold',
  thresholdCents = settlementThresholdCents,
): Promise<void> {
  const failures: unknown[] = [];
  const days = cause === 'threshold' ? recentDays : null;
  const due = await database.withoutCompany((tx) => findDueWallets(tx, days));
  const isLarge = cause === 'threshold' ? await largerThan(database, thresholdCents) : () => true;
  for (const wallet of due.filter(isLarge)) {
    await database
      .withCompany(wallet.companyId, (tx) => settleWallet(tx, wallet.walletId, cause))
      .catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0) throw failures[0];
}

/** Whether what a wallet owes, or is owed, is worth so much. A coin without a fresh price waits for the night. */
async function largerThan(database: Database, cents: bigint): Promise<(wallet: DueWallet) => boolean> {
  const now = new Date();
  const prices = await database.withoutCompany(findPrices);
  const fresh = new Map(prices.filter((price) => !isStale(price, now)).map(({ asset, usd }) => [asset, usd]));
  return ({ coin, decimals, netMinor }) => {
    const usd = fresh.get(coin);
    if (usd === undefined) return false;
    const minor = netMinor < 0n ? -netMinor : netMinor;
    return usdValue(minor, decimals, usd) >= cents;
  };
}
