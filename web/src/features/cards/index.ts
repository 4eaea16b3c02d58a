export { ReceiptsMissing } from './components/receipts-missing.tsx';
export { TransactionCard } from './components/transaction-card.tsx';
export { cardPalette } from './palette.ts';
