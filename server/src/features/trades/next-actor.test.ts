import { decideApprovals, listApprovals } from '@causeway/contract/approvals.ts';
import { listNotices } from '@causeway/contract/notices.ts';
import { listTrades, releaseTrade } from '@causeway/contract/trades.ts';
import type { TradeActor } from '@causeway/contract/trades-rules.ts';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { decision } from '../../testing/approval-requests.ts';
import type { Member } from '../../testing/main-app.ts';
import { present } from '../../testing/present.ts';
import { failedRelease, sentRelease, settledRelease } from '../../testing/seller-payments.ts';
import { succeed } from '../../testing/succeed.ts';
import {
  confirmed,
  followLines,
  followReleases,
  released,
  releaseRequest,
  remindOfDeadlines,
  type Said,
  sendEvent,
  type TradeWorld,
  type Trading,
  tradeDetail,
  tradeWorld,
  trading,
} from '../../testing/trades.ts';
import { reviewOf } from '../../testing/transaction-requests.ts';

/** Who must act next on a trade that is frozen: what its page, the list and reminders say is one thing. */

let of: TradeWorld;
beforeAll(async () => {
  of = await tradeWorld();
});
afterEach(() => expect(of.world.complaints.splice(0)).toEqual([]));
afterAll(() => of.close());

const soon = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();

async function freezing(also: Partial<Said> = {}): Promise<Trading> {
  const trade = await trading(of, also);
  await confirmed(of, trade.company.admin, trade.said.id);
  return trade;
}

/** The page and the filter of the list. */
async function expectNext({ company, said }: Trading, actor: TradeActor | null): Promise<void> {
  const as = company.admin;
  const { actor: shown, actBy } = await tradeDetail(of, as, said.id);
  expect(shown).toBe(actor);
  if (actor === null) expect(actBy).toBeNull();
  for (const each of ['buyer', 'approvers', 'seller', 'platform'] as const) {
    const { items } = (await succeed(of.world, listTrades, { as, query: { actor: each } })).data;
    expect(items.map(({ id }) => id)).toEqual(each === actor ? [said.id] : []);
  }
}

/** Notices of a near deadline that the buyer has by now. */
async function reminders({ company }: Trading): Promise<number> {
  await remindOfDeadlines(of);
  await followLines(of);
  const { items } = (await succeed(of.world, listNotices, { as: company.admin, query: { size: '100' } })).data;
  return items.filter(({ title }) => title.startsWith('Deadline near')).length;
}

async function approved(approver: Member): Promise<void> {
  const { items } = (await succeed(of.world, listApprovals, { as: approver, query: { view: 'pending' } })).data;
  const ids = items.map(({ id }) => id);
  await succeed(of.world, decideApprovals, await decision(of.world, approver, ids, 'approved'));
}

test('once all of it is paid, the approvers are next, and no one while it is on its way', async () => {
  const trade = await freezing();
  const { company, said } = trade;
  const approver = await of.world.member(company, 'approver');
  await sendEvent(of, { ...said, version: 2, status: 'in_progress', phase: 'inspected', actBy: soon(30) });
  await expectNext(trade, 'buyer');
  await reviewOf(of.world, company)(true);
  const id = (await succeed(of.world, releaseTrade, await releaseRequest(of, trade, '1000'))).data.id;
  await expectNext(trade, 'approvers');
  await approved(approver);
  await expectNext(trade, null);
  await sendEvent(of, { ...said, version: 3, status: 'in_progress', phase: 'inspected', actBy: soon(5) });
  expect(await reminders(trade)).toBe(0);
  // It comes to nothing: the buyer is next again, and is reminded of the same deadline.
  await sentRelease(of, trade, id);
  await failedRelease(of, trade, id);
  await followReleases(of);
  await expectNext(trade, 'buyer');
  expect(await reminders(trade)).toBe(1);
  await reviewOf(of.world, company)(false);
  const again = await released(of, trade, '1000');
  await sentRelease(of, trade, again);
  await settledRelease(of, trade, again);
  await expectNext(trade, null);
  expect(await tradeDetail(of, company.admin, said.id)).toMatchObject({ state: 'success' });
});

test('a payment that waits for approval is brought to mind', async () => {
  const trade = await freezing();
  const { company, said } = trade;
  await of.world.member(company, 'approver');
  await reviewOf(of.world, company)(true);
  await succeed(of.world, releaseTrade, await releaseRequest(of, trade, '400'));
  await sendEvent(of, { ...said, version: 2, status: 'in_progress', phase: 'shipped', actBy: soon(5) });
  await expectNext(trade, 'approvers');
  expect(await reminders(trade)).toBe(1);
});

test('a milestone that was reached and is not paid makes the buyer next, by its name in the timeline and in the notice', async () => {
  const milestones = (...reached: boolean[]) =>
    ['Goods on board', 'Inspection passed'].map((name, index) => ({
      ...{ id: `m${index + 1}`, name, amount: index === 0 ? '400' : '600', reached: reached[index] ?? false },
    }));
  const trade = await freezing({ milestones: milestones() });
  const { company, said } = trade;
  const event = (version: number, also: Partial<Said>) =>
    sendEvent(of, { ...said, version, status: 'in_progress', phase: 'shipped', ...also });
  await event(2, {});
  await expectNext(trade, 'platform');
  await event(3, { milestones: milestones(true), actBy: soon(5) });
  await expectNext(trade, 'buyer');
  expect(await reminders(trade)).toBe(1);
  const { timeline } = await tradeDetail(of, company.admin, said.id);
  expect(present(timeline.at(-1))).toMatchObject({ step: 'updated', milestones: ['Goods on board'], version: 3 });
  const { items } = (await succeed(of.world, listNotices, { as: company.admin })).data;
  expect(items.map(({ body }) => body)).toContain(
    'A milestone of the trade with Delta Textiles was reached. Your company can pay its part.',
  );
  await released(of, trade, '400', 'm1');
  await expectNext(trade, 'platform');
  // Of what cannot be paid any more, no one is next.
  await released(of, trade, '500');
  await event(4, { milestones: milestones(true, true) });
  await expectNext(trade, 'platform');
  await event(5, { milestones: milestones(true, true), phase: 'disputed' });
  await expectNext(trade, 'platform');
});
