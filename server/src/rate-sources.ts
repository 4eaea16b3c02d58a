import { createBitstamp, createCoinGecko, createEcb, createKraken, type RateSource } from './features/rates/index.ts';
import { readCoins } from './platform/config/chains.ts';
import type { WorkerConfig } from './platform/config/config.ts';
import type { PriceSourcesConfig } from './platform/config/price-sources.ts';

/** The sources of prices that the operator configured. */
export function rateSources(
  config: Pick<WorkerConfig, 'PRICES_URL' | 'PRICES_API_KEY' | 'CHAINS_FILE'>,
  { coingecko, kraken, bitstamp, ecb }: PriceSourcesConfig,
): RateSource[] {
  const coins = readCoins(config.CHAINS_FILE);
  return [
    createCoinGecko({ url: config.PRICES_URL, apiKey: config.PRICES_API_KEY, coins, ...coingecko }),
    ...(kraken ? [createKraken(kraken)] : []),
    ...(bitstamp ? [createBitstamp(bitstamp)] : []),
    ...(ecb ? [createEcb(ecb)] : []),
  ];
}
