import type { ErrorDetails, ErrorKey } from '@causeway/contract/errors.ts';
import { parseAmount } from '@causeway/contract/money.ts';
import { DomainError, invariant } from '../../platform/domain-error.ts';

/**
 * The kinds of account a wallet has, and the sign a healthy balance has: credit (≥ 0) is what the company is owed, debit
 * (≤ 0) the contra side, what is on the chain or at the bank; only the deficit account goes either way.
 */
export const accountNormals = {
  available: 'credit',
  outbound: 'credit',
  inbound: 'credit',
  /** Fees taken and not yet collected by the platform; they are still at the company's address. */
  fee: 'credit',
  /** The chain's own coin that the gas tank advanced and that is not spent yet. */
  gas: 'credit',
  chain: 'debit',
  /** Negative but where a bank took back what had left: other companies' money at the bank pays for it until the deficit is made good. */
  bank: 'any',
  fx: 'any',
  escrow: 'credit',
  /** Cleared by the card issuer, who has not been paid: at the company's bank, and no longer the company's. Negative where refunds prevail. */
  card: 'any',
  /** Of the installation: money at a bank that is no company's yet, held and owed. */
  suspense: 'credit',
  /** Of the installation: what a bank took from its account and no company bears. */
  charges: 'debit',
  /** Of the installation: the contra side of both. */
  collecting: 'any',
  /** What could not be taken back after a reorganisation: negative, and the one account that may be. */
  deficit: 'any',
} as const;

export type AccountKind = keyof typeof accountNormals;
export type AccountNormal = (typeof accountNormals)[AccountKind];

/** One side of a posting; `amountMinor` is signed: positive raises what the company is owed. */
export interface Leg {
  accountId: string;
  amountMinor: bigint;
}

export interface Posting {
  id: string;
  /** What happened: `deposit.seen`, `transfer.reserve`. With the source, it happens once. */
  kind: string;
  /** What it serves: a transaction's id. */
  sourceId: string;
  description: string;
  /** The posting that this one corrects. */
  correctsId?: string;
  legs: readonly Leg[];
}

/** Moves one amount from account to account; the commonest posting. */
export function move(fromId: string, toId: string, amountMinor: bigint): Leg[] {
  return [
    { accountId: fromId, amountMinor: -amountMinor },
    { accountId: toId, amountMinor },
  ];
}

/** The same legs turned round, for a correction. */
export function reversed(legs: readonly Leg[]): Leg[] {
  return legs.map((leg) => ({ accountId: leg.accountId, amountMinor: -leg.amountMinor }));
}

/**
 * Adds up legs that name the same account, and drops what comes to nothing; asserts that the whole is balanced. They come
 * in the order of the accounts' ids, in which the database locks them.
 */
export function settledLegs(legs: readonly Leg[]): Leg[] {
  const sums = new Map<string, bigint>();
  for (const leg of legs) sums.set(leg.accountId, (sums.get(leg.accountId) ?? 0n) + leg.amountMinor);
  const settled = [...sums].map(([accountId, amountMinor]) => ({ accountId, amountMinor }));
  invariant(settled.reduce((sum, leg) => sum + leg.amountMinor, 0n) === 0n, 'a posting sums to zero');
  return settled
    .filter((leg) => leg.amountMinor !== 0n)
    .toSorted((one, other) => (one.accountId < other.accountId ? -1 : 1));
}

const amountErrors = {
  'amount.format': 'amountFormat',
  'amount.tooManyDecimals': 'amountTooManyDecimals',
  'amount.tooLarge': 'amountTooLarge',
} as const satisfies Record<string, ErrorKey>;

/**
 * Reads an amount of an asset into minor units.
 * @throws DomainError amountFormat, amountTooManyDecimals, amountTooLarge on the field named
 */
export function amountOf(text: string, of: { asset: string; decimals: number }, field = 'amount'): bigint {
  const parsed = parseAmount(text, of.decimals);
  if (parsed.ok) return parsed.minor;
  throw refusal(amountErrors[parsed.problem], { asset: of.asset, decimals: of.decimals }, field);
}

/** A refusal that belongs to one field of the form: the same sentence as toast and under the field. */
export function refusal(key: ErrorKey, details: ErrorDetails, field: string): DomainError {
  return new DomainError(key, details, { [field]: `error.${key}` });
}

/** What can be wrong with the books. */
export type LedgerProblem =
  | 'balance'
  | 'sign'
  | 'running'
  | 'accountMissing'
  | 'sum'
  | 'empty'
  | 'postingMissing'
  | 'corrected'
  | 'flows'
  | 'cut';

/** One thing in the ledger that is not as it must be. */
export interface LedgerMismatch {
  companyId: string;
  /** The account or posting. */
  id: string;
  /** As the command line says it. */
  problem: string;
  kind: LedgerProblem;
  /** What its sentence names, by kind. */
  values: Record<string, string>;
}
