import type { Database } from '../../platform/database/database.ts';
import type { CronJob } from '../../platform/jobs/cron.ts';
import type { Log } from '../../platform/process/log.ts';
import { findFlowsDue, keepFlows } from './flows.ts';

/** Wallets that are asked for at a time. */
const walletsAtOnce = 100;

/** Every minute: what was posted since is read from the entries where it is asked for. */
export function keepFlowsJob(): CronJob {
  return { name: 'ledger.flows', schedule: '* * * * *', run: (context) => keepDueFlows(context, context.signal) };
}

/** Adds the cuts of all wallets that lack some. A wallet that fails keeps no other from its turn and is tried again in the next round. */
async function keepDueFlows({ database, log }: { database: Database; log: Log }, signal?: AbortSignal): Promise<void> {
  const dueAfter = (after: string | null) => database.withoutCompany((tx) => findFlowsDue(tx, after, walletsAtOnce));
  for (let due = await dueAfter(null); due.length > 0; due = await dueAfter(due.at(-1)?.ownerId ?? null)) {
    for (const { companyId, ownerId } of due) {
      const keep = () => database.withCompany(companyId, (tx) => keepFlows(tx, ownerId));
      const keepAll = async () => {
        while (!signal?.aborted && (await keep()));
      };
      if (signal?.aborted) return;
      await keepAll().catch((error: unknown) =>
        log.warn({ err: error, companyId, ownerId }, 'sums of a wallet could not be kept'),
      );
    }
  }
}
