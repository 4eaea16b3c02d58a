export { createVenues } from './adapters/venues.ts';
export { hedgingCheck } from './health.ts';
export { startHedging } from './hedging/hedging.ts';
export { startPositionBooking } from './position/booking.ts';
export { type DayProfit, type PriceOf, profitByDay } from './position/profit.ts';
export { type DaySum, findDays, findPositions, type Position } from './position/store.ts';
export { verifyPosition } from './position/verify.ts';
