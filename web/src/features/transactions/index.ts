export type { TransactionAdditions } from './additions.ts';
export { useCategories, useTransaction } from './api.ts';
export { ApprovalLink } from './components/approval-link.tsx';
export { TransactionStatusWord } from './components/transaction-status.tsx';
export { TransactionTimeline } from './components/transaction-timeline.tsx';
export { transactionPalette } from './palette.ts';
export { counterparty, signedQuantity, typeTexts } from './words.ts';
