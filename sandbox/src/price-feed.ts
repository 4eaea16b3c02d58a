import { createHash, randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { dirname } from 'node:path';
import { readJson, writeDurably } from './durable-file.ts';
import { startHttp } from './http-service.ts';
import {
  answerOf,
  PER_USD,
  type PriceSourceName,
  type Quotes,
  type SourceAnswer,
  type SourceConduct,
  sourceOf,
} from './price-sources.ts';

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
  /** How each source does that is not as it should be. */
  sources?: Partial<Record<PriceSourceName, SourceConduct>>;
};

export type PriceFeed = {
  url: string;
  port: number;
  state(): PriceState;
  /** Changes the mode of all sources, how some do, or prices in US dollars; kept across restarts. */
  change(changes: {
    mode?: PriceMode;
    usd?: Partial<Record<PriceId, number>>;
    sources?: Partial<Record<PriceSourceName, SourceConduct>>;
  }): Promise<void>;
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
 * An HTTP server that speaks the protocols of four sources as far as a reader of spot prices uses them: CoinGecko's
 * `GET /api/v3/simple/price` and `/api/v3/ping`, Kraken's `GET /0/public/Ticker`, Bitstamp's `GET /api/v2/ticker/` and the ECB's
 * `eurofxref-daily.xml`. Prices walk a little at every step, by a seeded walk that goes on where it stopped; sources misbehave one by one.
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
  const service = await startHttp({
    port: options.port,
    purpose: 'the price feed',
    async serve(request, response) {
      const { status, body, headers = {} } = await answer(request, state);
      const text = typeof body === 'string' ? body : JSON.stringify(body);
      response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers }).end(text);
    },
    failed: (response) => void response.destroy(),
  });
  if (state.mode === 'live') state = walk(state);
  await saveInTurn();
  return {
    url: service.url,
    port: service.port,
    state: () => state,
    async change({ mode = state.mode, usd = {}, sources = {} }) {
      state = {
        ...state,
        sources: { ...state.sources, ...sources },
        mode,
        usd: { ...state.usd, ...usd },
        anchor: { ...state.anchor, ...usd },
        updatedAt: mode === 'live' || Object.keys(usd).length > 0 ? seconds() : state.updatedAt,
      };
      await saveInTurn();
    },
    async stop() {
      clearInterval(timer);
      await service.stop();
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

async function answer(request: IncomingMessage, state: PriceState): Promise<SourceAnswer> {
  const url = new URL(request.url ?? '/', 'http://price-feed');
  if (state.mode === 'failing') return { status: 503, body: { error: 'service unavailable' } };
  if (url.pathname === '/readyz') return { status: 200, body: { status: 'ready' } };
  if (url.pathname === '/api/v3/ping') return { status: 200, body: { gecko_says: '(V3) To the Moon!' } };
  const source = request.method === 'GET' ? sourceOf(url) : undefined;
  if (source === undefined) return { status: 404, body: { error: 'not found' } };
  return answerOf(source, url, quotesOf(state), state.sources?.[source] ?? { mode: 'ok' });
}

/** What every asset costs in US dollars now. */
function quotesOf({ usd, updatedAt }: PriceState): Quotes {
  const coins = {
    BTC: usd.bitcoin,
    ETH: usd.ethereum,
    USDT: usd.tether,
    USDC: usd['usd-coin'],
    HKDT: usd['hong-kong-dollar-token'],
  };
  const currencies = Object.entries(PER_USD).map(([code, perUsd]) => [code.toUpperCase(), 1 / perUsd]);
  return { dollars: { ...coins, ...Object.fromEntries(currencies) }, coins: usd, updatedAt };
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
