import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { executedExchange, setLimit } from '../../../testing/exchanges.ts';
import { type HedgingWorld, hedgingWorld, refreshPrices } from '../../../testing/hedging.ts';
import { hedgingOf } from '../../../testing/hedging-worker.ts';
import { createKrakenClient, signatureOf } from '../adapters/kraken-client.ts';
import { verifyPosition } from '../position/verify.ts';
import { hedgeOf, pauseAfter } from './domain.ts';
import { hedgeOnce } from './hedging.ts';
import type { Fill, VenueOrder } from './venue.ts';
import { nextNonce } from './venue-store.ts';

/** Hedging against the sandbox's venue, which is asked over HTTP: each order once, whatever is lost on the way. */

let world: HedgingWorld;
beforeAll(async () => {
  world = await hedgingWorld();
  await setLimit(world.db, 'ETH', { hedgeFrom: String(10n ** 18n), hedgeTo: '0' });
});
afterAll(() => world.close());
beforeEach(() => refreshPrices(world.db));

/** Nothing is left over by a test: what it made the platform hold is hedged away. */
afterEach(async () => {
  await world.venue.setMode('ok');
  world.venue.engine.setBookMode('full');
  await world.venue.engine.tick();
  for (let round = 0; round < 20 && (await live()) > 0; round += 1) {
    await world.venue.engine.tick();
    await world.hedge({ cancelAfterMs: 0 }, { settleMs: -1_000_000 });
  }
  // An order that ended in a refusal has left its position.
  await world.hedge();
  await world.hedge();
  expect(await live()).toBe(0);
  expect((await world.db.operator.withoutCompany(verifyPosition)).mismatches).toEqual([]);
  await expectSameAtVenue();
});

const live = async () =>
  (await world.orders()).filter(({ state }) => ['stored', 'sending', 'unknown', 'open'].includes(state)).length;
const last = async () => (await world.orders()).at(-1);
const atVenue = () => [...world.venue.engine.orders.values()];

/** Each order at the venue is one of ours, once, and each trade there one of our fills. */
async function expectSameAtVenue(): Promise<void> {
  const ids = atVenue().map(({ clientId }) => clientId);
  expect(new Set(ids).size).toBe(ids.length);
  const ours = await world.orders();
  for (const order of atVenue()) {
    const row = ours.find(({ id }) => id === order.clientId);
    const filled = world.venue.engine.trades
      .filter((trade) => trade.order === order.id)
      .reduce((sum, { quantity }) => sum + Number(quantity), 0);
    expect(row).toMatchObject({ state: 'done', venueOrderId: order.id });
    expect(Number(row?.filled)).toBeCloseTo(filled, 8);
  }
  for (const { id, venueOrderId, state } of ours)
    if (state !== 'done') expect([venueOrderId, ids.includes(id)]).toEqual([null, false]);
}

test('a position beyond its level is sold down to its target, within the slippage; below it nothing happens', async () => {
  await world.trade(999);
  await world.hedge();
  expect(await world.orders()).toEqual([]);
  await world.trade(501);
  await world.hedge();
  await world.hedge();
  expect(await last()).toMatchObject({ side: 'sell', state: 'done', quantity: '1.5', filled: '1.5' });
  expect(await world.position()).toBe('0');
  const limit = Number(atVenue().at(-1)?.price);
  expect(limit).toBe(2487.5);
  await world.trade(-2000);
  await world.hedge();
  await world.hedge();
  expect(await last()).toMatchObject({ side: 'buy', state: 'done', filled: '2' });
  expect(await world.position()).toBe('0');
});

test('partial fills are recorded one by one, and the rest is cancelled and ordered anew', async () => {
  world.venue.engine.setBookMode('thin');
  await world.trade(20_000);
  await world.hedge();
  await world.hedge();
  const [first] = (await world.orders()).slice(-1);
  expect(first).toMatchObject({ state: 'open', quantity: '20' });
  expect(Number(first?.filled)).toBeGreaterThan(0);
  expect(Number(first?.filled)).toBeLessThan(20);
  await world.hedge({ cancelAfterMs: 0 });
  await world.hedge();
  expect((await world.orders()).find(({ id }) => id === first?.id)).toMatchObject({
    state: 'done',
    reason: 'User requested',
  });
  world.venue.engine.setBookMode('full');
  await world.hedge();
  await world.venue.engine.tick();
  await world.hedge();
  expect(await world.position()).toBe('0');
});

describe('an answer that is lost', () => {
  test.each(['mute', 'half'] as const)(
    '%s: the order was placed; it is asked for and never sent again',
    async (mode) => {
      await world.venue.setMode(mode, { only: 'orders' });
      await world.trade(3000);
      const before = atVenue().length;
      await world.hedge();
      expect(await last()).toMatchObject({ state: 'unknown', venueOrderId: null });
      expect(atVenue()).toHaveLength(before + 1);
      await world.venue.setMode('ok');
      await world.hedge();
      expect(await last()).toMatchObject({ state: 'done', filled: '3' });
      expect(atVenue()).toHaveLength(before + 1);
      expect(await world.position()).toBe('0');
    },
  );

  test('it never arrived: until its deadline it stays unknown, then it ends and another is decided', async () => {
    await world.venue.setMode('lost', { only: 'orders' });
    await world.trade(3000);
    await world.hedge();
    expect(await last()).toMatchObject({ state: 'unknown' });
    await world.venue.setMode('ok');
    const id = (await last())?.id;
    await world.hedge();
    await world.hedge();
    expect(await last()).toMatchObject({ id, state: 'unknown' });
    await world.hedge(undefined, { settleMs: -1_000_000 });
    expect((await world.orders()).find((order) => order.id === id)).toMatchObject({
      state: 'notPlaced',
      reason: 'neverArrived',
    });
  });

  test('the venue is down: nothing was sent, and that is known', async () => {
    await world.venue.setMode('down');
    await world.trade(1000);
    await world.hedge();
    expect(await last()).toMatchObject({ state: 'notPlaced', venueOrderId: null });
    await world.venue.setMode('ok');
    await world.hedge();
    await world.hedge();
    expect(await last()).toMatchObject({ state: 'done', filled: '1' });
  });

  test('an order that arrives after its deadline is not placed', async () => {
    await world.venue.setMode('slow', { only: 'orders', delayMs: 200 });
    await world.trade(2000);
    const before = atVenue().length;
    await world.hedge(undefined, { deadlineMs: 100 });
    expect(await last()).toMatchObject({ state: 'notPlaced', reason: 'EService:Deadline elapsed' });
    expect(atVenue()).toHaveLength(before);
  });

  test('the worker gives up waiting, and the order arrives later: it is found, and not sent again', async () => {
    await world.venue.setMode('slow', { only: 'orders', delayMs: 3000 });
    await world.trade(2000);
    const before = atVenue().length;
    await world.hedge({ timeoutMs: 1000 });
    expect(await last()).toMatchObject({ state: 'unknown' });
    await world.venue.setMode('ok');
    await vi.waitFor(() => expect(atVenue()).toHaveLength(before + 1), { timeout: 20_000 });
    await world.hedge();
    expect(await last()).toMatchObject({ state: 'done', filled: '2' });
  });

  test('too many requests: the order was not taken, what was asked is asked again', async () => {
    await world.venue.setMode('limited');
    await world.trade(2000);
    await world.hedge();
    expect(await last()).toMatchObject({ state: 'notPlaced', reason: 'EOrder:Rate limit exceeded' });
  });
});

test('a refusal ends the order with the venue’s words, and the next one waits', async () => {
  await world.venue.setMode('refusing');
  await world.trade(2000);
  await world.hedge(undefined, { firstPauseMs: 30_000 });
  expect(await last()).toMatchObject({ state: 'refused', reason: 'EOrder:Trading agreement required' });
  await world.venue.setMode('ok');
  const before = (await world.orders()).length;
  await world.hedge(undefined, { firstPauseMs: 30_000 });
  expect(await world.orders()).toHaveLength(before);
});

test('a day has its limits: orders, and what they are worth', async () => {
  await world.trade(4000);
  await world.hedge({ maxOrdersPerDay: 1 });
  await world.hedge({ maxUsdPerDay: 1 });
  expect(await live()).toBe(0);
  expect(await world.position()).toBe('4000000000000000000');
  await world.hedge({ maxOrderUsd: 5000 });
  expect(await last()).toMatchObject({ quantity: '2' });
});

test('without a price that may be quoted nothing is ordered', async () => {
  await world.trade(2000);
  const before = (await world.orders()).length;
  await world.db.worker.withoutCompany((tx) =>
    sql`update rate_mid set holds_until = now() - interval '1 second'`.execute(tx),
  );
  await world.hedge();
  expect(await world.orders()).toHaveLength(before);
  await refreshPrices(world.db);
});

/** One round with a worker to which the venue reports other fills of an asset's orders than there are. */
async function hedgeWithFills(asset: string, told: (fills: readonly Fill[]) => Fill[]): Promise<void> {
  const pairs = [...world.config.pairs, { asset: 'BTC', counter: 'USD', pair: 'XBTUSD' }];
  const hedging = hedgingOf(world.db.worker, { ...world.config, pairs });
  const find = async (order: Parameters<typeof hedging.venue.find>[0]): Promise<VenueOrder | null> => {
    const found = await hedging.venue.find(order);
    return found && order.asset === asset ? { ...found, fills: told(found.fills) } : found;
  };
  await hedgeOnce({ ...hedging, venue: { ...hedging.venue, find }, times: { firstPauseMs: 0 } });
}

test('a fill of so little that it costs nothing is a fill', async () => {
  await world.trade(2000);
  await world.hedge();
  await hedgeWithFills('ETH', (fills) =>
    fills.flatMap((fill) => [
      { ...fill, quantity: String(Number(fill.quantity) - 0.25) },
      { ...fill, tradeId: `${fill.tradeId}-dust`, quantity: '0.25', cost: '0' },
    ]),
  );
  expect(await last()).toMatchObject({ state: 'done', filled: '2.00' });
  expect(await world.position()).toBe('0');
});

test('an order whose answer cannot be recorded stops no other at its venue', async () => {
  await setLimit(world.db, 'BTC', { hedgeFrom: '1000000', hedgeTo: '0' });
  await world.trade(2000);
  await hedgeWithFills('ETH', (fills) => fills.map((fill) => ({ ...fill, fee: '-1' })));
  const first = await last();
  await executedExchange(world.db, world.company, {
    ...{ sell: 'USDT', currency: 'BTC', buy: 'USDC', sold: 1_000_000n, bought: 900_000_000n },
    ...{ sellUsd: '90000', buyUsd: '1' },
  });
  await hedgeWithFills('ETH', (fills) => fills.map((fill) => ({ ...fill, fee: '-1' })));
  await hedgeWithFills('ETH', (fills) => fills.map((fill) => ({ ...fill, fee: '-1' })));
  expect(await last()).toMatchObject({ state: 'done', filled: '0.01' });
  expect((await world.orders()).find(({ id }) => id === first?.id)).toMatchObject({ state: 'open', filled: '0' });
});

test('two workers at once make one order', async () => {
  await world.trade(2000);
  const before = (await world.orders()).length;
  await Promise.all([world.hedge({}), world.hedge({}), world.hedge({})]);
  await world.hedge();
  expect(await world.orders()).toHaveLength(before + 1);
});

test('pauses double, from half a minute to an hour', () => {
  expect([0, 1, 2, 3, 30].map((failures) => pauseAfter(failures, 30_000))).toEqual([
    0, 30_000, 60_000, 120_000, 3_600_000,
  ]);
});

describe('what is ordered', () => {
  const market = {
    ...{ pair: 'ETHUSD', asset: 'ETH', counter: 'USD', quantityDecimals: 3, priceDecimals: 1 },
    ...{ leastQuantity: '0.01', leastCost: '5' },
  };
  const rules = { slippageBasisPoints: 50, mostUsd: '1000000' };
  const prices = { usd: '2500.33', counterUsd: '1' };
  const exposure = { decimals: 18, hedgeFrom: 10n ** 18n, hedgeTo: 5n * 10n ** 17n };

  test('quantity and limit are rounded so that neither goes further than allowed', () => {
    expect(hedgeOf({ ...exposure, minor: '1000999999999999999.7' }, market, prices, rules)).toEqual({
      side: 'sell',
      quantity: '0.5',
      limitPrice: '2487.9',
    });
    expect(hedgeOf({ ...exposure, minor: '-1509900000000000000' }, market, prices, rules)).toEqual({
      side: 'buy',
      quantity: '1.009',
      limitPrice: '2512.8',
    });
  });

  test('a price without a step of the venue’s keeps its digits, however small it is', () => {
    const dong = {
      ...market,
      pair: 'VNDUSD',
      asset: 'VND',
      quantityDecimals: 0,
      leastQuantity: '1',
      priceDecimals: null,
    };
    const small = { usd: '0.0000379123456789', counterUsd: '1' };
    const of = (minor: string) => hedgeOf({ decimals: 0, minor, hedgeFrom: 1n, hedgeTo: 0n }, dong, small, rules);
    expect(of('10000000')).toMatchObject({ side: 'sell', limitPrice: '0.0000377227839506' });
    expect(of('-10000000')).toMatchObject({ side: 'buy', limitPrice: '0.0000381019074072' });
  });

  test('not beyond the level, too small for the venue, or more than the day allows', () => {
    expect(hedgeOf({ ...exposure, minor: '999999999999999999' }, market, prices, rules)).toBeNull();
    const close = { ...exposure, minor: '1000000000000000000', hedgeTo: 10n ** 18n - 1n };
    expect(hedgeOf(close, market, prices, rules)).toBeNull();
    expect(
      hedgeOf({ ...exposure, minor: '9000000000000000000' }, market, prices, { ...rules, mostUsd: '5000' }),
    ).toMatchObject({
      quantity: '1.999',
    });
  });
});

test('the signature is the one of the venue’s documentation', () => {
  const body = 'nonce=1616492376594&ordertype=limit&pair=XBTUSD&price=37500&type=buy&volume=1.25';
  const privateKey = 'kQH5HW/8p1uGOVjbgWA7FunAmGO8lsSUXNsu3eow76sz84Q18fWxnyRzBHCd3pd5nE9qa99HAZtuZuj6F1huXg==';
  expect(signatureOf('/0/private/AddOrder', '1616492376594', body, privateKey)).toBe(
    '4/dpxb3iT4tp/ZCVEwSnEsLxx0bqyhLpdfOpc6fn7OR8+UClSV5n9E6aSS8MPtnRfp32bAb0nmbRn6H8ndwLUQ==',
  );
});

test('nonces grow over several workers at once, and a request with an old one is refused', async () => {
  const nonces = await Promise.all(Array.from({ length: 30 }, () => nextNonce(world.db.worker, 'kraken')));
  expect(new Set(nonces).size).toBe(30);
  const client = createKrakenClient(world.config, async () => '5');
  const { z } = await import('zod');
  await expect(client.call('Balance', z.unknown())).rejects.toMatchObject({
    outcome: 'notSent',
    message: 'EAPI:Invalid nonce',
  });
});
