export { createBitstamp } from './adapters/bitstamp.ts';
export { createCoinGecko } from './adapters/coingecko.ts';
export { createEcb } from './adapters/ecb.ts';
export { createKraken } from './adapters/kraken.ts';
export type { RateSource } from './adapters/source.ts';
export {
  crossPrice,
  formatUsd,
  inCurrency,
  isStale,
  type Price,
  percentOf,
  sayRate,
  sourceName,
  staleAfterMs,
  usdValue,
} from './domain.ts';
export { midsCheck, priceSourceCheck, pricesCheck } from './health.ts';
export { ratesSweep } from './jobs.ts';
export { findMidStates } from './mids/states-store.ts';
export { findMids, type Mid } from './mids/store.ts';
export { rateOf } from './pairs.ts';
export { startRatePoller } from './poller.ts';
export { registerRatesRoutes } from './routes.ts';
export { findDailyPrices, findPrices, keepPrices } from './store.ts';
