export { batchPalette, templatePalette } from './palette.ts';
