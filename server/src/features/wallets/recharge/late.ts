import { sayAmount } from '@causeway/contract/money.ts';
import type { Database, Tx } from '../../../platform/database/database.ts';
import type { CronJob } from '../../../platform/jobs/cron.ts';
import type { Log } from '../../../platform/process/log.ts';
import { notify } from '../../notices/index.ts';
import { findWallets } from '../store.ts';
import { companiesWithLate, takeLate } from './store.ts';
import { findWatchers } from './watchers.ts';

/** Companies that are asked for at a time. */
const companiesAtOnce = 100;

/** Reminds of announced payments that are later than expected, once of each. */
export function lateRechargesJob(): CronJob {
  return {
    name: 'wallets.lateRecharges',
    schedule: '*/15 * * * *',
    run: ({ database, log, signal }) => remindOfLate({ database, log, now: new Date() }, signal),
  };
}

/** One company that fails keeps no other from its reminder and is tried again in the next round. */
export async function remindOfLate(
  { database, log, now }: { database: Database; log: Log; now: Date },
  signal?: AbortSignal,
): Promise<void> {
  for (const companyId of await database.withoutCompany((tx) => companiesWithLate(tx, now, companiesAtOnce))) {
    if (signal?.aborted) return;
    await database
      .withCompany(companyId, (tx) => remind(tx, now))
      .catch((error: unknown) =>
        log.warn({ err: error, companyId }, 'a reminder of a late recharge could not be given'),
      );
  }
}

async function remind(tx: Tx, now: Date): Promise<void> {
  const late = await takeLate(tx, now);
  if (late.length === 0) return;
  const to = await findWatchers(tx);
  for (const notice of late) {
    const [wallet] = await findWallets(tx, notice.walletId);
    if (!wallet) continue;
    await notify(tx, {
      kind: 'recharge.late',
      sourceId: notice.id,
      values: {
        amount: sayAmount(notice.amountMinor, wallet.decimals),
        currency: wallet.asset,
        date: { day: notice.expectedBy },
      },
      link: `/app/wallet/recharge/notice/${notice.id}`,
      to: [...new Set([...to, notice.createdBy])],
    });
  }
}
