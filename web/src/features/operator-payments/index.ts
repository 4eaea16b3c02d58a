export { paymentPalette } from './palette.ts';
