export {
  type AccountKind,
  amountOf,
  type LedgerMismatch,
  type Leg,
  move,
  type Posting,
  refusal,
  reversed,
} from './domain.ts';
export { type Crossing, ledgerEvents } from './events.ts';
export { type FlowSums, flowsSince, sumBetween } from './flows.ts';
export { keepFlowsJob } from './jobs.ts';
export {
  type Account,
  accountsByKind,
  accountsOf,
  balancesAt,
  findPosting,
  legsOf,
  openAccounts,
  ownersOf,
  post,
  postAll,
  postBatch,
  type StatementLine,
  statement,
  watchBelow,
  watchesOf,
} from './store.ts';
export { verifyLedger } from './verify.ts';
