export { RequestsWaiting } from './components/requests-waiting.tsx';
export { collectionPalette } from './palette.ts';
