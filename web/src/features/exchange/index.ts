export { renewBefore_ms, useAskedAgain } from './api.ts';
export { CancelExchange } from './components/cancel-exchange.tsx';
export { RateState, useQuoteFacts } from './components/exchange-summary.tsx';
export { type Rate, useRateOf } from './components/use-rate.ts';
export { boundOf } from './exchange-values.ts';
export { limitPalette, standingPalette } from './palette.ts';
