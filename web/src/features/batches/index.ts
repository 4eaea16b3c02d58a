export { batchPalette } from './palette.ts';
