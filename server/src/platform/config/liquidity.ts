import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { ConfigError } from './config.ts';

/** The venues at which the platform hedges, from the JSON file that LIQUIDITY_FILE names: a list. Without it nothing is hedged. */

const venueId = z.string().regex(/^[a-z][a-z0-9-]{0,31}$/);
const asset = z.string().regex(/^[A-Z][A-Z0-9]{1,9}$/);
const secretFile = z.string().min(1);
const dollars = z.number().int().min(1).max(1_000_000_000);

const shared = {
  venue: venueId,
  url: z.url().refine(isPrivate, 'wants https:, or this machine'),
  /** How far from the middle price an order may go at worst. */
  slippageBasisPoints: z.number().int().min(1).max(1000).default(50),
  /** What of an order is not filled by then is cancelled, and ordered again if still needed. */
  cancelAfterMs: z.number().int().min(100).max(3_600_000).default(60_000),
  /** For one whole answer. */
  timeoutMs: z.number().int().min(100).max(120_000).default(10_000),
  /** Guards: a fault of ours must not trade without end. By day (UTC). */
  maxOrderUsd: dollars.default(250_000),
  maxUsdPerDay: dollars.default(5_000_000),
  maxOrdersPerDay: z.number().int().min(1).max(100_000).default(500),
  /** Below this balance of an asset, in whole units, an item is opened in the operator's queue. */
  lowBalances: z.record(asset, z.string().regex(/^\d{1,15}(\.\d{1,18})?$/)).default({}),
};

const kraken = z.strictObject({
  ...shared,
  kind: z.literal('kraken'),
  /** Files: the API key, and its private key in Base64. It needs the rights to query funds and orders, to create and to cancel orders; never to withdraw. */
  apiKeyFile: secretFile,
  privateKeyFile: secretFile,
  /** What is hedged, against what, and what the venue calls the pair (`altname`, as XBTUSD). */
  pairs: z.array(z.strictObject({ asset, counter: asset, pair: z.string().regex(/^[A-Z0-9.]{4,20}$/) })).min(1),
});

const airwallex = z.strictObject({
  ...shared,
  kind: z.literal('airwallex'),
  clientId: z.string().min(1),
  apiKeyFile: secretFile,
  /** Currencies that are hedged, each against the counter-currency. */
  currencies: z.array(z.string().regex(/^[A-Z]{3}$/)).min(1),
  counter: z
    .string()
    .regex(/^[A-Z]{3}$/)
    .default('USD'),
});

const liquiditySchema = z.array(z.discriminatedUnion('kind', [kraken, airwallex]));

export type KrakenConfig = z.output<typeof kraken>;
export type AirwallexConfig = z.output<typeof airwallex>;
export type VenueConfig = z.output<typeof liquiditySchema>[number];

/** Keys never travel in clear. */
function isPrivate(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname } = new URL(url);
  return protocol === 'https:' || (protocol === 'http:' && ['127.0.0.1', '[::1]', 'localhost'].includes(hostname));
}

/** @throws ConfigError when the file is missing or wrong, or names a venue, or an asset, twice; no file is no venue */
export function readLiquidity(file: string | undefined): VenueConfig[] {
  if (file === undefined) return [];
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ConfigError(`LIQUIDITY_FILE names ${file}, which cannot be read: ${reason}`);
  }
  const result = liquiditySchema.safeParse(content);
  if (!result.success) {
    const lines = result.error.issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`);
    throw new ConfigError(`LIQUIDITY_FILE names ${file}, which is not usable:\n${lines.join('\n')}`);
  }
  const twice = repeated(result.data.map(({ venue }) => venue)) ?? repeated(result.data.flatMap(hedgedAt));
  if (twice !== undefined) throw new ConfigError(`LIQUIDITY_FILE names ${file}, which has ${twice} twice.`);
  return result.data;
}

/** The assets that a venue hedges. */
function hedgedAt(venue: VenueConfig): string[] {
  return venue.kind === 'kraken' ? venue.pairs.map((pair) => pair.asset) : venue.currencies;
}

function repeated(names: readonly string[]): string | undefined {
  return names.find((name, index) => names.indexOf(name) !== index);
}
