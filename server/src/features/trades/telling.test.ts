import { listNotices } from '@causeway/contract/notices.ts';
import { exportTrades, listTrades } from '@causeway/contract/trades.ts';
import { getTransaction } from '@causeway/contract/transactions.ts';
import { getOverview, getStatement, listWallets } from '@causeway/contract/wallets.ts';
import { listWebhookDeliveries } from '@causeway/contract/webhooks.ts';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { randomAddress } from '../../testing/company.ts';
import type { Member, Tenant } from '../../testing/main-app.ts';
import { present } from '../../testing/present.ts';
import { succeed } from '../../testing/succeed.ts';
import { keepTimeZone } from '../../testing/time-zone.ts';
import {
  asSuperuser,
  confirmed,
  followLines,
  released,
  remindOfDeadlines,
  saidOf,
  sendEvent,
  type TradeWorld,
  tradeDetail,
  tradeWorld,
  trading,
} from '../../testing/trades.ts';
import { openWebhook } from '../../testing/webhook-requests.ts';
import { tradePlatformCheck, verifyTrades } from './index.ts';
import { markReminded } from './store/due.ts';

/** What trades mean to the rest: notices, webhooks, files, totals, and what is verified of them. */

let of: TradeWorld;
beforeAll(async () => {
  of = await tradeWorld();
});
afterEach(() => expect(of.world.complaints.splice(0)).toEqual([]));
afterAll(() => of.close());

async function noticesOf(as: Member, link: string) {
  await followLines(of);
  const { items } = (await succeed(of.world, listNotices, { as, query: { size: '100' } })).data;
  return items.filter((notice) => notice.link === link).map(({ title }) => title);
}
const linkOf = (id: string) => `/app/wallet/tradego/${id}`;

describe('notices', () => {
  test('both sides read what is new to them, once each, and members who cannot act on payments read nothing', async () => {
    const seller = await of.world.company('Delta Textiles');
    const { company, said } = await trading(of, { actBy: '2031-05-04T03:02:01Z' }, seller.address);
    const viewer = await of.world.member(company, 'viewer');
    const { number } = said;
    await confirmed(of, company.admin, said.id);
    const shipped = { ...said, version: 2, status: 'in_progress' as const };
    await sendEvent(of, shipped);
    await sendEvent(of, { ...shipped, version: 3, phase: 'shipped', billOfLading: 'MAEU-1' });
    await sendEvent(of, { ...shipped, version: 3, phase: 'shipped', billOfLading: 'MAEU-1' });
    await sendEvent(of, { ...shipped, version: 4, phase: 'disputed' });
    await sendEvent(of, { ...shipped, version: 5, phase: 'inspected' });
    await sendEvent(of, { ...shipped, version: 6, phase: 'inspected', quantity: '77' });
    await sendEvent(of, { ...shipped, version: 7, phase: 'inspected', refunded: '100' });
    await sendEvent(of, { ...shipped, version: 8, phase: 'closed', refunded: '100' });
    await sendEvent(of, { ...shipped, version: 9, phase: 'closed', refunded: '100', status: 'cancelled' });
    expect((await noticesOf(company.admin, linkOf(said.id))).sort()).toEqual(
      [
        `Guaranteed trade ${number} waits for your confirmation`,
        `Shipped: guaranteed trade ${number}`,
        `In dispute: guaranteed trade ${number}`,
        `Dispute settled: guaranteed trade ${number}`,
        `Contradiction: guaranteed trade ${number}`,
        `Refund: guaranteed trade ${number}`,
        `Closed by the platform: guaranteed trade ${number}`,
        `Cancelled: guaranteed trade ${number}`,
      ].sort(),
    );
    const sold = await noticesOf(seller.admin, linkOf(said.id));
    expect(sold).toContain(`New guaranteed trade ${number} with Harbour Trading`);
    expect(sold).toContain(`Amount frozen: guaranteed trade ${number}`);
    expect(sold).toContain(`Refunded to the buyer: guaranteed trade ${number}`);
    expect(await noticesOf(viewer, linkOf(said.id))).toEqual([]);
  });

  test('what a member did is said to the others, and not to that member', async () => {
    const trade = await trading(of);
    const { company, said } = trade;
    const other = await of.world.member(company, 'finance');
    await confirmed(of, company.admin, said.id);
    await released(of, trade, '400');
    await followLines(of);
    const title = (await noticesOf(other, linkOf(said.id))).filter((each) => /^Payment/.test(each));
    expect(title).toHaveLength(1);
    expect(await noticesOf(company.admin, linkOf(said.id))).not.toContain(title[0]);
  });

  test('a deadline is said on the clocks of the company; without one nothing is said of it', async () => {
    const read = async ({ id, admin }: Tenant, link: string) => {
      await keepTimeZone(of.db.app, id, 'America/New_York');
      await followLines(of);
      const { items } = (await succeed(of.world, listNotices, { as: admin })).data;
      return items.find((notice) => notice.link === link)?.body;
    };
    const dated = await trading(of, { actBy: '2031-07-04T03:02:01Z' });
    expect(await read(dated.company, linkOf(dated.said.id))).toMatch(/decline it, by Jul 3, 2031, 23:02 \(GMT-4\)\.$/);
    const open = await trading(of, { actBy: null });
    expect(await read(open.company, linkOf(open.said.id))).toMatch(/decline it\.$/);
  });

  test('a deadline is marked by one of two workers that found it', async () => {
    const actBy = new Date(Date.now() + 5 * 3_600_000);
    const { company, said } = await trading(of, { actBy: actBy.toISOString() });
    const period = { from: new Date(), to: new Date(Date.now() + 24 * 3_600_000) };
    const mark = () => of.db.worker.withCompany(company.id, (tx) => markReminded(tx, said.id, period));
    expect((await Promise.all([mark(), mark()])).toSorted()).toEqual([false, true]);
  });

  test('a deadline that is near is brought to mind once, of those whose turn it is, and again when it is another', async () => {
    const soon = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
    const { company, said } = await trading(of, { actBy: soon(5) });
    const far = await trading(of, { actBy: soon(50) });
    const deadline = `Deadline near: guaranteed trade ${said.number}`;
    const told = async (tenant: Tenant, id: string) =>
      (await noticesOf(tenant.admin, linkOf(id))).filter((title) => title.startsWith('Deadline near'));
    await remindOfDeadlines(of);
    await remindOfDeadlines(of);
    expect(await told(company, said.id)).toEqual([deadline]);
    expect(await told(far.company, far.said.id)).toEqual([]);
    // Now the seller ships: the buyer's company has nothing to do.
    await confirmed(of, company.admin, said.id);
    await sendEvent(of, { ...said, version: 2, status: 'in_progress', actBy: soon(6) });
    await remindOfDeadlines(of);
    expect(await told(company, said.id)).toEqual([deadline]);
    await sendEvent(of, { ...said, version: 3, status: 'in_progress', phase: 'inspected', actBy: soon(7) });
    await remindOfDeadlines(of);
    expect(await told(company, said.id)).toEqual([deadline, deadline]);
  });
});

test('each step of a trade is a webhook of a company that listens, under the id of its line, with the payment that it made', async () => {
  const trade = await trading(of);
  const { company, said } = trade;
  await openWebhook(of.world, company);
  await confirmed(of, company.admin, said.id);
  const transactionId = await released(of, trade, '400');
  await sendEvent(of, { ...said, version: 2, status: 'cancelled', phase: 'closed' });
  await followLines(of);
  const { rows } = await of.db.app.withCompany(company.id, (tx) =>
    sql<{ type: string; body: string; transactionId: string | null }>`
      select type, body, transaction_id as "transactionId" from webhook_event
      where company_id = company_id() and type like 'trade.%' order by at, id`.execute(tx),
  );
  expect(rows.map(({ type }) => type)).toEqual(['trade.frozen', 'trade.released', 'trade.cancelled', 'trade.returned']);
  const paid = JSON.parse(rows[1]?.body ?? '{}');
  expect(paid).toMatchObject({ type: 'trade.released', data: { amount: '400.000000', transactionId, side: 'buyer' } });
  expect(rows[1]?.transactionId).toBe(transactionId);
  expect(JSON.parse(rows[3]?.body ?? '{}').data).toMatchObject({
    tradeId: said.id,
    amount: '600.000000',
    frozen: '0.000000',
  });
  const { data } = await succeed(of.world, listWebhookDeliveries, { as: company.admin });
  expect(data.total).toBe(rows.length);
});

test('the list is narrowed, ordered and exported in the reader’s language, and summed up by state and asset', async () => {
  const first = await trading(of, { actBy: '2031-01-02T00:00:00Z', quantity: '250' });
  const { company } = first;
  const second = { ...first.said, id: crypto.randomUUID(), number: 'TG-SECOND', actBy: '2031-01-01T00:00:00Z' };
  await sendEvent(of, second);
  await confirmed(of, company.admin, second.id);
  const as = company.admin;
  const numbers = async (query: Record<string, string>) =>
    (await succeed(of.world, listTrades, { as, query })).data.items.map(({ number }) => number);
  expect(await numbers({ actor: 'seller' })).toEqual(['TG-SECOND']);
  expect(await numbers({ actor: 'buyer' })).toEqual([first.said.number]);
  expect(await numbers({ sort: 'deadline', order: 'asc' })).toEqual(['TG-SECOND', first.said.number]);
  expect(
    await numbers({ asset: 'USDT', chain: 'ethereum', search: first.said.seller.wallet.slice(4, 20) }),
  ).toHaveLength(2);
  expect(await numbers({ asset: 'USDC' })).toEqual([]);
  // What the company sells is no sum that it has to freeze.
  const sale = saidOf(randomAddress(), company.address, { quantity: '250' });
  await sendEvent(of, sale);
  const { data } = await succeed(of.world, listTrades, { as });
  expect(data.summary).toMatchObject({
    ...{ created: 2, inProgress: 1 },
    quantities: {
      created: [
        { side: 'buyer', asset: 'USDT', amount: '250.000000' },
        { side: 'seller', amount: '250.000000' },
      ],
      inProgress: [{ side: 'buyer', amount: '250.000000' }],
    },
    frozen: [{ asset: 'USDT', amount: '250.000000' }],
  });
  const csv = (await of.world.ask(exportTrades, { as, headers: { 'accept-language': 'zh_HK' } })).raw;
  expect(csv.statusCode).toBe(200);
  const [head, ...lines] = csv.body.trim().split('\r\n');
  expect(head).toContain('交易編號');
  expect(lines).toHaveLength(3);
  expect(csv.body).toContain('TG-SECOND');
  expect(csv.body).toContain('待凍結');
});

test('what is frozen is part of the totals, and its statement leads to the trade', async () => {
  const trade = await trading(of);
  const { company, said } = trade;
  const as = company.admin;
  const before = (await succeed(of.world, getOverview, { as })).data;
  await confirmed(of, as, said.id);
  const after = (await succeed(of.world, getOverview, { as })).data;
  expect(after.total).toBe(before.total);
  expect([after.escrow, after.available]).toEqual(['1000.00', '4000.00']);
  const { items } = (await succeed(of.world, listWallets, { as })).data;
  const wallet = items.find(({ id }) => id === company.wallets.USDT);
  expect(wallet).toMatchObject({ quantity: '5000.000000', available: '4000.000000', escrow: '1000.000000' });
  const lines = (await succeed(of.world, getStatement, { as, params: { id: company.wallets.USDT } })).data.items;
  expect(lines[0]).toMatchObject({
    transactionId: null,
    trade: { id: said.id, number: said.number },
    amount: '-1000.000000',
  });
  const transactionId = await released(of, trade, '1000');
  const { data } = await succeed(of.world, getTransaction, { as, params: { id: transactionId } });
  expect(data.trade).toEqual({ id: said.id, number: said.number, milestone: null });
});

test('what a confirmation would meet is said before it is submitted, to those who may submit it', async () => {
  const { company, said } = await trading(of);
  expect((await tradeDetail(of, company.admin, said.id)).review).toMatchObject({ outcome: 'off', stop: null });
  expect((await tradeDetail(of, await of.world.member(company, 'viewer'), said.id)).review).toBeNull();
  await confirmed(of, company.admin, said.id);
  expect((await tradeDetail(of, company.admin, said.id)).review).toBeNull();
});

test('the verifier finds escrow that its trades do not explain, and nothing in sound books', async () => {
  const { company, said } = await trading(of);
  await confirmed(of, company.admin, said.id);
  const found = async () =>
    (await of.db.operator.withoutCompany(verifyTrades)).mismatches.map(({ id, kind }) => [id, kind]);
  expect(await found()).toEqual([]);
  const change = (amount: string) =>
    asSuperuser(
      of,
      `set session_replication_role = replica; update causeway.trade set frozen = ${amount} where id = '${said.id}' and side = 'buyer'`,
    );
  await change('7');
  expect(await found()).toEqual([
    [company.wallets.USDT, 'escrow'],
    [said.id, 'postings'],
  ]);
  await change('1000000000');
  expect(await found()).toEqual([]);
});

test('the check of the platform fails once it has not accepted a message for five minutes', async () => {
  const { company, said } = await trading(of);
  await confirmed(of, company.admin, said.id);
  const check = tradePlatformCheck(of.db.worker);
  await check.check();
  await asSuperuser(
    of,
    `set session_replication_role = replica; update causeway.trade_message set created_at = now() - interval '10 minutes' where trade_id = '${said.id}'`,
  );
  await expect(check.check()).rejects.toThrow(/The trade platform has not accepted/);
  await asSuperuser(
    of,
    'set session_replication_role = replica; update causeway.trade_message set delivered_at = now(), next_at = null',
  );
  await check.check();
  expect(present((await tradeDetail(of, company.admin, said.id)).messages[0]).deliveredAt).not.toBeNull();
});
