export { expiredQuotesSweep } from './jobs.ts';
export { exchangeKinds } from './kind.ts';
export { registerExchangeRoutes } from './routes.ts';
export type { ExchangeClaims } from './seal.ts';
export { describeExchangeSubject } from './service/describe.ts';
export { exchangeOf } from './service/detail.ts';
export { createExchangeSubject } from './service/subject.ts';
