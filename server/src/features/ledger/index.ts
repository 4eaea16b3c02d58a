export { type AccountKind, accountNormals, type Leg, move, type Posting, reversed } from './domain.ts';
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
  type StatementLine,
  statement,
} from './store.ts';
