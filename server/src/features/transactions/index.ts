export { reached } from './events.ts';
export { rejectedReason, transactionNoticeJobs } from './jobs.ts';
export { registerTransactionRoutes } from './routes.ts';
export { startIndexing } from './service/indexing.ts';
export type { Obstruction, TransactionParts } from './service/parts.ts';
export {
  type CompanysTransaction,
  insertAllTransactions,
  insertTransactions,
  type NewTransaction,
} from './store/insert.ts';
export {
  changeStage,
  findType,
  insertRefund,
  type LifecycleRow,
  lockTransaction,
  noteStage,
  placeTransaction,
  setConfirmations,
} from './store/lifecycle.ts';
export { countTransfersTo, findDealtWith } from './store/reading.ts';
