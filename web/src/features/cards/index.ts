export { ReceiptsMissing } from './components/receipts-missing.tsx';
export { cardPalette } from './palette.ts';
