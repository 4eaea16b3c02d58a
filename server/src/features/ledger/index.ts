export {
  type AccountKind,
  accountNormals,
  amountOf,
  type Leg,
  move,
  type Posting,
  refusal,
  reversed,
} from './domain.ts';
export {
  type Account,
  type Asset,
  accountsByKind,
  accountsOf,
  balancesAt,
  findAssets,
  findPosting,
  isBrokenBalance,
  legsOf,
  openAccounts,
  post,
  postBatch,
  type StatementLine,
  statement,
} from './store.ts';
export { type LedgerMismatch, verifyLedger } from './verify.ts';
