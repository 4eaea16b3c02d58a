export { reached, submittedEvent, transactionEvents } from './events.ts';
export { notifyOfTransaction, rejectedReason, transactionNoticeJobs } from './jobs.ts';
export { registerTransactionRoutes } from './routes.ts';
export { cellsOf, csvBatchRows, csvOf } from './service/csv.ts';
export { describe, explorerPage } from './service/detail.ts';
export { fillValuesJob } from './service/fill-values.ts';
export { startIndexing } from './service/indexing.ts';
export { orderOf, positionOf } from './service/list.ts';
export type { Obstruction, TransactionParts } from './service/parts.ts';
export { valuationOf } from './service/view.ts';
export { keepCategories } from './store/categories.ts';
export {
  type CompanysTransaction,
  insertAllTransactions,
  insertTransactions,
  type NewTransaction,
} from './store/insert.ts';
export {
  areTaken,
  changeStage,
  changeStages,
  findType,
  insertRefund,
  insertRefunds,
  type LifecycleRow,
  lockTransaction,
  lockTransactions,
  noteStage,
  placeTransaction,
  readLifecycle,
  relate,
  resizeCardPayment,
  setBankFacts,
  setBankReason,
  setConfirmations,
  setFromEscrow,
} from './store/lifecycle.ts';
export { countTransfersTo, findDealtWith, readTransactions, type TransactionRow } from './store/reading.ts';
