import { currencyCodes } from '@causeway/contract/currencies.ts';
import { valuationCurrency } from '@causeway/contract/rates.ts';
import * as z from 'zod/mini';
import { crossPrice, type Price, readPrice } from '../domain.ts';

/** Where prices come from. */
export interface PriceSource {
  /** The prices it has, at most one an asset; throws when it cannot be asked. */
  fetchPrices(): Promise<Price[]>;
}

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

const sourceName = 'coingecko';
const timeoutMs = 10_000;
const maxAnswerBytes = 65_536;

const answer = z.record(z.string(), z.catchall(z.object({ last_updated_at: z.optional(z.number()) }), z.unknown()));

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
}): PriceSource {
  const added = (options.coins ?? []).flatMap(({ coin, priceId }) => (priceId === undefined ? [] : [[priceId, coin]]));
  const coinById: Record<string, string> = { ...knownCoins, ...Object.fromEntries(added) };
  const url = new URL('/api/v3/simple/price', options.url);
  url.searchParams.set('ids', Object.keys(coinById).join(','));
  url.searchParams.set('vs_currencies', currencyCodes.map((code) => code.toLowerCase()).join(','));
  url.searchParams.set('include_last_updated_at', 'true');
  url.searchParams.set('precision', 'full');
  const headers = { accept: 'application/json', ...(options.apiKey ? { 'x-cg-pro-api-key': options.apiKey } : {}) };
  return {
    async fetchPrices() {
      const response = await fetch(url, { headers, redirect: 'error', signal: AbortSignal.timeout(timeoutMs) });
      if (!response.ok) throw new Error(`the price source answered ${response.status}`);
      const text = await response.text();
      if (text.length > maxAnswerBytes) throw new Error(`the price source answered ${text.length} characters`);
      return pricesOf(JSON.parse(text), new Date(), coinById);
    },
  };
}

/** What of an answer is a price; an unknown coin or an impossible figure is left out. No price is from the future. */
function pricesOf(body: unknown, now: Date, coinById: Readonly<Record<string, string>>): Price[] {
  const entries = answer.parse(body);
  const prices: Price[] = [];
  for (const [id, entry] of Object.entries(entries)) {
    const asset = coinById[id];
    const usd = readPrice(entry['usd']);
    if (asset !== undefined && usd !== null) prices.push(priced(asset, usd, entry.last_updated_at, now));
  }
  const compared = entries[comparedIn];
  const inUsd = readPrice(compared?.['usd']);
  if (compared === undefined || inUsd === null) return prices;
  for (const currency of otherCurrencies) {
    const inCurrency = readPrice(compared[currency.toLowerCase()]);
    if (inCurrency !== null) {
      prices.push(priced(currency, crossPrice(inUsd, inCurrency), compared.last_updated_at, now));
    }
  }
  return prices;
}

function priced(asset: string, usd: string, said_s: number | undefined, now: Date): Price {
  const saidMs = (said_s ?? Number.NaN) * 1000;
  return { asset, usd, source: sourceName, updatedAt: saidMs > 0 && saidMs < now.getTime() ? new Date(saidMs) : now };
}
