/** What the operator's pages borrow: the same words, and the same timeline. */
export { TradeLines } from './components/trade-lines.tsx';
export { TradesWaiting } from './components/trades-waiting.tsx';
export { tradePalette } from './palette.ts';
export { stateTexts, stateTones } from './words.ts';
