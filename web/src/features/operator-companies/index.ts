export { companyPalette } from './palette.ts';
