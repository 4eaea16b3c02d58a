import { getApproval } from '@causeway/contract/approvals.ts';
import { cancelExchange, exchange, listLimitOrders } from '@causeway/contract/exchange.ts';
import { downloadReceipt } from '@causeway/contract/transactions.ts';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newId } from '../../platform/ids.ts';
import { sayInstant } from '../../platform/text/instant.ts';
import { credit } from '../../testing/company.ts';
import { testDatabase } from '../../testing/database.ts';
import { intentOf, quotedExchange } from '../../testing/exchange-requests.ts';
import { asSuperuser, balancesOf, decide, pendingTask, setPrice, transactionOf } from '../../testing/exchange-world.ts';
import { type MainApp, type Member, mainApp, type Tenant } from '../../testing/main-app.ts';
import { pdfText } from '../../testing/pdf.ts';
import { present } from '../../testing/present.ts';
import { enact, forbidding } from '../../testing/risk.ts';
import { succeed } from '../../testing/succeed.ts';
import { keepTimeZone } from '../../testing/time-zone.ts';
import { reviewOf } from '../../testing/transaction-requests.ts';
import { verifyLedger } from '../ledger/index.ts';
import { atRate, plainRate } from './domain.ts';
import { describeExchangeSubject } from './service/describe.ts';
import { executeApproved, executeResting } from './service/execute.ts';
import { executeDueOrders } from './service/limit-orders.ts';

const usdt = (whole: number) => BigInt(whole) * 1_000_000n;
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();

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
const round = () => executeDueOrders(world.planned);

/** A limit order of 250 USDT for ETH at 0.0005 ETH a USDT, 20 % better than the rate of the beginning; with changes. */
async function order(change: { limit?: { rate: string; until: string }; bound?: string } = {}) {
  const limit = { rate: '0.0005', until: inDays(7) };
  const intent = intentOf(tenant, 'USDT', 'ETH', { fixed: 'sell', amount: '250', bound: '0.125', limit, ...change });
  return (await quotedExchange(world, tenant.admin, intent)).request;
}

async function rest(): Promise<string> {
  const { data } = await succeed(world, exchange, await order());
  expect(data).toMatchObject({ status: 'pending', stage: 'waiting_rate', boughtId: null });
  return data.id;
}

/** Its time is over, by the database's clock. */
const endTime = (id: string) =>
  asSuperuser(
    world.db,
    `update causeway.exchange set limit_until = now() - interval '1 second' where transaction_id = $1`,
    [id],
  );

describe('a limit order', () => {
  test('holds what is sold until the rate reaches its limit, and is exchanged at the rate of that moment', async () => {
    const id = await rest();
    expect(await balances('USDT')).toEqual({ available: usdt(750), outbound: usdt(250), fee: 0n, fx: 0n });
    await round();
    const waiting = await transactionOf(world, tenant, id);
    expect(waiting).toMatchObject({ stage: 'waiting_rate', waitingFor: 'Waiting for the rate to reach its limit' });
    expect(waiting.exchanged).toMatchObject({ limit: { rate: '0.0005' }, bound: '0.125000000000000000', actual: null });
    const listed = await succeed(world, listLimitOrders, { as: tenant.admin });
    expect(listed.data.items).toMatchObject([
      {
        id,
        held: '250.000000',
        least: '0.125000000000000000',
        rate: '0.0005',
        mid: '0.0004',
        createdBy: { name: expect.any(String) },
      },
    ]);
    const { raw } = await succeed(world, downloadReceipt, { as: tenant.admin, params: { id } });
    expect(await pdfText(raw.rawPayload)).toMatch(/Limit order\s+1 USDT = 0\.0005 ETH, until/);
    await setPrice(world.db, 'ETH', '2000.01');
    await round();
    expect((await transactionOf(world, tenant, id)).stage).toBe('waiting_rate');
    await setPrice(world.db, 'ETH', '1999');
    await round();
    const out = await transactionOf(world, tenant, id);
    expect(out).toMatchObject({ status: 'completed', stage: 'completed' });
    expect(out.timeline.map(({ stage }) => stage)).toEqual(['submitted', 'waiting_rate', 'completed']);
    expect(out.exchanged?.actual).toMatchObject({ sold: '250.000000', bought: '0.125062531265632816' });
    expect(await balances('USDT')).toEqual({ available: usdt(750), outbound: 0n, fee: 0n, fx: usdt(250) });
    expect(await balances('ETH')).toMatchObject({ available: 125_062_531_265_632_816n });
    await round();
    expect(await balances('ETH')).toMatchObject({ available: 125_062_531_265_632_816n });
  });

  test('says its end on the clocks of the company, in the mail of its code and in its application', async () => {
    await keepTimeZone(world.db.app, tenant.id, 'America/New_York');
    const until = inDays(5);
    const said = sayInstant({ at: until, timeZone: 'America/New_York' }, 'zh-hk');
    const request = await order({ limit: { rate: '0.0005', until } });
    const { quoteId: _, codeMethod: _method, code: _code, ...content } = request.body;
    const described = await world.db.app.withCompany(tenant.id, (tx) =>
      describeExchangeSubject(tx, tenant.admin.session, content, 'zh-hk'),
    );
    expect(described.facts).toContainEqual({ label: '有效期至', value: said });
    await reviewOf(world, tenant)(true);
    await succeed(world, exchange, request);
    const params = { id: await pendingTask(world, approver) };
    const headers = { 'accept-language': 'zh-hk' };
    const { facts } = (await succeed(world, getApproval, { as: approver, params, headers })).data;
    expect(facts).toContainEqual({ label: '有效期至', value: said });
  });

  test('is exchanged at once where the rate has reached its limit already', async () => {
    const limit = { rate: '0.0004', until: inDays(1) };
    const { data } = await succeed(world, exchange, await order({ limit, bound: '0.1' }));
    expect(data).toMatchObject({ stage: 'completed', boughtId: expect.any(String) });
  });

  test('ends when its time is over, and its hold is given back', async () => {
    const id = await rest();
    await endTime(id);
    await round();
    const out = await transactionOf(world, tenant, id);
    expect(out).toMatchObject({
      stage: 'refused',
      failureReason: 'The limit order reached its end before the rate reached its limit',
    });
    expect(await transactionOf(world, tenant, present(out.relatedId))).toMatchObject({ quantity: '250.000000' });
    expect(await balances('USDT')).toEqual({ available: usdt(1000), outbound: 0n, fee: 0n, fx: 0n });
  });

  test('whose time is over is not exchanged, even at a rate that reaches its limit', async () => {
    const id = await rest();
    await endTime(id);
    await setPrice(world.db, 'ETH', '1000');
    await round();
    expect((await transactionOf(world, tenant, id)).stage).toBe('refused');
  });

  test('is cancelled by its initiator alone, until it is exchanged', async () => {
    const id = await rest();
    const colleague = await world.member(tenant, 'finance');
    expect((await world.ask(cancelExchange, { as: colleague, body: { id } })).key).toBe('exchangeNotOwn');
    await succeed(world, cancelExchange, { as: tenant.admin, body: { id } });
    await setPrice(world.db, 'ETH', '1000');
    await round();
    expect((await transactionOf(world, tenant, id)).stage).toBe('cancelled');
    expect(await balances('USDT')).toEqual({ available: usdt(1000), outbound: 0n, fee: 0n, fx: 0n });
  });

  test('waits for its rate once it is approved', async () => {
    await reviewOf(world, tenant)(true);
    const { data } = await succeed(world, exchange, await order());
    expect(data.stage).toBe('waiting_approval');
    await setPrice(world.db, 'ETH', '1999');
    await round();
    expect((await transactionOf(world, tenant, data.id)).stage).toBe('waiting_approval');
    await setPrice(world.db, 'ETH', '2500');
    expect((await decide(world, approver)).status).toBe(200);
    expect((await transactionOf(world, tenant, data.id)).stage).toBe('waiting_rate');
    await setPrice(world.db, 'ETH', '2000');
    await round();
    const out = await transactionOf(world, tenant, data.id);
    expect(out.timeline.map(({ stage }) => stage)).toEqual([
      'submitted',
      'waiting_approval',
      'approved',
      'waiting_rate',
      'completed',
    ]);
    expect(await balances('ETH')).toMatchObject({ available: 125_000_000_000_000_000n });
  });

  test('that is approved after its time ends', async () => {
    await reviewOf(world, tenant)(true);
    const { data } = await succeed(world, exchange, await order());
    await endTime(data.id);
    await setPrice(world.db, 'ETH', '1000');
    await world.db.app.withCompany(tenant.id, (tx) => executeApproved(tx, world.planned.seal, data.id));
    expect((await transactionOf(world, tenant, data.id)).stage).toBe('refused');
    expect(await balances('USDT')).toMatchObject({ available: usdt(1000), outbound: 0n });
  });

  test('is not exchanged before its approval, whatever its rate', async () => {
    await reviewOf(world, tenant)(true);
    const { data } = await succeed(world, exchange, await order());
    await setPrice(world.db, 'ETH', '1000');
    await world.db.app.withCompany(tenant.id, (tx) => executeResting(tx, world.planned.seal, data.id));
    expect((await transactionOf(world, tenant, data.id)).stage).toBe('waiting_approval');
    expect(await balances('USDT')).toMatchObject({ available: usdt(750), outbound: usdt(250) });
  });

  test('ends where a policy forbids it by the moment at which its rate is reached', async () => {
    const id = await rest();
    await enact(world.db, tenant.id, forbidding({ dimension: 'coin', coins: ['USDT'] }, { business: 'payment' }));
    await setPrice(world.db, 'ETH', '1999');
    await round();
    expect((await transactionOf(world, tenant, id)).stage).toBe('refused');
    expect(await balances('USDT')).toEqual({ available: usdt(1000), outbound: 0n, fee: 0n, fx: 0n });
  });

  test.each(['stale', 'disagreeing'] as const)('waits while the price is %s', async (problem) => {
    const id = await rest();
    await setPrice(world.db, 'ETH', '1000', problem);
    await round();
    expect((await transactionOf(world, tenant, id)).stage).toBe('waiting_rate');
  });

  test('waits while its company is frozen, and in restore mode', async () => {
    const id = await rest();
    await setPrice(world.db, 'ETH', '1999');
    await asSuperuser(world.db, `update causeway.company set frozen_at = now() where company_id = $1`, [tenant.id]);
    await round();
    await asSuperuser(world.db, `update causeway.company set frozen_at = null where company_id = $1`, [tenant.id]);
    await asSuperuser(
      world.db,
      `insert into causeway.restore_mode (cause, reason, begun_by) values ('operator', 'test', 'ada')`,
    );
    await round();
    expect((await transactionOf(world, tenant, id)).stage).toBe('waiting_rate');
    await asSuperuser(
      world.db,
      `update causeway.restore_mode set released_at = now(), released_by = 'ada', release_reason = 'test'`,
    );
    await round();
    expect((await transactionOf(world, tenant, id)).stage).toBe('completed');
  });
});

describe('a limit order is refused', () => {
  test('whose bound is another than its rate gives', async () => {
    expect(await world.ask(exchange, await order({ bound: '0.1251' }))).toMatchObject({ key: 'exchangeLimitBound' });
  });

  test.each([
    ['over', inDays(-1)],
    ['too far', inDays(91)],
  ])('whose end is %s', async (_, until) => {
    const refused = await world.ask(exchange, await order({ limit: { rate: '0.0005', until } }));
    expect(refused).toMatchObject({ key: 'exchangeLimitUntil' });
  });

  test('that fixes what is bought', async () => {
    const limit = { rate: '0.0005', until: inDays(1) };
    const request = await order();
    const body = { ...request.body, id: newId(), fixed: 'buy', amount: '0.1', bound: '250', limit };
    expect(await world.ask(exchange, { as: tenant.admin, body })).toMatchObject({ key: 'exchangeLimitSide' });
  });

  test('whose limit is another than its code was for', async () => {
    const request = await order();
    const body = { ...request.body, limit: { rate: '0.0005', until: inDays(8) } };
    expect(await world.ask(exchange, { as: tenant.admin, body })).toMatchObject({ key: 'transferCodeMismatch' });
  });
});

test('the database refuses an execution that is worse than the bound', async () => {
  const id = await rest();
  const executed = `update causeway.exchange set executed_quote_id = submitted_quote_id, executed_sold = sold, executed_fee = fee,
    executed_bought = bound - 1, bought_transaction_id = transaction_id, executed_at = now() where transaction_id = $1`;
  await expect(asSuperuser(world.db, executed, [id])).rejects.toThrow('exchange_within_bound');
});

/** The race is run so often, with a fresh company for each few, since codes are limited by member. */
const rounds = Number(process.env['PROOF_ROUNDS'] ?? 3);
const roundsPerCompany = 10;

test(
  'exchanged by two processes, cancelled and over at once, it ends once',
  async () => {
    for (let index = 0; index < rounds; index++) {
      if (index > 0 && index % roundsPerCompany === 0) tenant = await world.company();
      await setPrice(world.db, 'ETH', '2500');
      await credit(world.db, tenant, 'USDT', usdt(250));
      const { available } = await balances('USDT');
      const bought = (await balances('ETH')).available;
      const id = await rest();
      await setPrice(world.db, 'ETH', '2000');
      if (index % 3 === 2) await endTime(id);
      await Promise.all([round(), round(), world.ask(cancelExchange, { as: tenant.admin, body: { id } })]);
      const { stage } = await transactionOf(world, tenant, id);
      const isDone = stage === 'completed';
      expect(isDone || stage === 'cancelled' || stage === 'refused').toBe(true);
      expect(await balances('USDT')).toMatchObject({ available: available - (isDone ? usdt(250) : 0n), outbound: 0n });
      expect((await balances('ETH')).available - bought).toBe(isDone ? 125_000_000_000_000_000n : 0n);
    }
  },
  30_000 + rounds * 3_000,
);

describe('what an amount comes to at a rate', () => {
  const decimals = fc.integer({ min: 0, max: 18 });
  test('is rounded down to whole minor units, and by less than one', () => {
    fc.assert(
      fc.property(
        fc.bigInt(1n, 10n ** 30n),
        fc.bigInt(1n, 10n ** 18n),
        decimals,
        decimals,
        decimals,
        (sold, units, scale, sell, buy) => {
          const text = units.toString().padStart(scale + 1, '0');
          const rate = scale === 0 ? text : `${text.slice(0, -scale)}.${text.slice(-scale)}`;
          const bought = atRate(sold, rate, { sell, buy });
          const exact = sold * units * 10n ** BigInt(buy);
          const one = 10n ** BigInt(scale + sell);
          return bought * one <= exact && (bought + 1n) * one > exact;
        },
      ),
    );
  });

  test.each([
    ['0.00050', '0.0005'],
    ['010.0', '10'],
    ['0.1', '0.1'],
    ['2500', '2500'],
  ])('the rate %s is %s', (typed, plain) => expect(plainRate(typed)).toBe(plain));
});
