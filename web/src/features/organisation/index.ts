export { memberPalette } from './palette.ts';
