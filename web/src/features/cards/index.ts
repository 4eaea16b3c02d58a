export { cardPalette } from './palette.ts';
