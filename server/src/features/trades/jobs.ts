import type { CronJob } from '../../platform/jobs/cron.ts';
import type { JobDefinition } from '../../platform/jobs/jobs.ts';
import { transactionEvents } from '../transactions/index.ts';
import { findCompaniesListening } from '../webhooks/index.ts';
import { type LineWritten, tradeEvents } from './events.ts';
import { followMissedReleases } from './service/follow-missed.ts';
import { followRelease } from './service/follow-release.ts';
import { showSeller } from './service/show-seller.ts';
import { remind, tell } from './service/tell.ts';
import { noteLine } from './service/webhook.ts';
import { type DueTrade, findDue } from './store/due.ts';
import { sendNow } from './store/messages.ts';
import { companiesWithReleases } from './store/releases.ts';

/** What follows a line of a trade's timeline: notices, webhooks of companies that have an endpoint, and the seller's pages; and what follows the end of a payment to a seller. */
export function tradeJobs(): JobDefinition[] {
  return [
    {
      name: 'trades.tell',
      on: [tradeEvents.line],
      run: ({ companyId, database }, payload) =>
        database.withCompany(companyId, (tx) => tell(tx, payload as unknown as LineWritten)),
    },
    {
      name: 'trades.webhook',
      on: [tradeEvents.line],
      concerns: findCompaniesListening,
      run: ({ companyId, database }, payload) =>
        database.withCompany(companyId, (tx) => noteLine(tx, payload as unknown as LineWritten)),
    },
    {
      name: 'trades.followRelease',
      on: [transactionEvents.reached],
      concerns: companiesWithReleases,
      run: ({ companyId, database }, { transactionId }) =>
        database.withCompany(companyId, (tx) => followRelease(tx, String(transactionId))),
    },
    {
      name: 'trades.showLine',
      on: [tradeEvents.line],
      run: ({ companyId, database }, { tradeId }) => showSeller(database, companyId, { tradeId: String(tradeId) }),
    },
    {
      name: 'trades.showPayment',
      on: [transactionEvents.reached],
      concerns: companiesWithReleases,
      run: ({ companyId, database }, { transactionId }) =>
        showSeller(database, companyId, { transactionId: String(transactionId) }),
    },
    {
      name: 'trades.resend',
      on: [tradeEvents.resend],
      run: ({ database }, { companyId, messageId }) =>
        database.withCompany(String(companyId), (tx) => sendNow(tx, String(messageId))),
    },
  ];
}

const mostAtOnce = 200;
/** How long before its deadline a trade is brought to mind. */
const remindBeforeMs = 24 * 3_600_000;

/** Notifies of trades that wait for the company and whose deadline is near, once for each deadline. */
export function remindOfTradesJob(): CronJob {
  return {
    name: 'trades.remind',
    schedule: '*/10 * * * *',
    async run({ database, signal }) {
      const from = new Date();
      const to = new Date(from.getTime() + remindBeforeMs);
      let after: DueTrade | null = null;
      do {
        const found = { from, to, most: mostAtOnce, after };
        const due: DueTrade[] = await database.withoutCompany((tx) => findDue(tx, found));
        for (const { companyId, id } of due) {
          if (signal.aborted) return;
          await database.withCompany(companyId, (tx) => remind(tx, id, { from, to }));
        }
        after = due.length < mostAtOnce ? null : (due.at(-1) ?? null);
      } while (after !== null);
    },
  };
}

/** Follows the payments to sellers whose end no job of an event has followed. */
export function followReleasesJob(): CronJob {
  return { name: 'trades.followReleases', schedule: '*/5 * * * *', run: followMissedReleases };
}
