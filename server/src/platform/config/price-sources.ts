import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { ConfigError } from './config.ts';

/**
 * The sources of middle prices beside CoinGecko, from the JSON file that PRICE_SOURCES_FILE names. A source that is not listed is not
 * asked; without the file CoinGecko alone is.
 */

const asset = z.string().regex(/^[A-Z][A-Z0-9]{1,9}$/, 'wants 2 to 10 capital letters or digits, for example EUR');
const basisPoints = z.number().int().min(1).max(10_000);
const needed = z.number().int().min(1).max(10);

/** Addresses have no secrets: none of these sources needs a key. */
const sourceUrl = z.url({ protocol: /^https?$/ }).refine((text) => {
  const { protocol, hostname, username, password, search } = new URL(text);
  const isPrivate = protocol === 'https:' || ['127.0.0.1', '[::1]', 'localhost'].includes(hostname);
  return isPrivate && username === '' && password === '' && search === '';
}, 'wants https:, or this machine, without a user or a query');

const polling = (pollMs: number, maxAgeMs: number, most: number) => ({
  pollMs: z.number().int().min(50).max(86_400_000).default(pollMs),
  maxAgeMs: z.number().int().min(1000).max(most).default(maxAgeMs),
});

/** The exchange's name of a pair, and what it is a pair of: `"XXBTZUSD": "BTC/USD"`. */
const pairs = (known: Readonly<Record<string, string>>) =>
  z
    .record(z.string().regex(/^[A-Za-z0-9./_-]{1,30}$/), z.string().regex(/^[A-Z][A-Z0-9]{1,9}\/[A-Z][A-Z0-9]{1,9}$/))
    .refine((all) => Object.keys(all).length > 0, 'wants at least one pair')
    .default(known)
    .transform((all) =>
      Object.fromEntries(
        Object.entries(all).map(([name, pair]) => {
          const [base = '', quote = ''] = pair.split('/');
          return [name, { base, quote }];
        }),
      ),
    );

const ticker = (origin: string, known: Readonly<Record<string, string>>) =>
  z.strictObject({ url: sourceUrl.default(origin), pairs: pairs(known), ...polling(10_000, 60_000, 600_000) });

const krakenPairs = {
  XXBTZUSD: 'BTC/USD',
  XETHZUSD: 'ETH/USD',
  USDTZUSD: 'USDT/USD',
  USDCUSD: 'USDC/USD',
  ZEURZUSD: 'EUR/USD',
  ZGBPZUSD: 'GBP/USD',
  AUDUSD: 'AUD/USD',
  ZUSDZCAD: 'USD/CAD',
  ZUSDZJPY: 'USD/JPY',
};
const bitstampPairs = Object.fromEntries(
  ['BTC/USD', 'ETH/USD', 'USDT/USD', 'USDC/USD', 'EUR/USD', 'GBP/USD'].map((pair) => [pair, pair]),
);

const dayMs = 86_400_000;
const ecbUrl = 'https://www.ecb.europa.eu/stats/eurofxref/eurofxref-daily.xml';

const priceSourcesSchema = z.strictObject({
  /** How many sources must agree on a price, and per asset what differs. */
  needed: needed.default(2),
  assets: z
    .record(
      asset,
      z.strictObject({
        needed: z.exactOptional(needed),
        disagreementBp: z.exactOptional(basisPoints),
        jumpBp: z.exactOptional(basisPoints),
        wideBp: z.exactOptional(basisPoints),
      }),
    )
    .default({}),
  /** Of PRICES_URL. */
  coingecko: z.strictObject(polling(30_000, 180_000, 600_000)).prefault({}),
  kraken: ticker('https://api.kraken.com', krakenPairs).optional(),
  bitstamp: ticker('https://www.bitstamp.net', bitstampPairs).optional(),
  /** Reference rates of a working day; over holidays the last ones are up to five days old. */
  ecb: z.strictObject({ url: sourceUrl.default(ecbUrl), ...polling(3_600_000, 7 * dayMs, 30 * dayMs) }).optional(),
});

export type PriceSourcesConfig = z.output<typeof priceSourcesSchema>;
export type TickerConfig = NonNullable<PriceSourcesConfig['kraken']>;
export type ReferenceConfig = NonNullable<PriceSourcesConfig['ecb']>;

/** @throws ConfigError when the file is missing or wrong */
export function readPriceSources(file: string | undefined): PriceSourcesConfig {
  if (file === undefined) return priceSourcesSchema.parse({});
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ConfigError(`PRICE_SOURCES_FILE names ${file}, which cannot be read: ${reason}`);
  }
  const result = priceSourcesSchema.safeParse(content);
  if (result.success) return result.data;
  const lines = result.error.issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`);
  throw new ConfigError(`PRICE_SOURCES_FILE names ${file}, which is not usable:\n${lines.join('\n')}`);
}
