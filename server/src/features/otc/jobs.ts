import { sayAmount } from '@causeway/contract/money.ts';
import type { Tx } from '../../platform/database/database.ts';
import { announce, live } from '../../platform/database/outbox.ts';
import { invariant } from '../../platform/domain-error.ts';
import type { CronJob } from '../../platform/jobs/cron.ts';
import type { JobDefinition } from '../../platform/jobs/jobs.ts';
import { notify } from '../notices/index.ts';
import { lapsed, otcEvents } from './events.ts';
import { findMessages, findRequest } from './store/requests.ts';
import { findLapsing, isLapsing, lockRequest, takeStep } from './store/steps.ts';

/** Informs the requester of the desk's steps and of the end of a request, by a notice and by mail. */
export function otcJobs(): JobDefinition[] {
  return [
    {
      name: 'otc.tell',
      on: [otcEvents.answered, otcEvents.lapsed],
      run: ({ companyId, database }, { id, requestId, seq }) =>
        database.withCompany(companyId, (tx) =>
          tell(tx, { id: String(id), requestId: String(requestId), seq: Number(seq) }),
        ),
    },
  ];
}

const notices = { quoted: 'otcQuoted', declined: 'otcDeclined', note: 'otcNote', lapsed: 'otcLapsed' } as const;

async function tell(tx: Tx, { id, requestId, seq }: { id: string; requestId: string; seq: number }): Promise<void> {
  const request = await findRequest(tx, requestId);
  const message = (await findMessages(tx, requestId)).find((each) => each.seq === seq);
  invariant(request && message && message.kind in notices, `step ${seq} of request ${requestId} has a notice`);
  const { sell, buy, fixed, amountMinor, memberId } = request;
  const side = fixed === 'sell' ? sell : buy;
  await notify(tx, {
    kind: notices[message.kind as keyof typeof notices],
    // Each step by itself: the desk may quote again.
    sourceId: id,
    values: {
      sold: sell.asset,
      bought: buy.asset,
      amount: sayAmount(amountMinor, side.decimals),
      coin: side.asset,
      rate: message.rate ?? '',
      text: message.text,
    },
    link: `/app/otc/${requestId}`,
    to: [memberId],
  });
}

const mostAtOnce = 200;

/** Ends requests whose deadline has passed without an answer that still holds. */
export function lapseRequestsJob(): CronJob {
  return {
    name: 'otc.lapse',
    schedule: '* * * * *',
    async run({ database, signal }) {
      const due = await database.withoutCompany((tx) => findLapsing(tx, mostAtOnce));
      for (const { companyId, id } of due) {
        if (signal.aborted) return;
        await database.withCompany(companyId, (tx) => lapse(tx, id));
      }
    },
  };
}

/** @returns whether it lapsed: the desk may have answered, or the company accepted, meanwhile */
async function lapse(tx: Tx, id: string): Promise<boolean> {
  const request = await lockRequest(tx, id);
  if (!request || !(await isLapsing(tx, id))) return false;
  const seq = await takeStep(tx, request, 'lapsed', { kind: 'lapsed', text: '', authorId: null, authorName: '' });
  await announce(tx, [lapsed(id, seq), live('otc', id)]);
  return true;
}
