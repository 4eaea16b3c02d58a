export { queuePalette } from './palette.ts';
