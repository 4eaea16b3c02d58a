export { collectionPalette } from './palette.ts';
