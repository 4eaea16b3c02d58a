export { createCoinGecko, type PriceSource } from './adapters/coingecko.ts';
export { formatUsd, isStale, type Price, percentOf, usdValue } from './domain.ts';
export { startRatePoller } from './poller.ts';
export { registerRatesRoutes } from './routes.ts';
export { type DailyPrice, findDailyPrices, findPrices, keepPrices } from './store.ts';
