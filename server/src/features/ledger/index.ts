export {
  type AccountKind,
  amountOf,
  type Leg,
  move,
  type Posting,
  refusal,
  reversed,
} from './domain.ts';
export {
  type Account,
  accountsByKind,
  accountsOf,
  balancesAt,
  findPosting,
  legsOf,
  openAccounts,
  post,
  postAll,
  postBatch,
  type StatementLine,
  statement,
} from './store.ts';
export { type LedgerMismatch, verifyLedger } from './verify.ts';
