export { TransactionStatusWord } from './components/transaction-status.tsx';
export { transactionPalette } from './palette.ts';
export { counterparty, signedQuantity, typeTexts } from './words.ts';
