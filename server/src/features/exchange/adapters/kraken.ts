import { Decimal } from 'decimal.js';
import * as z from 'zod';
import type { KrakenConfig } from '../../../platform/config/liquidity.ts';
import { type Fill, type Market, type Venue, VenueError, type VenueOrder } from '../hedging/venue.ts';
import { createKrakenClient, type KrakenClient } from './kraken-client.ts';

/** Kraken as a venue: limit orders under our own id (`cl_ord_id`), placed before their deadline or not at all. */

const marketsEveryMs = 600_000;
/** Orders are looked for from this long before they were sent on, for clocks that differ. */
const lookBackMs = 3_600_000;
const mostTradesAtOnce = 20;
/** Its lists of orders may be a little behind its answers. */
const settleMs = 60_000;

const number = z.string().regex(/^\d+(\.\d+)?$/);
const pairs = z.record(
  z.string(),
  z.object({
    altname: z.string(),
    base: z.string(),
    quote: z.string(),
    pair_decimals: z.string(),
    lot_decimals: z.string(),
    ordermin: number,
    costmin: number.default('0'),
    status: z.string().default('online'),
  }),
);
const placed = z.object({ txid: z.array(z.string().min(1)).min(1) });
const orderInfo = z.object({
  cl_ord_id: z.string().nullish(),
  status: z.enum(['pending', 'open', 'closed', 'canceled', 'expired']),
  vol_exec: number,
  reason: z.string().nullish(),
  descr: z.object({ pair: z.string() }),
  trades: z.array(z.string()).default([]),
});
type OrderInfo = z.output<typeof orderInfo>;
const orders = z.record(z.string(), orderInfo);
const tradeInfo = z.object({
  ordertxid: z.string(),
  time: z.string(),
  price: number,
  cost: number,
  fee: number,
  vol: number,
});
const balances = z.record(z.string(), z.string());

/** @param nextNonce as `createKrakenClient` asks for it */
export function createKraken(config: KrakenConfig, nextNonce: () => Promise<string>): Venue {
  const client = createKrakenClient(config, nextNonce);
  let known: { at: number; markets: Map<string, KnownMarket> } | null = null;

  async function markets(): Promise<Map<string, KnownMarket>> {
    if (known !== null && Date.now() - known.at < marketsEveryMs) return known.markets;
    const markets = await readMarkets(client, config);
    known = { at: Date.now(), markets };
    return markets;
  }

  return {
    id: config.venue,
    assets: config.pairs.map(({ asset }) => asset),
    settleMs,
    async marketOf(asset) {
      const market = (await markets()).get(asset);
      return market?.isOnline ? market : null;
    },
    async place({ id, pair, side, quantity, limitPrice, deadline }) {
      const answer = await client.call('AddOrder', placed, {
        ordertype: 'limit',
        type: side,
        pair,
        volume: quantity,
        price: limitPrice,
        cl_ord_id: id,
        // The fee in the counter-asset, on both sides.
        oflags: 'fciq',
        deadline: deadline.toISOString(),
      });
      const [txid] = answer.txid;
      if (txid === undefined) throw new VenueError('unknown', 'AddOrder: no order in the answer');
      return txid;
    },
    async find({ id, venueId, counter, sentAt }) {
      const found = await findOrder(client, { id, venueId, sentAt });
      return found && orderOf(client, found, counter);
    },
    async cancel({ venueId }) {
      await client.call('CancelOrder', z.unknown(), { txid: venueId }).catch((error: unknown) => {
        // It has ended meanwhile: the next look says how.
        if (error instanceof VenueError && /^EOrder:(Unknown order|Invalid order)/.test(error.message)) return;
        throw error;
      });
    },
    async balances() {
      const given = await client.call('Balance', balances);
      const named = [...(await markets()).values()].flatMap((market) => [
        [market.asset, market.base] as const,
        [market.counter, market.quote] as const,
      ]);
      return Object.fromEntries(named.map(([asset, name]) => [asset, given[name] ?? '0']));
    },
  };
}

interface KnownMarket extends Market {
  isOnline: boolean;
  /** What the venue calls the assets. */
  base: string;
  quote: string;
}

async function readMarkets(client: KrakenClient, config: KrakenConfig): Promise<Map<string, KnownMarket>> {
  const listed = Object.values(
    await client.ask('AssetPairs', pairs, { pair: config.pairs.map(({ pair }) => pair).join(',') }),
  );
  return new Map(
    config.pairs.flatMap(({ asset, counter, pair }) => {
      const market = listed.find(({ altname }) => altname === pair);
      if (!market) return [];
      const read: KnownMarket = {
        asset,
        counter,
        pair,
        base: market.base,
        quote: market.quote,
        isOnline: market.status === 'online',
        quantityDecimals: Number(market.lot_decimals),
        priceDecimals: Number(market.pair_decimals),
        leastQuantity: market.ordermin,
        leastCost: market.costmin,
      };
      return [[asset, read] as const];
    }),
  );
}

interface Found {
  txid: string;
  order: OrderInfo;
}

/**
 * By its own id where it is known. Else first among the open orders and then among the closed ones: an order goes from the first to the second, so that one that is there
 * when the question begins is in one of them.
 */
async function findOrder(
  client: KrakenClient,
  { id, venueId, sentAt }: { id: string; venueId: string | null; sentAt: Date },
): Promise<Found | null> {
  if (venueId !== null) {
    const order = (await client.call('QueryOrders', orders, { txid: venueId, trades: 'true' }))[venueId];
    return order ? { txid: venueId, order } : null;
  }
  const { open } = await client.call('OpenOrders', z.object({ open: orders }), { cl_ord_id: id, trades: 'true' });
  const start = String(Math.floor((sentAt.getTime() - lookBackMs) / 1000));
  const found =
    ofOurs(open, id) ??
    ofOurs(
      (await client.call('ClosedOrders', z.object({ closed: orders }), { cl_ord_id: id, start, trades: 'true' }))
        .closed,
      id,
    );
  return found;
}

/** What is found must be ours, whatever the venue has made of the filter. */
function ofOurs(found: Readonly<Record<string, OrderInfo>>, id: string): Found | null {
  const [txid, order] = Object.entries(found).find(([, each]) => each.cl_ord_id === id) ?? [];
  return txid !== undefined && order ? { txid, order } : null;
}

async function orderOf(client: KrakenClient, { txid, order }: Found, counter: string): Promise<VenueOrder> {
  const fills: Fill[] = [];
  for (let from = 0; from < order.trades.length; from += mostTradesAtOnce) {
    const ids = order.trades.slice(from, from + mostTradesAtOnce);
    const trades = await client.call('QueryTrades', z.record(z.string(), tradeInfo), { txid: ids.join(',') });
    for (const [tradeId, trade] of Object.entries(trades)) {
      if (trade.ordertxid !== txid) throw new VenueError('unknown', `QueryTrades: ${tradeId} is of another order`);
      const at = new Date(new Decimal(trade.time).times(1000).toDecimalPlaces(0).toNumber());
      const { vol: quantity, price, cost, fee } = trade;
      fills.push({ tradeId, quantity, price, cost, fee, feeAsset: counter, at });
    }
  }
  return {
    venueId: txid,
    isOpen: order.status === 'open' || order.status === 'pending',
    filled: order.vol_exec,
    fills,
    reason: order.reason ?? (order.status === 'closed' ? null : order.status),
  };
}
