import { createHash, randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import { dirname } from 'node:path';
import { readJson, writeDurably } from './durable-file.ts';
import { closeHttp, HTTP_TIMEOUTS, listenHttp } from './http-listen.ts';

/** live: prices walk. frozen: they stop and grow old. failing: every request gets 503. */
export const PRICE_MODES = ['live', 'frozen', 'failing'] as const;
export type PriceMode = (typeof PRICE_MODES)[number];

/** CoinGecko's ids, with the price in US dollars the walk starts from and how far one step goes at most. */
const COINS = {
  bitcoin: { start: 96_000, stride: 0.0012 },
  ethereum: { start: 3_400, stride: 0.0015 },
  tether: { start: 1.0002, stride: 0.00004 },
  'usd-coin': { start: 0.9999, stride: 0.00003 },
  'hong-kong-dollar-token': { start: 0.1284, stride: 0.00005 },
} as const;
export type PriceId = keyof typeof COINS;
export const PRICE_IDS = Object.keys(COINS).filter(isPriceId);

/** What one US dollar costs in each currency. The Hong Kong dollar's peg has the band 7.75 to 7.85. */
export const PER_USD: Readonly<Record<string, number>> = {
  aud: 1.53,
  cad: 1.4,
  cny: 7.11,
  eur: 0.865,
  gbp: 0.76,
  hkd: 7.79,
  jpy: 154.3,
  nzd: 1.76,
  sgd: 1.3,
  usd: 1,
};
/** How strongly a price is drawn back to where it was set, per step. */
const PULL = 0.02;

export type PriceState = {
  mode: PriceMode;
  step: number;
  seed: string;
  /** Seconds since 1970 of the newest step. */
  updatedAt: number;
  usd: Record<PriceId, number>;
  /** Where each price is drawn back to. */
  anchor: Record<PriceId, number>;
};

export type PriceFeed = {
  url: string;
  port: number;
  state(): PriceState;
  /** Changes the mode, sets prices in US dollars, or both; kept across restarts. */
  change(changes: { mode?: PriceMode; usd?: Partial<Record<PriceId, number>> }): Promise<void>;
  stop(): Promise<void>;
};

export type PriceFeedOptions = {
  /** Where prices are kept between runs; without it each run begins with the default prices. */
  file?: string;
  /** 0, the default, takes any free port. */
  port?: number;
  /** Default 10,000. */
  stepMs?: number;
};

/**
 * An HTTP server that speaks CoinGecko's `GET /api/v3/simple/price` and `/api/v3/ping`, as far as a reader of spot
 * prices uses them. Prices walk a little at every step, by a seeded walk that goes on where it stopped.
 *
 * @throws SandboxFailure port_taken
 */
export async function startPriceFeed(options: PriceFeedOptions = {}): Promise<PriceFeed> {
  let state = await load(options.file);

  async function save(): Promise<void> {
    if (options.file !== undefined) await writeDurably(options.file, JSON.stringify(state));
  }

  let saving = Promise.resolve();
  function saveInTurn(): Promise<void> {
    saving = saving.then(save, save);
    return saving;
  }

  const timer = setInterval(() => {
    if (state.mode !== 'live') return;
    state = walk(state);
    saveInTurn().catch((error: unknown) => console.error('prices could not be saved:', error));
  }, options.stepMs ?? 10_000);
  const server = createServer(HTTP_TIMEOUTS, (request, response) => {
    const { status, body } = answer(request, state);
    response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(body));
  });
  const port = await listenHttp(server, options.port ?? 0, 'the price feed');
  if (state.mode === 'live') state = walk(state);
  await saveInTurn();
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    state: () => state,
    async change({ mode = state.mode, usd = {} }) {
      state = {
        ...state,
        mode,
        usd: { ...state.usd, ...usd },
        anchor: { ...state.anchor, ...usd },
        updatedAt: mode === 'live' || Object.keys(usd).length > 0 ? seconds() : state.updatedAt,
      };
      await saveInTurn();
    },
    async stop() {
      clearInterval(timer);
      await closeHttp(server);
      await saving;
    },
  };
}

async function load(file: string | undefined): Promise<PriceState> {
  if (file !== undefined) {
    await mkdir(dirname(file), { recursive: true });
    const known = await readJson(file).catch(() => undefined);
    if (isState(known)) return known;
  }
  const usd = {
    bitcoin: COINS.bitcoin.start,
    ethereum: COINS.ethereum.start,
    tether: COINS.tether.start,
    'usd-coin': COINS['usd-coin'].start,
    'hong-kong-dollar-token': COINS['hong-kong-dollar-token'].start,
  };
  return { mode: 'live', step: 0, seed: randomBytes(8).toString('hex'), updatedAt: seconds(), usd, anchor: usd };
}

/** One step on: the same seed and step number always move a price by the same part. */
function walk(state: PriceState): PriceState {
  const step = state.step + 1;
  const usd = { ...state.usd };
  for (const id of PRICE_IDS) {
    const drawn = createHash('sha256').update(`${state.seed} ${step} ${id}`).digest().readUInt32BE(0) / 0xffffffff;
    const pull = (state.anchor[id] / usd[id] - 1) * PULL;
    usd[id] = Number((usd[id] * (1 + (drawn * 2 - 1) * COINS[id].stride + pull)).toPrecision(8));
  }
  return { ...state, step, usd, updatedAt: seconds() };
}

function answer(request: IncomingMessage, state: PriceState): { status: number; body: unknown } {
  const url = new URL(request.url ?? '/', 'http://price-feed');
  if (state.mode === 'failing') return { status: 503, body: { error: 'service unavailable' } };
  if (url.pathname === '/readyz') return { status: 200, body: { status: 'ready' } };
  if (url.pathname === '/api/v3/ping') return { status: 200, body: { gecko_says: '(V3) To the Moon!' } };
  if (request.method !== 'GET' || url.pathname !== '/api/v3/simple/price') {
    return { status: 404, body: { error: 'not found' } };
  }
  const ids = list(url, 'ids');
  const currencies = list(url, 'vs_currencies');
  if (ids.length === 0) return { status: 422, body: { error: 'Missing parameter ids' } };
  if (currencies.length === 0) return { status: 422, body: { error: 'Missing parameter vs_currencies' } };
  const withTime = url.searchParams.get('include_last_updated_at') === 'true';
  const known = ids.filter(isPriceId);
  return { status: 200, body: Object.fromEntries(known.map((id) => [id, quote(state, id, currencies, withTime)])) };
}

function quote(state: PriceState, id: PriceId, currencies: string[], withTime: boolean): Record<string, number> {
  const usd = state.usd[id];
  const quotes = currencies.flatMap((currency): [string, number][] => {
    const perUsd = PER_USD[currency];
    return perUsd === undefined ? [] : [[currency, Number((usd * perUsd).toPrecision(8))]];
  });
  return { ...Object.fromEntries(quotes), ...(withTime ? { last_updated_at: state.updatedAt } : {}) };
}

function list(url: URL, name: string): string[] {
  return (url.searchParams.get(name) ?? '')
    .split(',')
    .map((part) => part.trim().toLowerCase())
    .filter((part) => part !== '');
}

function seconds(): number {
  return Math.floor(Date.now() / 1000);
}

export function isPriceId(id: string): id is PriceId {
  return Object.hasOwn(COINS, id);
}

function isState(value: unknown): value is PriceState {
  return (
    typeof value === 'object' &&
    value !== null &&
    'usd' in value &&
    'anchor' in value &&
    'seed' in value &&
    'step' in value
  );
}
