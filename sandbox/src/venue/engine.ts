import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { openJournal } from '../journal.ts';
import { cut, fixed, fixedText, product, quotient } from './fixed.ts';

/**
 * What the sandbox's crypto venue keeps: balances, orders and trades, each change on the disk before it is known. It trades against a book of its own around the
 * sandbox's prices, which is refilled at every tick: what an order cannot get at once it may get later.
 */

export const MARKETS = [
  {
    asset: 'BTC',
    altname: 'XBTUSD',
    name: 'XXBTZUSD',
    wsname: 'XBT/USD',
    base: 'XXBT',
    pairDecimals: 1,
    lotDecimals: 8,
    least: '0.00005',
  },
  {
    asset: 'ETH',
    altname: 'ETHUSD',
    name: 'XETHZUSD',
    wsname: 'ETH/USD',
    base: 'XETH',
    pairDecimals: 2,
    lotDecimals: 8,
    least: '0.001',
  },
  {
    asset: 'USDT',
    altname: 'USDTUSD',
    name: 'USDTZUSD',
    wsname: 'USDT/USD',
    base: 'USDT',
    pairDecimals: 5,
    lotDecimals: 8,
    least: '4',
  },
  {
    asset: 'USDC',
    altname: 'USDCUSD',
    name: 'USDCUSD',
    wsname: 'USDC/USD',
    base: 'USDC',
    pairDecimals: 4,
    lotDecimals: 8,
    least: '4',
  },
] as const;
export type MarketOf = (typeof MARKETS)[number];
export const QUOTE = 'ZUSD';
export const LEAST_COST = '0.5';

const START_BALANCES: Readonly<Record<string, string>> = {
  [QUOTE]: '25000000',
  XXBT: '150',
  XETH: '4000',
  USDT: '5000000',
  USDC: '5000000',
};
/** Of the cost; what a taker pays. */
const FEE_BASIS_POINTS = 26n;
/** Distance of the levels from the middle in basis points, and what each of them is worth in dollars. */
const LEVELS = [3n, 6n, 10n, 16n, 25n, 40n].map((distance) => ({ distance, usd: 60_000n }));

export interface Order {
  id: string;
  clientId: string | null;
  pair: string;
  side: 'buy' | 'sell';
  quantity: string;
  price: string;
  status: 'open' | 'closed' | 'canceled';
  reason: string | null;
  openedAt: number;
  closedAt: number | null;
}

export interface Trade {
  id: string;
  order: string;
  pair: string;
  side: 'buy' | 'sell';
  price: string;
  cost: string;
  fee: string;
  quantity: string;
  at: number;
}

type Entry =
  | { kind: 'order'; order: Order }
  | { kind: 'trade'; trade: Trade }
  | { kind: 'ended'; order: string; status: 'closed' | 'canceled'; reason: string | null; at: number }
  | { kind: 'nonce'; nonce: string }
  | { kind: 'balance'; asset: string; amount: string };

/** empty: no one trades. thin: each level holds a twentieth of what it usually does. */
export const BOOK_MODES = ['full', 'thin', 'empty'] as const;
export type BookMode = (typeof BOOK_MODES)[number];

export interface Engine {
  readonly orders: ReadonlyMap<string, Order>;
  readonly trades: readonly Trade[];
  balance(asset: string): string;
  balances(): Record<string, string>;
  /** Dollars for one whole unit, by the sandbox's prices. */
  mid(pair: string): bigint;
  levels(pair: string, side: 'bid' | 'ask'): { price: bigint; quantity: bigint }[];
  bookMode(): BookMode;
  setBookMode(mode: BookMode): void;
  /** Takes a nonce that is greater than every one before it. */
  takeNonce(nonce: string): Promise<boolean>;
  /** Opens an order and trades what the book holds. @throws VenueRefusal */
  place(order: Omit<Order, 'id' | 'status' | 'reason' | 'openedAt' | 'closedAt'>): Promise<Order>;
  /** @throws VenueRefusal */
  cancel(id: string, reason?: string): Promise<void>;
  setBalance(asset: string, amount: string): Promise<void>;
  /** Refills the book, and trades what is open. */
  tick(): Promise<void>;
  close(): Promise<void>;
}

/** A refusal in the venue's words, as EOrder:Insufficient funds. */
export class VenueRefusal extends Error {}

/** @throws SandboxFailure damaged */
export async function openEngine(dir: string, priceOf: (asset: string) => string): Promise<Engine> {
  const journal = await openJournal<Entry>(join(dir, 'venue.journal'), isEntry);
  const orders = new Map<string, Order>();
  const trades: Trade[] = [];
  const balances = new Map(Object.entries(START_BALANCES).map(([asset, amount]) => [asset, fixed(amount)]));
  let nonce = 0n;
  let mode: BookMode = 'full';
  /** What of the levels was taken since they were refilled, by pair, side and distance. */
  let taken = new Map<string, bigint>();
  let writing: Promise<unknown> = Promise.resolve();

  const add = (asset: string, amount: bigint) => balances.set(asset, (balances.get(asset) ?? 0n) + amount);
  function apply(entry: Entry): void {
    if (entry.kind === 'order') orders.set(entry.order.id, entry.order);
    else if (entry.kind === 'nonce') nonce = BigInt(entry.nonce);
    else if (entry.kind === 'balance') balances.set(entry.asset, fixed(entry.amount));
    else if (entry.kind === 'ended') {
      const order = orders.get(entry.order);
      if (order) orders.set(order.id, { ...order, status: entry.status, reason: entry.reason, closedAt: entry.at });
    } else {
      const { trade } = entry;
      const { base } = marketAt(trade.pair);
      const sign = trade.side === 'buy' ? 1n : -1n;
      trades.push(trade);
      add(base, sign * fixed(trade.quantity));
      add(QUOTE, -sign * fixed(trade.cost) - fixed(trade.fee));
    }
  }
  for (const entry of journal.entries) apply(entry);

  /** One change after another, each on the disk before it counts. */
  function inTurn<T>(work: (write: (entry: Entry) => Promise<void>) => Promise<T>): Promise<T> {
    const done = writing.then(() =>
      work(async (entry) => {
        await journal.append(entry);
        apply(entry);
      }),
    );
    writing = done.catch(() => undefined);
    return done;
  }

  const mid = (pair: string) => cut(fixed(priceOf(marketAt(pair).asset)), 8);
  const filledOf = (id: string) =>
    trades.filter(({ order }) => order === id).reduce((sum, { quantity }) => sum + fixed(quantity), 0n);
  function levels(pair: string, side: 'bid' | 'ask') {
    const middle = mid(pair);
    const share = mode === 'full' ? 1n : 20n;
    return LEVELS.flatMap(({ distance, usd }) => {
      const off = (middle * distance) / 10_000n;
      const price = cut(side === 'bid' ? middle - off : middle + off, marketAt(pair).pairDecimals);
      const whole = quotient(fixed(String(usd)) / share, price);
      const quantity = cut(whole - (taken.get(`${pair} ${side} ${distance}`) ?? 0n), marketAt(pair).lotDecimals);
      return mode === 'empty' || quantity <= 0n ? [] : [{ price, quantity, distance }];
    });
  }

  async function trade(id: string, write: (entry: Entry) => Promise<void>): Promise<void> {
    const order = orders.get(id);
    if (order?.status !== 'open') return;
    const side = order.side === 'buy' ? 'ask' : 'bid';
    const limit = fixed(order.price);
    for (const level of levels(order.pair, side)) {
      const rest = fixed(order.quantity) - filledOf(id);
      const isBeyond = order.side === 'buy' ? level.price > limit : level.price < limit;
      if (rest === 0n || isBeyond) break;
      const quantity = rest < level.quantity ? rest : level.quantity;
      const cost = product(quantity, level.price);
      const fee = (cost * FEE_BASIS_POINTS) / 10_000n;
      if (cost === 0n) break;
      const made: Trade = {
        id: newCode('T'),
        order: id,
        pair: order.pair,
        side: order.side,
        price: fixedText(level.price),
        cost: fixedText(cost),
        fee: fixedText(fee),
        quantity: fixedText(quantity),
        at: Date.now(),
      };
      await write({ kind: 'trade', trade: made });
      const key = `${order.pair} ${side} ${level.distance}`;
      taken.set(key, (taken.get(key) ?? 0n) + quantity);
    }
    if (filledOf(id) === fixed(order.quantity))
      await write({ kind: 'ended', order: id, status: 'closed', reason: null, at: Date.now() });
  }

  /** Without what open orders could still take. */
  function free(asset: string): bigint {
    const held = [...orders.values()]
      .filter(({ status }) => status === 'open')
      .reduce((sum, { id, pair, side, quantity, price }) => {
        const rest = fixed(quantity) - filledOf(id);
        if (side === 'sell') return marketAt(pair).base === asset ? sum + rest : sum;
        return asset === QUOTE ? sum + withFee(product(rest, fixed(price))) : sum;
      }, 0n);
    return (balances.get(asset) ?? 0n) - held;
  }

  return {
    orders,
    trades,
    balance: (asset) => fixedText(balances.get(asset) ?? 0n, 4),
    balances: () => Object.fromEntries([...balances].map(([asset, amount]) => [asset, fixedText(amount, 4)])),
    mid,
    levels,
    bookMode: () => mode,
    setBookMode(next) {
      mode = next;
    },
    takeNonce: (given) =>
      inTurn(async (write) => {
        if (BigInt(given) <= nonce) return false;
        await write({ kind: 'nonce', nonce: given });
        return true;
      }),
    place: (wish) =>
      inTurn(async (write) => {
        const market = marketAt(wish.pair);
        const [quantity, price] = [fixed(wish.quantity), fixed(wish.price)];
        if (cut(quantity, market.lotDecimals) !== quantity || cut(price, market.pairDecimals) !== price)
          throw new VenueRefusal('EOrder:Invalid price');
        if (quantity < fixed(market.least)) throw new VenueRefusal('EGeneral:Invalid arguments:volume minimum not met');
        if (product(quantity, price) < fixed(LEAST_COST)) throw new VenueRefusal('EOrder:Cost minimum not met');
        const isKnown = [...orders.values()].some((one) => one.clientId === wish.clientId && one.status === 'open');
        if (wish.clientId !== null && isKnown) throw new VenueRefusal('EOrder:Duplicate cl_ord_id');
        const [asset, needed] =
          wish.side === 'sell' ? [market.base, quantity] : [QUOTE, withFee(product(quantity, price))];
        if (free(asset) < needed) throw new VenueRefusal('EOrder:Insufficient funds');
        const id = newCode('O');
        await write({
          kind: 'order',
          order: { ...wish, id, status: 'open', reason: null, openedAt: Date.now(), closedAt: null },
        });
        await trade(id, write);
        return orders.get(id) as Order;
      }),
    cancel: (id, reason = 'User requested') =>
      inTurn(async (write) => {
        if (orders.get(id)?.status !== 'open') throw new VenueRefusal('EOrder:Unknown order');
        await write({ kind: 'ended', order: id, status: 'canceled', reason, at: Date.now() });
      }),
    setBalance: (asset, amount) =>
      inTurn((write) => write({ kind: 'balance', asset, amount: fixedText(fixed(amount)) })),
    tick: () =>
      inTurn(async (write) => {
        taken = new Map();
        for (const { id, status } of [...orders.values()]) if (status === 'open') await trade(id, write);
      }),
    async close() {
      await writing;
      await journal.close();
    },
  };
}

/** @throws VenueRefusal */
export function marketAt(pair: string): MarketOf {
  const market = MARKETS.find(({ altname, name, wsname }) => [altname, name, wsname].some((known) => known === pair));
  if (!market) throw new VenueRefusal('EQuery:Unknown asset pair');
  return market;
}

function withFee(cost: bigint): bigint {
  return cost + (cost * FEE_BASIS_POINTS) / 10_000n + 1n;
}

/** As the venue writes ids: OABCDE-FGHIJ-KLMNOP. */
function newCode(first: 'O' | 'T'): string {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
  const drawn = [...randomBytes(16)].map((byte) => letters[byte % 32]).join('');
  return `${first}${drawn.slice(0, 5)}-${drawn.slice(5, 10)}-${drawn.slice(10, 16)}`;
}

function isEntry(value: unknown): value is Entry {
  return typeof value === 'object' && value !== null && 'kind' in value;
}
