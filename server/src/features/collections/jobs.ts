import type { Database, Tx } from '../../platform/database/database.ts';
import { announce } from '../../platform/database/outbox.ts';
import { newId } from '../../platform/ids.ts';
import type { CronJob } from '../../platform/jobs/cron.ts';
import type { JobContext, JobDefinition } from '../../platform/jobs/jobs.ts';
import type { Log } from '../../platform/process/log.ts';
import { findCompanySettings } from '../organisation/index.ts';
import { transactionEvents } from '../transactions/index.ts';
import { collectionEvents, reminderDue } from './events.ts';
import type { CollectionPorts } from './ports.ts';
import { follow, noteTransaction } from './service/note.ts';
import { noteMissed } from './service/note-missed.ts';
import { prepareRequest } from './service/prepare.ts';
import { mailReceipt } from './service/receipt-mail.ts';
import { mailReminder } from './service/remind.ts';
import {
  companiesWithRequests,
  type DueRequest,
  findEnding,
  findPreparing,
  findUnvalued,
  setEndJudged,
} from './store/noting.ts';
import { companiesWithReminders, findDueReminders, insertReminder } from './store/reminders.ts';

/** Opens addresses, follows deposits and refunds, mails reminders and receipts. */
export function collectionJobs(deps: CollectionPorts): JobDefinition[] {
  const { clock } = deps;
  return [
    {
      name: 'collections.prepare',
      on: [collectionEvents.made],
      async run({ companyId, database }, { requestId }) {
        await prepareRequest({ companyId, database }, deps, String(requestId));
      },
    },
    {
      name: 'collections.note',
      on: [transactionEvents.reached],
      concerns: companiesWithRequests,
      run: ({ companyId, database }, { transactionId }) =>
        database.withCompany(companyId, (tx) => noteTransaction(tx, String(transactionId), clock)),
    },
    {
      name: 'collections.remind',
      on: [collectionEvents.reminderDue],
      run: (context: JobContext, { reminderId }) => mailReminder(context, deps, String(reminderId)),
    },
    {
      name: 'collections.receipt',
      on: [collectionEvents.receiptDue],
      run: (context: JobContext, { requestId }) => mailReceipt(context, deps, String(requestId)),
    },
  ];
}

/** Notes deposits and refunds that no job of an event has noted. */
export function noteMissedJob({ clock }: Pick<CollectionPorts, 'clock'>): CronJob {
  return { name: 'collections.noteMissed', schedule: '*/5 * * * *', run: (context) => noteMissed(context, clock) };
}

const mostAtOnce = 500;

type TendPorts = Pick<CollectionPorts, 'sources' | 'register' | 'clock'>;

/** Once a minute: addresses that could not be opened, periods that have ended, payments that have no value yet, reminders that are due. */
export function tendRequestsJob(deps: TendPorts): CronJob {
  return {
    name: 'collections.tend',
    schedule: '* * * * *',
    run: ({ database, log, signal }) => tendRequests(database, deps, log, signal),
  };
}

export async function tendRequests(database: Database, deps: TendPorts, log: Log, signal?: AbortSignal): Promise<void> {
  const now = deps.clock.now();
  const each = async (due: readonly DueRequest[], work: (request: DueRequest) => Promise<unknown>) => {
    for (const request of due) {
      if (signal?.aborted) return;
      await work(request).catch((error: unknown) =>
        log.warn({ err: error, ...request }, 'a payment request could not be tended'),
      );
    }
  };
  const following = (also?: (tx: Tx, requestId: string) => Promise<void>) => (request: DueRequest) =>
    database.withCompany(request.companyId, async (tx) => {
      await follow(tx, request.requestId, now);
      await also?.(tx, request.requestId);
    });
  const ending = await database.withoutCompany((tx) => findEnding(tx, now, mostAtOnce));
  await each(
    ending,
    following((tx, requestId) => setEndJudged(tx, requestId, now)),
  );
  const preparing = await database.withoutCompany((tx) => findPreparing(tx, mostAtOnce));
  await each(preparing, ({ companyId, requestId }) => prepareRequest({ companyId, database }, deps, requestId));
  const unvalued = await database.withoutCompany((tx) => findUnvalued(tx, mostAtOnce));
  await each(unvalued, following());
  for (const companyId of await database.withoutCompany((tx) => companiesWithReminders(tx, now))) {
    if (signal?.aborted) return;
    await database
      .withCompany(companyId, (tx) => queueReminders(tx, now))
      .catch((error: unknown) =>
        log.warn({ err: error, companyId }, 'reminders of payment requests could not be queued'),
      );
  }
}

/** The row of a reminder's day is written with its announcement, so that a day has one. */
async function queueReminders(tx: Tx, now: Date): Promise<void> {
  const { timeZone } = await findCompanySettings(tx);
  for (const { requestId, day } of await findDueReminders(tx, { now, timeZone })) {
    const id = newId();
    if (await insertReminder(tx, requestId, { id, day, by: null, at: now })) await announce(tx, [reminderDue(id)]);
  }
}
