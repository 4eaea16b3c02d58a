import { confirmProposal, getProposal } from '@causeway/contract/operator.ts';
import * as calls from '@causeway/contract/operator-exchange.ts';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { executedExchange } from '../../../testing/exchanges.ts';
import { type HedgingWorld, hedgingWorld } from '../../../testing/hedging.ts';
import { type OperatorApp, operatorApp, type TestOperator } from '../../../testing/operator-app.ts';
import { bookOnce } from '../../exchange/position/booking.ts';
import { exchangeSources } from './sources.ts';

/** What the operator sees and changes of positions, hedges and what is added to spreads. */

let world: HedgingWorld;
let app: OperatorApp;
let one: TestOperator;
let two: TestOperator;

beforeAll(async () => {
  world = await hedgingWorld();
  app = await operatorApp(world.db);
  [one, two] = [await app.operator('treasury'), await app.operator('administrator')];
});
afterAll(async () => {
  expect(app.complaints).toEqual([]);
  await app.close();
  await world.close();
});

/** What no role of the product does: time that has passed. */
async function asOwner(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: world.db.superuserUrl });
  await client.connect();
  await client.query(statement).finally(() => client.end());
}

const reason = 'As agreed';
const none = { mostLong: null, mostShort: null, hedgeFrom: null, hedgeTo: null, reason };
const change = (asset: string, limits: object, as = one) =>
  app.ask(calls.changeExchangeLimit, { as, params: { asset }, body: { ...none, ...limits } });
async function confirm(id: string, as = two) {
  const { data } = await app.ask(getProposal, { as, params: { id } });
  const body = { digest: data.digest, code: app.code(as.secret) };
  const { status } = await app.ask(confirmProposal, { as, params: { id }, body });
  return { status, data };
}
const shown = async () => (await app.ask(calls.getExchangePosition, { as: one })).data;
const eth = async () => (await shown()).positions.find(({ asset }) => asset === 'ETH');
const causes = async (kind: string) => {
  const source = exchangeSources.find((each) => each.kind === kind);
  return source ? world.db.console.withoutCompany((tx) => source.find(tx)) : [];
};

test('limits: two widen, one narrows at once; the page shows room, value and who did it', async () => {
  const asked = await change('ETH', { mostLong: '10', mostShort: '5', hedgeFrom: '8', hedgeTo: '0' });
  expect(asked.data.proposalId).not.toBeNull();
  expect((await change('ETH', { hedgeFrom: '9', hedgeTo: '0' })).key).toBe('proposalOpen');
  const { status, data } = await confirm(asked.data.proposalId ?? '');
  expect(status).toBe(200);
  expect(data.changes).toEqual([
    { label: 'Most long', before: 'No limit', after: '10.00 ETH' },
    { label: 'Most short', before: 'No limit', after: '5.00 ETH' },
    { label: 'Hedged from', before: 'Not hedged', after: '8.00 ETH' },
    { label: 'Hedged back to', before: 'Not hedged', after: '0.00 ETH' },
  ]);
  const narrower = await change('ETH', { mostLong: '9', mostShort: '5', hedgeFrom: '8', hedgeTo: '0' });
  expect(narrower.data).toEqual({ proposalId: null });
  await executedExchange(world.db, world.company, {
    sell: 'ETH',
    buy: 'USDT',
    sold: 75n * 10n ** 17n,
    bought: 18_700_000_000n,
  });
  expect(await eth()).toMatchObject({
    quantity: '7.500000000000000000',
    usd: '18750.00',
    mostLong: '9.000000000000000000',
    take: '1.500000000000000000',
    give: '12.500000000000000000',
    near: true,
    venue: 'kraken',
    change: { by: one.name, confirmedBy: null },
  });
  expect((await causes('positionNearLimit')).map(({ subject }) => subject)).toEqual(['ETH']);
});

test('a target at or above its level, and limits that change nothing, are refused', async () => {
  const same = { mostLong: '9', mostShort: '5', hedgeFrom: '8', hedgeTo: '0' };
  expect((await change('ETH', same)).key).toBe('nothingChanges');
  expect((await change('ETH', { ...same, hedgeTo: '8' })).key).toBe('priceOutOfRange');
  expect((await change('ETH', { ...same, hedgeTo: null })).key).toBe('priceOutOfRange');
  expect((await change('NONE', same)).key).toBe('assetUnknown');
});

test('profit and loss by day: spread, revaluation and fees, in sum', async () => {
  await bookOnce(world.db.worker);
  const { days } = await shown();
  expect(days[0]).toMatchObject({
    spread: '50.00',
    hedging: '0.00',
    feesEarned: '0.00',
    revaluation: '0.00',
    total: '50.00',
  });
});

test('a hedge is shown with its fills, and the position it leaves', async () => {
  await world.trade(1000);
  await world.hedge();
  await world.hedge();
  const { items } = (await app.ask(calls.listHedgeOrders, { as: one, query: { asset: 'ETH' } })).data;
  expect(items[0]).toMatchObject({ venue: 'kraken', side: 'sell', quantity: '8.5', filled: '8.5', state: 'done' });
  const order = (await app.ask(calls.getHedgeOrder, { as: one, params: { id: items[0]?.id ?? '' } })).data;
  expect(order).toMatchObject({
    position: '8.500000000000000000',
    mid: '2500',
    next: 'Nothing. Its fills are in the position.',
  });
  expect(order.fills.length).toBeGreaterThan(0);
  expect(await eth()).toMatchObject({ quantity: '0.000000000000000000', near: false, orderId: null });
  expect(Number((await shown()).days[0]?.feesPaid)).toBeLessThan(0);
  expect((await app.ask(calls.getHedgeOrder, { as: one, params: { id: world.company.id } })).key).toBe('notFound');
});

test('what is unknown for minutes, refused again and again, or unreachable, is in the queue', async () => {
  await world.trade(9000);
  await world.venue.setMode('refusing');
  for (let round = 0; round < 2; round += 1) await world.hedge();
  expect((await causes('hedgeRefused')).map(({ facts }) => facts)).toEqual([
    { venue: 'kraken', asset: 'ETH', attempts: '2', error: 'EOrder:Trading agreement required' },
  ]);
  await world.venue.setMode('lost', { only: 'orders' });
  await world.hedge();
  expect(await causes('hedgeUnknown')).toEqual([]);
  await asOwner('alter table causeway.hedge_order disable trigger kept');
  await asOwner(`update causeway.hedge_order set sent_at = now() - interval '4 minutes' where ended_at is null`);
  expect((await causes('hedgeUnknown')).map(({ facts }) => facts)).toEqual([
    { venue: 'kraken', asset: 'ETH', side: 'sell', quantity: '9 ETH' },
  ]);
  await asOwner(
    `update causeway.hedge_order set state = 'open', opened_at = now() - interval '4 minutes', asked_at = now() where ended_at is null`,
  );
  expect(await causes('hedgeUnknown')).toEqual([]);
  // At the venue, and its answers cannot be recorded.
  await asOwner(`update causeway.hedge_order set asked_at = now() - interval '4 minutes' where ended_at is null`);
  expect(await causes('hedgeUnknown')).toHaveLength(1);
  // Booked there, and not settled in a day.
  await asOwner(
    `update causeway.hedge_order set opened_at = now() - interval '25 hours', asked_at = now() where ended_at is null`,
  );
  expect(await causes('hedgeUnknown')).toHaveLength(1);
  await asOwner(
    `update causeway.exchange_venue set failing_since = now() - interval '4 minutes', problem = 'no answer', low_balances = '{"ETH": "5"}', balances = '{"ETH": "4.5"}', balances_at = now()`,
  );
  expect((await causes('venueFailing')).map(({ subject }) => subject)).toEqual(['kraken']);
  expect((await causes('venueBalanceLow')).map(({ facts }) => facts)).toEqual([
    { venue: 'kraken', balance: '4.5 ETH', limit: '5 ETH' },
  ]);
});

test('terms: proposed, confirmed and in force; planned ones are taken back by one', async () => {
  const terms = { sell: 'ETH', buy: 'USDT', fromUsd: '10000', basisPoints: 12, reason };
  const asked = await app.ask(calls.proposeExchangeTerms, { as: two, body: terms });
  const three = await app.operator('treasury');
  expect((await confirm(asked.data.proposalId, three)).status).toBe(200);
  const spread = async (cents: number) => {
    const { rows } = await world.db.app.withCompany(world.company.id, (tx) =>
      sql<{ points: number }>`select exchange_spread(${world.company.id}, 'ETH', 'USDT', ${cents}) as points`.execute(
        tx,
      ),
    );
    return rows[0]?.points;
  };
  expect([await spread(999_999), await spread(1_000_000)]).toEqual([0, 12]);
  const validFrom = new Date(Date.now() + 3_600_000).toISOString();
  const later = await app.ask(calls.proposeExchangeTerms, { as: two, body: { ...terms, basisPoints: 20, validFrom } });
  expect((await confirm(later.data.proposalId, three)).status).toBe(200);
  const list = async () => (await app.ask(calls.listExchangeTerms, { as: one })).data.items;
  expect((await list()).map(({ state, basisPoints, fromUsd }) => [state, basisPoints, fromUsd])).toEqual([
    ['planned', 20, '10000.00'],
    ['inForce', 12, '10000.00'],
  ]);
  const [planned, held] = await list();
  const withdraw = (id = '') => app.ask(calls.withdrawExchangeTerms, { as: two, params: { id }, body: { reason } });
  expect((await withdraw(planned?.id)).status).toBe(200);
  expect((await withdraw(held?.id)).key).toBe('priceInForce');
  expect((await list()).map(({ state, validUntil }) => [state, validUntil])).toEqual([
    ['withdrawn', null],
    ['inForce', null],
  ]);
  const past = { ...terms, validFrom: '2020-01-01T00:00:00.000Z' };
  expect((await app.ask(calls.proposeExchangeTerms, { as: two, body: past })).key).toBe('priceInPast');
  expect((await app.ask(calls.proposeExchangeTerms, { as: two, body: { ...terms, buy: 'ETH' } })).status).toBe(400);
});
