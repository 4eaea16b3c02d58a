export { createVenues } from './adapters/venues.ts';
export { inverseOf, quoteDigest } from './domain.ts';
export { hedgingCheck } from './health.ts';
export { startHedging } from './hedging/hedging.ts';
export { expiredQuotesSweep } from './jobs.ts';
export { exchangeKinds } from './kind.ts';
export { startPositionBooking } from './position/booking.ts';
export { type DayProfit, type PriceOf, profitByDay } from './position/profit.ts';
export { type DaySum, findDays, findPositions, type Position } from './position/store.ts';
export { verifyPosition } from './position/verify.ts';
export {
  checkedPurchase,
  costNow,
  openPurchases,
  type Purchase,
  type PurchaseAsked,
  type PurchasesOpen,
  priceOfPurchase,
  purchaseLegs,
  purchaseNow,
  purchaseParts,
} from './purchase.ts';
export { registerExchangeRoutes } from './routes.ts';
export { describeExchangeSubject } from './service/describe.ts';
export { priceForDesk, usualRate } from './service/desk.ts';
export { exchangeOf, pricesOf } from './service/detail.ts';
export { foreseeExchange } from './service/foreseeing.ts';
export { type LimitOrders, startLimitOrders } from './service/limit-orders.ts';
export { exchangeWallets } from './service/options.ts';
export { checkPair, type Quotation, usable } from './service/price.ts';
export { type KeptQuote, offer, shownOffer } from './service/quote.ts';
export { createExchangeSubject } from './service/subject.ts';
export { describeStandingSubject } from './standing/service.ts';
export { startStandingTurns } from './standing/turns.ts';
export { readAllSides, readSides, type Sides } from './store/sides.ts';
