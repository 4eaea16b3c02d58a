import { listOperatorTrades } from '@causeway/contract/operator-trades.ts';
import { exportTrades, listTrades, releaseTrade } from '@causeway/contract/trades.ts';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { randomAddress } from '../../testing/company.ts';
import type { Tenant } from '../../testing/main-app.ts';
import { operatorApp } from '../../testing/operator-app.ts';
import { failedRelease, sentRelease, settledRelease } from '../../testing/seller-payments.ts';
import { succeed } from '../../testing/succeed.ts';
import {
  confirmed,
  followLines,
  followReleases,
  released,
  releaseRequest,
  type Said,
  sendEvent,
  type TradeWorld,
  type Trading,
  tradeDetail,
  tradeWorld,
  trading,
} from '../../testing/trades.ts';
import { reviewOf } from '../../testing/transaction-requests.ts';

/** Both sides of a trade that are companies here see the same facts, and the seller nothing else of the buyer. */

let of: TradeWorld;
let seller: Tenant;
let trade: Trading;
beforeAll(async () => {
  of = await tradeWorld();
});
afterEach(() => expect(of.world.complaints.splice(0)).toEqual([]));
afterAll(() => of.close());

async function sold(also: Partial<Said> = {}): Promise<void> {
  seller = await of.world.company('Delta Textiles');
  trade = await trading(of, also, seller.address);
}
const event = (version: number, also: Partial<Said>) =>
  sendEvent(of, { ...trade.said, version, status: 'in_progress', phase: 'inspected', ...also });

const shared = ['state', 'quantity', 'frozen', 'paid', 'paying', 'refunded', 'hash', 'milestones'] as const;

/** What both read now, on the page and in the list; `differs`: of the seller. */
async function expectBoth(expected: Record<string, unknown>, differs: Record<string, unknown> = {}): Promise<void> {
  const of2 = async ({ admin }: Tenant) => {
    const detail = await tradeDetail(of, admin, trade.said.id);
    const { data } = await succeed(of.world, listTrades, { as: admin, query: { state: detail.state } });
    const row = data.items.find(({ id }) => id === trade.said.id);
    expect(row).toMatchObject({ frozen: detail.frozen, paid: detail.paid, paying: detail.paying, hash: detail.hash });
    return detail;
  };
  const [bought, theirs] = [await of2(trade.company), await of2(seller)];
  expect(bought).toMatchObject(expected);
  expect(theirs).toMatchObject({ ...expected, ...differs });
  for (const field of shared) expect(theirs[field]).toEqual(bought[field]);
}

test('what is frozen, released and final is one on both sides, at each step, and so are the state and the hash', async () => {
  await sold({ milestones: [{ id: 'm1', name: 'Goods on board', amount: '400', reached: false }] });
  await expectBoth({ state: 'created', frozen: '0.000000', paid: '0.000000', paying: '0.000000', actor: 'buyer' });
  await confirmed(of, trade.company.admin, trade.said.id);
  await expectBoth({ state: 'in_progress', frozen: '1000.000000', actor: 'seller' });
  const milestones = [{ id: 'm1', name: 'Goods on board', amount: '400', reached: true }];
  await event(2, { phase: 'shipped', milestones });
  await expectBoth({ actor: 'buyer', milestones: [{ reached: true, released: false }] });
  const first = await released(of, trade, '400', 'm1');
  await expectBoth({
    frozen: '600.000000',
    paying: '400.000000',
    milestones: [{ released: true, paid: false }],
    actor: 'platform',
  });
  await sentRelease(of, trade, first);
  await settledRelease(of, trade, first);
  await expectBoth({ paid: '400.000000', paying: '0.000000', hash: '0xabc', milestones: [{ paid: true }] });
  await event(3, { milestones, refunded: '100' });
  await expectBoth({ frozen: '500.000000', refunded: '100.000000', actor: 'buyer' });
  const rest = await released(of, trade, '500');
  await expectBoth({ frozen: '0.000000', paying: '500.000000', actor: null, actBy: null });
  await sentRelease(of, trade, rest);
  await failedRelease(of, trade, rest);
  await followReleases(of);
  await expectBoth({ frozen: '500.000000', paying: '0.000000', actor: 'buyer' });
  const again = await released(of, trade, '500');
  await sentRelease(of, trade, again);
  await settledRelease(of, trade, again);
  await expectBoth({ state: 'success', paid: '900.000000', actor: null });
  const csv = (await of.world.ask(exportTrades, { as: seller.admin })).raw.body;
  expect(csv).toContain('0xabc');
});

test('the seller learns of no approval, wallet, name or note of the buyer', async () => {
  await sold();
  const { company, said } = trade;
  await of.world.member(company, 'approver');
  await reviewOf(of.world, company)(true);
  await confirmed(of, company.admin, said.id);
  const theirs = await tradeDetail(of, seller.admin, said.id);
  expect(theirs).toMatchObject({ state: 'created', frozen: '0.000000', actor: 'buyer' });
  expect(theirs).toMatchObject({
    walletId: null,
    available: null,
    approvalTaskId: null,
    confirmedBy: null,
    confirmedAt: null,
  });
  expect([theirs.releases, theirs.messages]).toEqual([[], []]);
  expect(theirs.timeline.map(({ step }) => step)).toEqual(['announced']);
  expect(theirs.can).toEqual({ confirm: false, decline: false, release: false, dispute: false });
  await reviewOf(of.world, company)(false);
  await sold();
  await confirmed(of, trade.company.admin, trade.said.id);
  await event(2, {});
  await of.world.member(trade.company, 'approver');
  await reviewOf(of.world, trade.company)(true);
  await succeed(of.world, releaseTrade, await releaseRequest(of, trade, '1000'));
  await expectBoth({ paying: '1000.000000', state: 'in_progress' }, { actor: null });
  expect((await tradeDetail(of, trade.company.admin, trade.said.id)).actor).toBe('approvers');
});

test('only the seller of the trade reads them, and nothing is known of a buyer elsewhere', async () => {
  await sold();
  const { said } = trade;
  await confirmed(of, trade.company.admin, said.id);
  const third = await of.world.company();
  const seen = async (companyId: string, call: string) =>
    (await of.db.app.withCompany(companyId, (tx) => sql`select * from ${sql.raw(call)}`.execute(tx))).rows.length;
  expect(await seen(seller.id, `trade_of_buyer('${said.id}')`)).toBe(1);
  expect(await seen(third.id, `trade_of_buyer('${said.id}')`)).toBe(0);
  expect(await seen(trade.company.id, `trade_of_buyer('${said.id}')`)).toBe(0);
  await expect(seen(seller.id, `trade_facts('${seller.id}', '${said.id}')`)).rejects.toThrow(/permission denied/);
  // A third company that has the platform's id of it, between other addresses.
  const other = {
    ...said,
    buyer: { ...said.buyer, wallet: randomAddress() },
    seller: { ...said.seller, wallet: third.address },
  };
  await sendEvent(of, { ...other, status: 'in_progress' });
  expect(await tradeDetail(of, third.admin, said.id)).toMatchObject({
    ...{ side: 'seller', state: 'in_progress', frozen: null, paid: null, paying: null, hash: null },
  });
});

test('operators read the same of both copies, and the seller’s pages are read again', async () => {
  await sold();
  const { company, said } = trade;
  await confirmed(of, company.admin, said.id);
  const operators = await operatorApp(of.db);
  const as = await operators.operator('viewer');
  const { data } = await operators.ask(listOperatorTrades, { as, query: { search: said.number } });
  const copies = (data as { items: unknown[] }).items;
  expect(copies).toHaveLength(2);
  for (const copy of copies)
    expect(copy).toMatchObject({ state: 'in_progress', frozen: '1000.000000', actor: 'seller' });
  const live = async () =>
    (
      await of.db.worker.withoutCompany((tx) =>
        sql`delete from outbox where company_id = ${seller.id} and name = 'live' and payload ->> 'id' = ${said.id} returning 1`.execute(
          tx,
        ),
      )
    ).rows.length;
  await followLines(of);
  expect(await live()).toBeGreaterThan(0);
  const id = await released(of, trade, '1000');
  await followLines(of);
  await live();
  await sentRelease(of, trade, id);
  await settledRelease(of, trade, id);
  await followReleases(of);
  expect(await live()).toBeGreaterThan(0);
  await operators.close();
});
