import { listNotices } from '@causeway/contract/notices.ts';
import {
  addStandingOrder,
  listStandingOrders,
  mostStandingOrders,
  type StandingContent,
  type StandingOrder,
  stopStandingOrder,
} from '@causeway/contract/standing-orders.ts';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { credit } from '../../../testing/company.ts';
import { testDatabase } from '../../../testing/database.ts';
import { standingRequest } from '../../../testing/exchange-requests.ts';
import { asSuperuser, balancesOf, decide, setPrice, transactionOf } from '../../../testing/exchange-world.ts';
import { type MainApp, type Member, mainApp, type Tenant } from '../../../testing/main-app.ts';
import { present } from '../../../testing/present.ts';
import { succeed } from '../../../testing/succeed.ts';
import { reviewOf } from '../../../testing/transaction-requests.ts';
import { verifyLedger } from '../../ledger/index.ts';
import { takeDueTurns } from './turns.ts';

const usdt = (whole: number) => BigInt(whole) * 1_000_000n;

let world: MainApp;
let tenant: Tenant;
let approver: Member;
beforeAll(async () => {
  world = await mainApp(await testDatabase());
});
beforeEach(async () => {
  tenant = await world.company();
  approver = await world.member(tenant, 'approver');
  await credit(world.db, tenant, 'USDT', usdt(1000));
  await setPrice(world.db, 'ETH', '2500');
});
afterAll(async () => {
  const verified = await world.db.operator.withoutCompany((tx) => verifyLedger(tx));
  expect(verified.mismatches).toEqual([]);
  await world.close();
  await world.db.close();
});
afterEach(() => expect(world.complaints.splice(0)).toEqual([]));

const balances = (coin: keyof Tenant['wallets']) => balancesOf(world.db, tenant, coin);
const round = () => takeDueTurns(world.planned);

async function make(change: Partial<StandingContent> = {}, as: Member = tenant.admin): Promise<string> {
  return (await succeed(world, addStandingOrder, await standingRequest(world, tenant, as, change))).data.id;
}

async function orderOf(id: string): Promise<StandingOrder> {
  const { data } = await succeed(world, listStandingOrders, { as: tenant.admin });
  return present(data.items.find((order) => order.id === id));
}

/** Its turn was due so long ago, by the database's clock. */
const makeDue = (id: string, ago = '1 minute') =>
  asSuperuser(world.db, 'update causeway.standing_order set next_at = now() - $2::interval where id = $1', [id, ago]);

describe('a turn of a standing order', () => {
  test('is an exchange like any other, once', async () => {
    const id = await make();
    await round();
    expect(await balances('USDT')).toMatchObject({ available: usdt(1000) });
    await makeDue(id);
    await round();
    await round();
    const order = await orderOf(id);
    expect(order.turns).toMatchObject([
      {
        outcome: 'submitted',
        sentence: null,
        exchange: { stage: 'completed', sold: '250.000000', bought: '0.100000000000000000' },
      },
    ]);
    expect(Date.parse(present(order.nextAt))).toBeGreaterThan(Date.now());
    const out = await transactionOf(world, tenant, present(order.turns[0]?.exchange).id);
    expect(out).toMatchObject({ stage: 'completed', initiator: tenant.admin.session.userName });
    expect(await balances('USDT')).toEqual({ available: usdt(750), outbound: 0n, fee: 0n, fx: usdt(250) });
  });

  test('sells everything above what stays, and nothing where there is no more', async () => {
    const id = await make({ rule: 'above', amount: '400' });
    await makeDue(id);
    await round();
    expect(await balances('USDT')).toMatchObject({ available: usdt(400) });
    await makeDue(id, '30 seconds');
    await round();
    expect((await orderOf(id)).turns.map(({ outcome }) => outcome)).toEqual(['nothing', 'submitted']);
    expect(await balances('USDT')).toMatchObject({ available: usdt(400) });
  });

  test('waits for approval where the company reviews, within the tolerance of the order', async () => {
    await reviewOf(world, tenant)(true);
    const id = await make({ tolerance: 100 });
    await makeDue(id);
    await round();
    const { exchange: made } = present((await orderOf(id)).turns[0]);
    expect(made).toMatchObject({ stage: 'waiting_approval' });
    await setPrice(world.db, 'ETH', '2526');
    expect((await decide(world, approver)).status).toBe(200);
    expect(await transactionOf(world, tenant, present(made).id)).toMatchObject({ stage: 'refused' });
    expect(await balances('USDT')).toMatchObject({ available: usdt(1000), outbound: 0n });
  });

  test('is refused where it cannot be submitted, and its member gets a notice with the reason', async () => {
    const id = await make({ amount: '1001' });
    await makeDue(id);
    await round();
    const order = await orderOf(id);
    expect(order.turns).toMatchObject([{ outcome: 'refused', exchange: null }]);
    expect(order.turns[0]?.sentence).toMatch(/balance|most/i);
    expect(order.nextAt).not.toBeNull();
    const { data } = await succeed(world, listNotices, { as: tenant.admin });
    expect(data.items.map(({ title }) => title)).toContain('Standing order not carried out: USDT to ETH');
    expect(await balances('USDT')).toMatchObject({ available: usdt(1000) });
  });

  test('waits an hour for a price, and is refused then', async () => {
    const id = await make();
    await setPrice(world.db, 'ETH', '2500', 'stale');
    await makeDue(id, '59 minutes');
    await round();
    expect((await orderOf(id)).turns).toEqual([]);
    await makeDue(id, '61 minutes');
    await round();
    expect((await orderOf(id)).turns).toMatchObject([
      { outcome: 'refused', sentence: expect.stringContaining('no current price') },
    ]);
  });

  test('is not taken twice by processes at the same time, nor after it was stopped', async () => {
    const id = await make();
    await makeDue(id);
    await Promise.all([round(), round(), round()]);
    expect((await orderOf(id)).turns).toHaveLength(1);
    expect(await balances('USDT')).toMatchObject({ available: usdt(750) });
    await makeDue(id, '30 seconds');
    const [, stopped] = await Promise.all([round(), world.ask(stopStandingOrder, { as: tenant.admin, body: { id } })]);
    expect(stopped.status).toBe(200);
    await round();
    const { turns, nextAt } = await orderOf(id);
    expect(nextAt).toBeNull();
    expect(await balances('USDT')).toMatchObject({ available: usdt(1000 - 250 * turns.length) });
  });

  test('ends with its last day', async () => {
    const id = await make({ every: 'day', day: 0, lastDay: '2999-01-01' });
    await asSuperuser(world.db, 'update causeway.standing_order set last_day = current_date - 2 where id = $1', [id]);
    await makeDue(id);
    await round();
    expect(await orderOf(id)).toMatchObject({ nextAt: null, stopped: { reason: 'ended', by: null }, turns: [{}] });
  });

  test('stops where its member may no longer exchange', async () => {
    const finance = await world.member(tenant, 'finance');
    const id = await make({}, finance);
    await asSuperuser(world.db, 'update causeway.member set disabled_at = now() where id = $1', [
      finance.session.userId,
    ]);
    await makeDue(id);
    await round();
    expect(await orderOf(id)).toMatchObject({ nextAt: null, stopped: { reason: 'memberLeft' }, turns: [] });
    const { data } = await succeed(world, listNotices, { as: tenant.admin });
    expect(data.items.map(({ title }) => title)).toContain('Standing order stopped: USDT to ETH');
    expect(await balances('USDT')).toMatchObject({ available: usdt(1000) });
  });
});

describe('a standing order', () => {
  test('is stopped by a colleague who may exchange, once, and shows who did it', async () => {
    const id = await make();
    const finance = await world.member(tenant, 'finance');
    await succeed(world, stopStandingOrder, { as: finance, body: { id } });
    expect((await orderOf(id)).stopped).toMatchObject({ reason: 'stopped', by: expect.any(String) });
    expect((await world.ask(stopStandingOrder, { as: finance, body: { id } })).key).toBe('standingStopped');
  });

  test.each([
    ['a day that no week has', { day: 8 }, 'standingDay'],
    ['no day', { day: 0 }, 'standingDay'],
    ['a day each day', { every: 'day' as const, day: 3 }, 'standingDay'],
    ['nothing to sell', { amount: '0' }, 'exchangeTooSmall'],
    ['one wallet twice', {}, 'exchangeSameWallet'],
  ])('is refused with %s', async (_, change, key) => {
    const request = await standingRequest(world, tenant, tenant.admin);
    const same = key === 'exchangeSameWallet' ? { buyWalletId: tenant.wallets.USDT } : {};
    const body = { ...request.body, ...change, ...same };
    expect(await world.ask(addStandingOrder, { as: tenant.admin, body })).toMatchObject({ key });
  });

  test('is refused where its last day comes before its first turn', async () => {
    const request = await standingRequest(world, tenant, tenant.admin, { lastDay: '2020-01-01' });
    expect(await world.ask(addStandingOrder, request)).toMatchObject({ key: 'standingLastDay' });
  });

  test('is refused where its code was for another, and where its id is taken', async () => {
    const request = await standingRequest(world, tenant, tenant.admin);
    const changed = { ...request, body: { ...request.body, amount: '251' } };
    expect(await world.ask(addStandingOrder, changed)).toMatchObject({ key: 'transferCodeMismatch' });
    const id = await make();
    const again = await standingRequest(world, tenant, tenant.admin, { id });
    expect(await world.ask(addStandingOrder, again)).toMatchObject({ key: 'idTaken' });
  });

  test('is one of so many at most, also where two are made at once', async () => {
    await asSuperuser(
      world.db,
      `insert into causeway.standing_order (company_id, id, member_id, member_name, sell_wallet_id, buy_wallet_id, rule, amount, every, day,
        at_time, time_zone, tolerance_bp, digest, proof, next_at)
      select $1, gen_random_uuid(), $2, 'Ada', $3, $4, 'amount', 1, 'day', 0, '09:00', 'UTC', 50, sha256(''), '{}', now() + interval '1 day'
      from generate_series(1, $5)`,
      [tenant.id, tenant.admin.session.userId, tenant.wallets.USDT, tenant.wallets.ETH, mostStandingOrders - 1],
    );
    const finance = await world.member(tenant, 'finance');
    const requests = [
      await standingRequest(world, tenant, tenant.admin),
      await standingRequest(world, tenant, finance),
    ];
    const answers = await Promise.all(requests.map((request) => world.ask(addStandingOrder, request)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(answers.find(({ status }) => status === 409)?.key).toBe('tooManyStandingOrders');
  });
});

describe('the next turn', () => {
  test.each([
    ['week', 1, '09:30', 'Asia/Hong_Kong', '2026-11-26T00:00:00Z', '2026-11-30T01:30:00Z'],
    ['week', 1, '09:30', 'Asia/Hong_Kong', '2026-11-30T01:30:00Z', '2026-12-07T01:30:00Z'],
    ['day', 0, '00:10', 'Asia/Hong_Kong', '2026-11-26T16:05:00Z', '2026-11-26T16:10:00Z'],
    ['month', 31, '12:00', 'UTC', '2026-02-01T00:00:00Z', '2026-02-28T12:00:00Z'],
    ['month', 31, '12:00', 'UTC', '2028-02-28T12:00:00Z', '2028-02-29T12:00:00Z'],
    ['month', 15, '12:00', 'UTC', '2026-11-15T12:00:00Z', '2026-12-15T12:00:00Z'],
    // The hour that the change to summer leaves out, and that which the change back repeats.
    ['day', 0, '02:30', 'America/New_York', '2026-03-07T12:00:00Z', '2026-03-08T07:30:00Z'],
    ['day', 0, '01:30', 'America/New_York', '2026-10-31T12:00:00Z', '2026-11-01T06:30:00Z'],
  ])('every %s, day %i, at %s in %s after %s is %s', async (every, day, time, zone, after, next) => {
    const { rows } = await world.db.app.withoutCompany((tx) =>
      sql<{ next: Date }>`
        select standing_next(${every}, ${day}::smallint, ${time}::time, ${zone}, ${after}::timestamptz) as next`.execute(
        tx,
      ),
    );
    expect(rows[0]?.next.toISOString()).toBe(new Date(next).toISOString());
  });
});

test('the database lets no stopped order run again, and no turn be written twice', async () => {
  const id = await make();
  await makeDue(id);
  await round();
  const again = `insert into causeway.standing_order_turn (company_id, order_id, due_at, outcome) select company_id, order_id, due_at, 'nothing'
    from causeway.standing_order_turn where order_id = $1`;
  await expect(asSuperuser(world.db, again, [id])).rejects.toThrow('standing_order_turn_pkey');
  await succeed(world, stopStandingOrder, { as: tenant.admin, body: { id } });
  const revive = `update causeway.standing_order set next_at = now(), stopped_at = null, stop_reason = null, stopped_by = null where id = $1`;
  await expect(asSuperuser(world.db, revive, [id])).rejects.toThrow('does not run again');
});
