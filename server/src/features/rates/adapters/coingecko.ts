import * as z from 'zod/mini';
import { type Price, readPrice } from '../domain.ts';

/** Where prices come from. */
export interface PriceSource {
  /** The prices it has, at most one a coin; throws when it cannot be asked. */
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

const timeoutMs = 10_000;
const maxAnswerBytes = 65_536;

const answer = z.record(
  z.string(),
  z.looseObject({ usd: z.optional(z.unknown()), last_updated_at: z.optional(z.number()) }),
);

/**
 * Reads prices as CoinGecko's API v3 gives them (`GET /api/v3/simple/price`).
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
  url.searchParams.set('vs_currencies', 'usd');
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
  const prices: Price[] = [];
  for (const [id, entry] of Object.entries(answer.parse(body))) {
    const coin = coinById[id];
    const usd = readPrice(entry.usd);
    if (coin === undefined || usd === null) continue;
    const said = (entry.last_updated_at ?? Number.NaN) * 1000;
    prices.push({ coin, usd, updatedAt: said > 0 && said < now.getTime() ? new Date(said) : now });
  }
  return prices;
}
