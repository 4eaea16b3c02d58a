import { announce, live } from '../../../platform/database/outbox.ts';
import type { CronJob } from '../../../platform/jobs/cron.ts';
import type { JobDefinition } from '../../../platform/jobs/jobs.ts';
import type { OutgoingKinds } from '../../outgoing/index.ts';
import { transactionEvents } from '../../transactions/index.ts';
import { findEntryOf } from '../store/runs.ts';
import { stopMissed, stopOthers } from './late-paid.ts';

/** What follows the stages of transactions that are of a batch. */
export function batchJobs(kinds: OutgoingKinds): JobDefinition[] {
  return [
    {
      name: 'batches.latePaid',
      on: [transactionEvents.reached],
      async run({ companyId, database }, { transactionId, stage }) {
        if (stage !== 'completed') return;
        await database.withCompany(companyId, (tx) => stopOthers(tx, kinds, String(transactionId)));
      },
    },
    {
      // Pages of a batch show where each of its rows is.
      name: 'batches.follow',
      on: [transactionEvents.reached],
      async run({ companyId, database }, { transactionId }) {
        await database.withCompany(companyId, async (tx) => {
          const entry = await findEntryOf(tx, String(transactionId));
          if (entry) await announce(tx, [live('batch', entry.batchId)]);
        });
      },
    },
  ];
}

/** Stops the other attempts of rows that were paid late where no job of an event has. */
export function stopMissedJob(kinds: OutgoingKinds): CronJob {
  return { name: 'batches.stopMissed', schedule: '*/5 * * * *', run: (context) => stopMissed(context, kinds) };
}
