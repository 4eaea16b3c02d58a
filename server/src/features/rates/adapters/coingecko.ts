import { currencyCodes } from '@causeway/contract/currencies.ts';
import { valuationCurrency } from '@causeway/contract/rates.ts';
import * as z from 'zod/mini';
import { readFigure } from '../crosses.ts';
import { crossPrice } from '../domain.ts';
import { ask, readJson, SourceFailure } from './asking.ts';
import type { RateSource, Said } from './source.ts';

/** CoinGecko's names of the coins that the program knows. */
const knownCoins: Record<string, string> = {
  bitcoin: 'BTC',
  ethereum: 'ETH',
  tether: 'USDT',
  'usd-coin': 'USDC',
  'hong-kong-dollar-token': 'HKDT',
};

/** The coin in which currencies are compared: what it costs in each, at one time, gives their rates. */
const comparedIn = 'bitcoin';
const otherCurrencies = currencyCodes.filter((currency) => currency !== valuationCurrency);

const maxAnswerBytes = 65_536;

const answer = z.record(z.string(), z.catchall(z.object({ last_updated_at: z.optional(z.unknown()) }), z.unknown()));

/**
 * Reads prices as CoinGecko's API v3 gives them (`GET /api/v3/simple/price`): each coin in US dollars, and one coin in every
 * currency, from which the currencies' rates follow.
 * @param options.url the API's origin; `apiKey` goes into the header of its paid plans
 */
export function createCoinGecko(options: {
  url: string;
  apiKey?: string | undefined;
  /** Configured coins with CoinGecko's names of them. */
  coins?: readonly { coin: string; priceId?: string | undefined }[];
  pollMs: number;
  maxAgeMs: number;
}): RateSource {
  const added = (options.coins ?? []).flatMap(({ coin, priceId }) => (priceId === undefined ? [] : [[priceId, coin]]));
  const coinById: Record<string, string> = { ...knownCoins, ...Object.fromEntries(added) };
  const url = new URL('/api/v3/simple/price', options.url);
  url.searchParams.set('ids', Object.keys(coinById).join(','));
  url.searchParams.set('vs_currencies', currencyCodes.map((code) => code.toLowerCase()).join(','));
  url.searchParams.set('include_last_updated_at', 'true');
  url.searchParams.set('precision', 'full');
  const headers = { accept: 'application/json', ...(options.apiKey ? { 'x-cg-pro-api-key': options.apiKey } : {}) };
  return {
    name: 'coingecko',
    role: 'price',
    values: true,
    pollMs: options.pollMs,
    maxAgeMs: options.maxAgeMs,
    async ask() {
      const { text, at } = await ask(url, { maxBytes: maxAnswerBytes, headers });
      const read = answer.safeParse(readJson(text));
      if (!read.success) throw new SourceFailure('unreadable', 'CoinGecko answered in another form');
      return saidIn(read.data, at, coinById);
    },
  };
}

/** What of an answer is about a known coin or a currency, whether or not it can be a price. */
function saidIn(
  entries: z.output<typeof answer>,
  answeredAt: Date,
  coinById: Readonly<Record<string, string>>,
): Said[] {
  const said: Said[] = [];
  for (const [id, entry] of Object.entries(entries)) {
    const asset = coinById[id];
    if (asset !== undefined && entry['usd'] !== undefined)
      said.push(saidOf(asset, entry['usd'], null, entry, answeredAt));
  }
  const compared = entries[comparedIn];
  if (compared?.['usd'] === undefined) return said;
  for (const currency of otherCurrencies) {
    const inCurrency = compared[currency.toLowerCase()];
    if (inCurrency !== undefined) said.push(saidOf(currency, compared['usd'], inCurrency, compared, answeredAt));
  }
  return said;
}

/** The price of an asset in dollars; with `inCurrency` that of the currency, from what one thing costs in both. */
function saidOf(
  asset: string,
  inUsd: unknown,
  inCurrency: unknown,
  { last_updated_at: updated_s }: { last_updated_at?: unknown },
  answeredAt: Date,
): Said {
  const figures = [readFigure(inUsd), inCurrency === null ? readFigure(1) : readFigure(inCurrency)] as const;
  const at = typeof updated_s === 'number' && updated_s > 0 ? new Date(updated_s * 1000) : answeredAt;
  const [usd, units] = figures;
  if (usd === null || units === null) return { asset, bid: '0', ask: '0', at, fault: 'unreadable' };
  if (usd.lte(0) || units.lte(0)) return { asset, bid: usd.toFixed(), ask: usd.toFixed(), at, fault: 'notPositive' };
  const price = crossPrice(usd.toFixed(), units.toFixed());
  return { asset, bid: price, ask: price, at, fault: null };
}
