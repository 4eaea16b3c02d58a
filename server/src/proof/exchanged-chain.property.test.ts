import { exchange as exchangeCall } from '@causeway/contract/exchange.ts';
import { formatAmount } from '@causeway/contract/money.ts';
import { startVenue, type VenueServer } from '@causeway/sandbox/venue/kraken.ts';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hedgeOnce } from '../features/exchange/hedging/hedging.ts';
import { VenueError } from '../features/exchange/hedging/venue.ts';
import { keepVenues } from '../features/exchange/hedging/venue-store.ts';
import { createExchangeSubject, verifyPosition } from '../features/exchange/index.ts';
import { bookOnce } from '../features/exchange/position/booking.ts';
import { quote } from '../features/exchange/service/quote.ts';
import { submitting } from '../features/exchange/service/submit.ts';
import { nilCompany } from '../features/identity/index.ts';
import { settleDue } from '../features/rails/settlement/jobs.ts';
import { DomainError } from '../platform/domain-error.ts';
import { batched } from '../platform/http/route.ts';
import { newId } from '../platform/ids.ts';
import { expectLedgerToAgree } from '../testing/company-books.ts';
import { setLimit } from '../testing/exchanges.ts';
import { krakenConfig } from '../testing/hedging.ts';
import { hedgingOf } from '../testing/hedging-worker.ts';
import { actionsAt, type Action as ChainAction } from '../testing/model-actions.ts';
import { paymentCostWei, treasuryFundsMinor } from '../testing/model-chain.ts';
import { type Model, type ModelSettlement, modelDepth, modelUnit, platform } from '../testing/model-figures.ts';
import { type ModelCoin, modelCoins } from '../testing/model-sides.ts';
import { type ModelWorld, openModelWorld } from '../testing/model-world.ts';
import { keepTestMids } from '../testing/prices.ts';

/**
 * Random histories of two companies that exchange coins on a chain that reorganises, falls silent and refuses payments, pay out what they bought, and are settled with
 * the treasury, while the platform hedges at a venue that loses answers, refuses orders and fills them in part. After every step the figures of each wallet must be those
 * of a model that knows the chain and the quotes; at the end each side of an exchange is settled once, the treasury holds to the last unit what exchanges left with the
 * platform, and the position is the sum of the exchanges and of the venue's trades.
 */

/** An action's unit is so many units of a coin: orders are then larger than a level of the venue's thin book. */
const scale = 2000n;
const decimals: Record<ModelCoin, number> = { USDT: 6, ETH: 18 };
const { tank, treasury } = platform;

const side = fc.constantFrom(0, 1);
const coin = fc.constantFrom(...modelCoins);
const exchangeAction = fc.record({
  do: fc.constant('exchange' as const),
  side,
  sell: coin,
  fixed: fc.constantFrom('sell' as const, 'buy' as const),
  units: fc.integer({ min: 1, max: 20 }),
});
const hedgeAction = fc.record({
  do: fc.constant('hedge' as const),
  venue: fc.constantFrom(
    ...(['ok', 'ok', 'ok', 'mute', 'half', 'lost', 'failing', 'refusing', 'limited', 'down'] as const),
  ),
  book: fc.constantFrom('full' as const, 'thin' as const, 'thin' as const, 'empty' as const),
  /** The deadline of an order that the venue does not have is long over, and open orders are cancelled. */
  isLate: fc.boolean(),
});
const action = fc.oneof(
  { weight: 24, arbitrary: actionsAt(modelDepth) },
  { weight: 12, arbitrary: exchangeAction },
  { weight: 8, arbitrary: hedgeAction },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('settle' as const),
      by: fc.constantFrom('nightly' as const, 'threshold' as const),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('price' as const), usd: fc.constantFrom('2500', '2517.77', '2411.03') }),
  },
);
type Action = typeof action extends fc.Arbitrary<infer T> ? T : never;
/** Each company begins with a coin that the other one has not: what it pays out of the other coin, the treasury has to bring. */
const funding: ChainAction[] = [
  { do: 'deposit', side: 0, coin: 'ETH', units: 60 },
  { do: 'deposit', side: 1, coin: 'USDT', units: 60 },
  { do: 'mine', blocks: modelDepth + 1 },
];
type Hedge = typeof hedgeAction extends fc.Arbitrary<infer T> ? T : never;

let world: ModelWorld;
let venue: VenueServer;
let config: ReturnType<typeof krakenConfig>;
let ethUsd = '2500';
/** What the platform has taken less what it has given in exchanges of all histories, in minor units. */
const taken: Record<ModelCoin, bigint> = { USDT: 0n, ETH: 0n };

beforeAll(async () => {
  world = await openModelWorld({ scale });
  const { db } = world;
  venue = await startVenue({
    priceOf: (asset) => (asset === 'ETH' ? ethUsd : '1'),
    tickMs: 0,
    rate: { most: 1_000_000, perSecond: 1_000_000 },
  });
  config = { ...krakenConfig(venue), maxUsdPerDay: 1_000_000_000, maxOrdersPerDay: 1_000_000 };
  const { pairs } = config;
  await db.worker.withoutCompany((tx) => keepVenues(tx, [{ id: 'kraken', kind: 'kraken', pairs, lowBalances: {} }]));
  await setLimit(db, 'ETH', { hedgeFrom: String(10n ** 18n), hedgeTo: '0' });
  await db.operator.withCompany(nilCompany, (tx) =>
    sql`insert into operator_price (id, company_id, kind, asset_id, value, valid_from, set_by)
      select gen_random_uuid(), company_id(), kind, asset, value, clock_timestamp(), 'test'
      from (values ('spread', 20::numeric), ('fx_fee', 10::numeric)) as v (kind, value), unnest('{USDT,ETH}'::text[]) as asset`.execute(
      tx,
    ),
  );
});
afterAll(async () => {
  await venue.stop();
  await world.close();
});

const seal = () => 'sealed';
const ports = {
  openProofs: async () => ({
    prove: () => ({ proof: { method: 'email', id: newId() }, use: () => undefined }),
    write: () => [],
  }),
  seal,
  subject: createExchangeSubject(seal),
};
const refusals = ['amountAboveBalanceMinusFee', 'exchangeTooSmall', 'walletFrozen'];
const keyOf = (error: unknown): string => {
  if (error instanceof DomainError) return error.key;
  throw error;
};

const otherOf = (of: ModelCoin): ModelCoin => (of === 'ETH' ? 'USDT' : 'ETH');

async function exchange(model: Model, given: Extract<Action, { do: 'exchange' }>): Promise<void> {
  const party = model.sides[given.side];
  if (!party) throw new Error('there are two sides');
  const { fixed, units } = given;
  // Of what there is nothing, nothing can be sold: then the other way.
  const [sell, buy] =
    world.expected(model, party, given.sell).net > 0n
      ? [given.sell, otherOf(given.sell)]
      : [otherOf(given.sell), given.sell];
  const named = fixed === 'sell' ? sell : buy;
  const { company, context } = party;
  const amount = formatAmount(BigInt(units) * scale * modelUnit[named] + 1n, decimals[named]);
  const intent = { sellWalletId: company.wallets[sell], buyWalletId: company.wallets[buy], fixed, amount };
  const { app } = world.db;
  const quoted = await app.withCompany(company.id, (tx) => quote(tx, context, intent)).catch(keyOf);
  if (typeof quoted === 'string') return void expect(refusals).toContain(quoted);
  const bound = fixed === 'sell' ? quoted.buy.quantity : quoted.sell.total;
  const proof = { quoteId: quoted.id, codeMethod: 'email' as const, code: '000000' };
  const body = { id: newId(), ...intent, bound, ...proof };
  const running = batched(app, exchangeCall, submitting)({ ...context, ...ports, idempotencyKey: newId() }, body);
  const answer = await running.then((done) => done.answer, keyOf);
  if (typeof answer === 'string') return void expect(refusals).toContain(answer);
  expect(answer.status).toBe('completed');
  const minor = (text: string) => BigInt(text.replace('.', ''));
  const [soldMinor, feeMinor, boughtMinor] = [quoted.sell.quantity, quoted.sell.fee, quoted.buy.quantity].map(minor);
  if (soldMinor === undefined || feeMinor === undefined || boughtMinor === undefined) throw new Error('three amounts');
  model.exchanges.push({ id: body.id, side: party, sell, buy, soldMinor, feeMinor, boughtMinor });
  taken[sell] += soldMinor;
  taken[buy] -= boughtMinor;
}

async function hedge({ venue: mode, book, isLate }: Omit<Hedge, 'do'>): Promise<void> {
  await venue.setMode(mode, mode === 'down' ? {} : { only: 'orders' });
  venue.engine.setBookMode(book);
  await venue.engine.tick();
  const { db } = world;
  const own = hedgingOf(db.worker, isLate ? { ...config, cancelAfterMs: 0 } : config);
  const times = { firstPauseMs: 0, ...(isLate && { settleMs: -1_000_000 }) };
  await hedgeOnce({ ...own, times }).catch((error: unknown) => {
    if (!(error instanceof VenueError)) throw error;
  });
  await bookOnce(db.worker);
}

async function perform(model: Model, given: Action): Promise<void> {
  switch (given.do) {
    case 'exchange':
      return exchange(model, given);
    case 'hedge':
      return hedge(given);
    case 'settle':
      return settleDue(world.db.worker, given.by);
    case 'price':
      ethUsd = given.usd;
      return keepTestMids(world.db, { ETH: ethUsd });
    default:
      return world.perform(model, given as ChainAction);
  }
}

/** Settles what is due until nothing is, and hedges until no order is under way. */
async function atRest(): Promise<boolean> {
  const { db } = world;
  await settleDue(db.worker, 'nightly');
  await hedge({ venue: 'ok', book: 'full', isLate: true });
  const { rows } = await db.operator.withoutCompany((tx) =>
    sql`select from transaction where type in ('fx_settlement_in', 'fx_settlement_out') and status = 'pending'
      union all select from hedge_order where ended_at is null`.execute(tx),
  );
  return rows.length === 0;
}

/** Of a settlement that the chain refused, whose sides no other may settle. */
const isRefused = ({ id }: ModelSettlement) => world.chain.find(world.chain.hashOf(id) ?? '')?.succeeded === false;
const sum = <T>(items: readonly T[], of: (item: T) => bigint) => items.reduce((total, item) => total + of(item), 0n);
const intoTreasury = ({ to, amountMinor }: ModelSettlement) => (to === treasury ? amountMinor : -amountMinor);

/** What is due has been settled, once, by what its sides make: no wallet owes or is owed anything but what the chain refused. */
async function expectSettled(model: Model): Promise<void> {
  const sides = new Map<string, bigint>(
    model.exchanges.flatMap(({ id, soldMinor, boughtMinor }): [string, bigint][] => [
      [`${id}/sold`, soldMinor],
      [`${id}/bought`, -boughtMinor],
    ]),
  );
  for (const { company } of model.sides) {
    const own = world.settlements.filter(({ companyId }) => companyId === company.id);
    for (const each of own) expect(sum(each.legs, (leg) => sides.get(leg) ?? 0n)).toBe(intoTreasury(each));
    const legs = own.flatMap((each) => each.legs);
    expect(new Set(legs).size).toBe(legs.length);
  }
  for (const party of model.sides) {
    for (const each of modelCoins) {
      const refused = world.settlements.filter(
        (one) => one.companyId === party.company.id && one.coin === each && isRefused(one),
      );
      expect(world.expected(model, party, each).fx).toBe(sum(refused, intoTreasury));
    }
  }
}

/** The treasury has what exchanges of all histories left with the platform, its network fees and their advances apart. */
function expectTreasury(): void {
  const { chain, settlements } = world;
  const paid = settlements.filter(({ from }) => from === treasury);
  const advances = chain.sentTo(treasury).filter(({ from, hash }) => from === tank && chain.find(hash));
  const networkFees = BigInt(paid.length) * paymentCostWei - sum(advances, ({ amountMinor }) => amountMinor);
  for (const each of modelCoins) {
    const refused = settlements.filter((one) => one.coin === each && isRefused(one));
    const held = treasuryFundsMinor + taken[each] - sum(refused, intoTreasury) - (each === 'ETH' ? networkFees : 0n);
    expect(chain.balanceOf(treasury, each), each).toBe(held);
  }
}

/** The position in each asset is the sum of its trades, as the quotes and the venue say them. */
async function expectPosition(): Promise<void> {
  const { trades } = venue.engine;
  const minorOf = (quantity: string) => {
    const [whole = '', fraction = ''] = quantity.split('.');
    return BigInt(whole + fraction.padEnd(18, '0'));
  };
  const hedged = sum(trades, (trade) => (trade.side === 'buy' ? 1n : -1n) * minorOf(trade.quantity));
  const { rows } = await world.db.operator.withoutCompany((tx) =>
    sql<{ asset: string; minor: string }>`
      select asset, trunc(exchange_exposure(asset))::text as minor from unnest('{USDT,ETH}'::text[]) as asset`.execute(
      tx,
    ),
  );
  expect(Object.fromEntries(rows.map(({ asset, minor }) => [asset, minor]))).toEqual({
    USDT: String(taken.USDT),
    ETH: String(taken.ETH + hedged),
  });
  expect((await world.db.operator.withoutCompany(verifyPosition)).mismatches).toEqual([]);
}

const histories = Number(process.env['PROOF_HISTORIES'] ?? 3);
const seed = Number(process.env['PROOF_SEED'] ?? 1);

test(
  'every history of exchanges on a chain leaves the figures that chain, quotes and venue make, to the last unit, platform included',
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(action, { minLength: 20, maxLength: 45, size: 'max' }), async (history) => {
        const model = await world.newModel();
        for (const each of [...funding, ...history]) {
          await perform(model, each);
          await world.check(model);
        }
        await world.settle(model, atRest);
        await world.check(model);
        await expectSettled(model);
        expectTreasury();
        await expectPosition();
        await expectLedgerToAgree(world.db);
      }),
      { numRuns: histories, seed, endOnFailure: true },
    );
  },
  Math.max(600_000, histories * 60_000),
);

test('the histories had every end that there is', async () => {
  const { rows } = await world.db.operator.withoutCompany((tx) =>
    sql<{ what: string }>`
      select distinct what from (
        select 'settled ' || direction as what from settlement
        union all select 'settled because of ' || cause from settlement
        union all select 'settlement ' || s.stage from transaction_stage s join transaction t on t.company_id = s.company_id and t.id = s.transaction_id
          where t.type in ('fx_settlement_in', 'fx_settlement_out')
        union all select reason from transaction_stage where reason is not null
        union all select 'order ' || state || coalesce(', ' || reason, '') from hedge_order
        union all select 'order filled in part' from hedge_order where filled > 0 and filled < quantity
      ) each order by what`.execute(tx),
  );
  const seen = rows.map(({ what }) => what);
  const ends = [
    'settled in',
    'settled out',
    'settled because of payment',
    'settled because of nightly',
    'settlement completed',
    'order done',
  ];
  // What few histories have is asked of many.
  const rare = [
    'settled because of threshold',
    'settlement failed',
    'stage.reason.reorganised',
    'order filled in part',
    'order notPlaced, neverArrived',
    'order refused, EOrder:Trading agreement required',
  ];
  for (const end of [...ends, 'stage.reason.exchangedCoins', ...(histories < 50 ? [] : rare)])
    expect.soft(seen).toContain(end);
});
