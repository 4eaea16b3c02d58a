export { TradesWaiting } from './components/trades-waiting.tsx';
export { tradePalette } from './palette.ts';
