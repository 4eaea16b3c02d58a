import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { mkdir, mkdtemp, readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeDurably } from '../durable-file.ts';
import { isForeign } from '../http-listen.ts';
import { bodyOf, sendHalf, sendJson, startHttp } from '../http-service.ts';
import { keyFiles } from './configuration.ts';
import {
  type Engine,
  LEAST_COST,
  MARKETS,
  marketAt,
  type Order,
  openEngine,
  QUOTE,
  type Trade,
  VenueRefusal,
} from './engine.ts';
import { fixed, fixedText } from './fixed.ts';

/**
 * The sandbox's crypto venue: Kraken's REST API (spot) as far as an own client of it places, follows and cancels orders, with its signatures, nonces, deadlines, errors
 * and rate limit.
 */

/**
 * down: nothing listens. slow: requests are carried out late, and answered. mute: they are carried out, and the connection is closed without an answer. lost: they are neither
 * carried out nor answered. half: half an answer. failing: an error of the server, and nothing is carried out. refusing: the venue takes no orders. limited: too many
 * requests.
 */
export const VENUE_MODES = ['ok', 'down', 'slow', 'mute', 'lost', 'half', 'failing', 'refusing', 'limited'] as const;
export type VenueMode = (typeof VENUE_MODES)[number];

export type VenueServer = {
  readonly port: number;
  readonly url: string;
  readonly dir: string;
  readonly engine: Engine;
  /** The files of the API key and of its private key. */
  readonly keys: { apiKeyFile: string; privateKeyFile: string };
  mode(): VenueMode;
  /** With `orders`, only requests that place or cancel orders are disturbed. */
  setMode(mode: VenueMode, options?: { delayMs?: number; only?: 'orders' }): Promise<void>;
  stop(): Promise<void>;
};

export type VenueOptions = {
  /** Without it, a new folder that is forgotten. */
  dir?: string;
  port?: number;
  /** Dollars for one whole unit of an asset, a plain decimal. */
  priceOf: (asset: string) => string;
  /** How often the book is refilled; 0: by `engine.tick` alone. Default 2,000. */
  tickMs?: number;
  /** Requests that may be made at once, and by how many a second the count falls. */
  rate?: { most: number; perSecond: number };
};

const SLOW_MS = 5_000;
const LARGEST_BODY = 100_000;
/** As accounts of the tier "Pro". */
const USUAL_RATE = { most: 20, perSecond: 1 };
const FREE_OF_RATE = ['AddOrder', 'CancelOrder'];

type Parameters = URLSearchParams;

/** @throws SandboxFailure port_taken, damaged */
export async function startVenue(options: VenueOptions): Promise<VenueServer> {
  const dir = options.dir ?? (await mkdtemp(join(tmpdir(), 'causeway-venue-')));
  await mkdir(dir, { recursive: true });
  const keys = keyFiles(dir);
  const apiKey = await kept(keys.apiKeyFile, () => randomBytes(42).toString('base64'));
  const privateKey = await kept(keys.privateKeyFile, () => randomBytes(64).toString('base64'));
  const engine = await openEngine(dir, options.priceOf);
  const rate = options.rate ?? USUAL_RATE;
  let mode: VenueMode = 'ok';
  let isOrdersOnly = false;
  let delayMs = SLOW_MS;
  let used = { count: 0, at: Date.now() };

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://venue');
    const method = url.pathname.split('/').at(-1) ?? '';
    const isOrder = FREE_OF_RATE.includes(method);
    const faced: VenueMode = isOrdersOnly && !isOrder ? 'ok' : mode;
    if (isForeign(request)) return sendJson(response, 403, { error: ['EGeneral:Permission denied'] });
    if (url.pathname === '/readyz') return sendJson(response, 200, { status: 'ready' });
    const body = await bodyOf(request, LARGEST_BODY);
    if (body === null) throw new VenueRefusal('EGeneral:Invalid arguments');
    if (faced === 'lost') return void request.socket.destroy();
    if (faced === 'failing') return sendJson(response, 520, { error: ['EService:Unavailable'] });
    if (faced === 'slow') await new Promise((resolve) => setTimeout(resolve, delayMs));
    const answer = await answerOf(request, url, body, faced).catch((error: unknown) => {
      if (error instanceof VenueRefusal) return { error: [error.message] };
      if (error instanceof RangeError) return { error: ['EGeneral:Invalid arguments'] };
      throw error;
    });
    if (faced === 'mute') return void request.socket.destroy();
    if (faced === 'half') return sendHalf(response, 200, answer);
    sendJson(response, 200, answer);
  }

  async function answerOf(request: IncomingMessage, url: URL, body: string, faced: VenueMode): Promise<unknown> {
    const [, scope, method = ''] = /^\/0\/(public|private)\/(\w+)$/.exec(url.pathname) ?? [];
    const isPost = request.method === 'POST';
    const parameters = new URLSearchParams(isPost ? body : url.search);
    if (scope === 'public') return { error: [], result: publicCall(engine, method, parameters) };
    if (scope !== 'private' || !isPost) throw new VenueRefusal('EGeneral:Unknown method');
    await authenticate(request, url.pathname, body, parameters);
    if (faced === 'limited')
      throw new VenueRefusal(FREE_OF_RATE.includes(method) ? 'EOrder:Rate limit exceeded' : 'EAPI:Rate limit exceeded');
    if (!FREE_OF_RATE.includes(method)) countRequest();
    if (method === 'AddOrder' && faced === 'refusing') throw new VenueRefusal('EOrder:Trading agreement required');
    return { error: [], result: await privateCall(engine, method, parameters) };
  }

  async function authenticate(request: IncomingMessage, path: string, body: string, parameters: Parameters) {
    const { 'api-key': key, 'api-sign': signature } = request.headers;
    if (key !== apiKey) throw new VenueRefusal('EAPI:Invalid key');
    const nonce = parameters.get('nonce') ?? '';
    if (!/^\d{1,20}$/.test(nonce)) throw new VenueRefusal('EAPI:Invalid nonce');
    const digest = createHash('sha256').update(`${nonce}${body}`).digest();
    const expected = createHmac('sha512', Buffer.from(privateKey, 'base64')).update(path).update(digest).digest();
    const given = Buffer.from(typeof signature === 'string' ? signature : '', 'base64');
    if (given.length !== expected.length || !timingSafeEqual(given, expected))
      throw new VenueRefusal('EAPI:Invalid signature');
    if (!(await engine.takeNonce(nonce))) throw new VenueRefusal('EAPI:Invalid nonce');
  }

  function countRequest(): void {
    const now = Date.now();
    const count = Math.max(0, used.count - ((now - used.at) / 1000) * rate.perSecond) + 1;
    used = { count, at: now };
    if (count > rate.most) throw new VenueRefusal('EAPI:Rate limit exceeded');
  }

  const service = await startHttp({
    port: options.port,
    purpose: "the sandbox's crypto venue",
    serve,
    failed(response, error) {
      console.error("the sandbox's venue failed:", error);
      sendJson(response, 200, { error: ['EGeneral:Internal error'] });
    },
  });
  const tickMs = options.tickMs ?? 2_000;
  const ticking =
    tickMs > 0 ? setInterval(() => engine.tick().catch((error: unknown) => console.error(error)), tickMs) : undefined;
  return {
    port: service.port,
    url: service.url,
    dir,
    engine,
    keys,
    mode: () => mode,
    async setMode(next, { delayMs: delay = SLOW_MS, only } = {}) {
      await service.setDown(next === 'down');
      [mode, delayMs, isOrdersOnly] = [next, delay, only === 'orders'];
    },
    async stop() {
      clearInterval(ticking);
      await service.stop();
      await engine.close();
    },
  };
}

async function kept(file: string, make: () => string): Promise<string> {
  const known = await readFile(file, 'utf8').catch(() => '');
  if (known.trim() !== '') return known.trim();
  const made = make();
  await writeDurably(file, `${made}\n`);
  return made;
}

function publicCall(engine: Engine, method: string, parameters: Parameters): unknown {
  const asked = (parameters.get('pair') ?? '').split(',').filter((pair) => pair !== '');
  switch (method) {
    case 'Time':
      return { unixtime: Math.floor(Date.now() / 1000), rfc1123: new Date().toUTCString() };
    case 'SystemStatus':
      return { status: 'online', timestamp: new Date().toISOString() };
    case 'AssetPairs': {
      const markets = asked.length === 0 ? MARKETS : asked.map(marketAt);
      return Object.fromEntries(
        markets.map(({ name, altname, wsname, base, pairDecimals, lotDecimals, least }) => [
          name,
          {
            ...{ altname, wsname, aclass_base: 'currency', base, aclass_quote: 'currency', quote: QUOTE },
            ...{ pair_decimals: pairDecimals, lot_decimals: lotDecimals, cost_decimals: 5, lot_multiplier: 1 },
            ...{
              fees: [[0, 0.26]],
              fee_volume_currency: QUOTE,
              ordermin: least,
              costmin: LEAST_COST,
              status: 'online',
            },
            tick_size: fixedText(fixed('1') / 10n ** BigInt(pairDecimals)),
          },
        ]),
      );
    }
    case 'Depth': {
      const market = marketAt(asked[0] ?? '');
      const side = (name: 'bid' | 'ask') =>
        engine
          .levels(market.altname, name)
          .map(({ price, quantity }) => [fixedText(price), fixedText(quantity, 3), Math.floor(Date.now() / 1000)]);
      return { [market.name]: { asks: side('ask'), bids: side('bid') } };
    }
    default:
      throw new VenueRefusal('EGeneral:Unknown method');
  }
}

async function privateCall(engine: Engine, method: string, parameters: Parameters): Promise<unknown> {
  const withTrades = parameters.get('trades') === 'true';
  const shown = (orders: readonly Order[]) =>
    Object.fromEntries(orders.map((order) => [order.id, shownOrder(engine, order, withTrades)]));
  const all = [...engine.orders.values()];
  const ofClient = (order: Order) => order.clientId === (parameters.get('cl_ord_id') ?? order.clientId);
  const ids = (parameters.get('txid') ?? '').split(',');
  switch (method) {
    case 'Balance':
      return engine.balances();
    case 'AddOrder':
      return addOrder(engine, parameters);
    case 'CancelOrder': {
      const wanted = all.find(
        ({ id, clientId }) => id === ids[0] || (clientId !== null && clientId === parameters.get('cl_ord_id')),
      );
      await engine.cancel(wanted?.id ?? '');
      return { count: 1 };
    }
    case 'OpenOrders':
      return { open: shown(all.filter((order) => order.status === 'open' && ofClient(order))) };
    case 'ClosedOrders': {
      const from = Number(parameters.get('start') ?? 0);
      const closed = all.filter(
        (order) => order.status !== 'open' && ofClient(order) && (order.closedAt ?? 0) / 1000 > from,
      );
      return { closed: shown(closed.reverse().slice(0, 50)), count: closed.length };
    }
    case 'QueryOrders': {
      const found = all.filter(({ id }) => ids.includes(id));
      if (found.length === 0) throw new VenueRefusal('EOrder:Unknown order');
      return shown(found);
    }
    case 'QueryTrades':
      return Object.fromEntries(
        engine.trades.filter(({ id }) => ids.includes(id)).map((trade) => [trade.id, shownTrade(trade)]),
      );
    case 'TradesHistory': {
      const latest = [...engine.trades].reverse();
      return {
        trades: Object.fromEntries(latest.slice(0, 50).map((trade) => [trade.id, shownTrade(trade)])),
        count: latest.length,
      };
    }
    default:
      throw new VenueRefusal('EGeneral:Unknown method');
  }
}

async function addOrder(engine: Engine, parameters: Parameters): Promise<unknown> {
  const deadline = Date.parse(parameters.get('deadline') ?? '');
  if (!Number.isNaN(deadline) && deadline < Date.now()) throw new VenueRefusal('EService:Deadline elapsed');
  const side = parameters.get('type');
  const clientId = parameters.get('cl_ord_id');
  if (parameters.get('ordertype') !== 'limit' || (side !== 'buy' && side !== 'sell'))
    throw new VenueRefusal('EGeneral:Invalid arguments');
  if (clientId !== null && !/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(clientId))
    throw new VenueRefusal('EGeneral:Invalid arguments:cl_ord_id');
  const { altname } = marketAt(parameters.get('pair') ?? '');
  const wish = {
    pair: altname,
    side,
    clientId,
    quantity: parameters.get('volume') ?? '',
    price: parameters.get('price') ?? '',
  } as const;
  const order = await engine.place(wish);
  return { descr: { order: `${side} ${wish.quantity} ${altname} @ limit ${wish.price}` }, txid: [order.id] };
}

function shownOrder(engine: Engine, order: Order, withTrades: boolean): unknown {
  const trades = engine.trades.filter((trade) => trade.order === order.id);
  const sum = (of: (trade: Trade) => string) => trades.reduce((total, trade) => total + fixed(of(trade)), 0n);
  const [filled, cost] = [sum(({ quantity }) => quantity), sum((trade) => trade.cost)];
  const { clientId, pair, side, quantity, price, status, reason, openedAt, closedAt } = order;
  return {
    ...{
      refid: null,
      userref: null,
      cl_ord_id: clientId,
      status,
      reason,
      opentm: openedAt / 1000,
      starttm: 0,
      expiretm: 0,
    },
    ...(closedAt === null ? {} : { closetm: closedAt / 1000 }),
    descr: {
      pair,
      type: side,
      ordertype: 'limit',
      price,
      price2: '0',
      leverage: 'none',
      order: `${side} ${quantity} ${pair} @ limit ${price}`,
      close: '',
    },
    ...{ vol: fixedText(fixed(quantity), 8), vol_exec: fixedText(filled, 8), cost: fixedText(cost, 5) },
    fee: fixedText(
      sum(({ fee }) => fee),
      5,
    ),
    price: filled === 0n ? '0.00000' : fixedText((cost * fixed('1')) / filled, 5),
    ...{ stopprice: '0.00000', limitprice: '0.00000', misc: '', oflags: 'fciq' },
    ...(withTrades && trades.length > 0 ? { trades: trades.map((trade) => trade.id) } : {}),
  };
}

function shownTrade({ order, pair, side, price, cost, fee, quantity, at }: Trade): unknown {
  return {
    ...{ ordertxid: order, postxid: '', pair: marketAt(pair).name, time: at / 1000, type: side, ordertype: 'limit' },
    ...{ price, cost, fee, vol: quantity, margin: '0.00000', misc: '', ledgers: [] },
  };
}
