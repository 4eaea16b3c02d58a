import {
  isBankFee,
  isFee,
  isShare,
  type PriceKind,
  type PriceState,
  spreadMaxBasisPoints,
} from '@causeway/contract/operator-prices.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import { amountOf, refusal } from '../../ledger/index.ts';

/** Prices: pure rules. Values are minor units of the asset, basis points of a spread and of the fee of exchanges. */

/** Which price: of an asset, a withdrawal fee on a chain, a fee of payments at a bank; without a company, that for every company. */
export interface PriceKey {
  kind: PriceKind;
  asset: string;
  chain: string | null;
  bank: string | null;
  companyId: string | null;
}

/** A price that was set; null: none of its own from then on. */
export interface SetPrice extends PriceKey {
  value: bigint | null;
  validFrom: Date;
}

/**
 * The price in force for a company at an instant, as the database keeps it in rows that end when the next begins (`prices_at`): its own beats that for
 * every company, and of each the latest that has begun holds. Null: none was set, and what the coin was registered with holds.
 */
export function priceAt(
  prices: readonly SetPrice[],
  { kind, asset, chain, bank, companyId }: PriceKey,
  at: Date,
): bigint | null {
  const begun = (scope: string | null) =>
    prices
      .filter(
        (price) =>
          price.kind === kind &&
          price.asset === asset &&
          price.chain === chain &&
          price.bank === bank &&
          price.companyId === scope,
      )
      .filter(({ validFrom }) => validFrom <= at)
      .reduce<SetPrice | null>(
        (last, price) => (last === null || price.validFrom >= last.validFrom ? price : last),
        null,
      );
  const own = companyId === null ? null : (begun(companyId)?.value ?? null);
  return own ?? begun(null)?.value ?? null;
}

export function stateOf(
  { validFrom, validUntil, withdrawnAt }: { validFrom: Date; validUntil: Date | null; withdrawnAt: Date | null },
  now: Date,
): PriceState {
  if (withdrawnAt !== null) return 'withdrawn';
  if (validFrom > now) return 'planned';
  return validUntil !== null && validUntil <= now ? 'ended' : 'inForce';
}

/**
 * A value as it was typed, in minor units or basis points.
 * @throws DomainError amountFormat, amountTooManyDecimals, amountTooLarge, priceOutOfRange
 */
export function readValue(
  text: string,
  { kind, asset, decimals }: { kind: PriceKind; asset: string; decimals: number },
): bigint {
  const value = amountOf(text, { asset, decimals: isShare(kind) ? 0 : decimals }, 'value');
  const isLimit = kind === 'transfer_limit' || kind === 'daily_limit';
  if ((isLimit && value === 0n) || (isShare(kind) && value > BigInt(spreadMaxBasisPoints))) {
    throw refusal('priceOutOfRange', {}, 'value');
  }
  return value;
}

/** What past withdrawals, or payments, of one company come to, in minor units. */
export interface Past {
  transfers: number;
  earnedMinor: bigint;
  /** Of these, those that the new price would have refused. */
  refused: number;
  /** Fees of those that it would not have refused. */
  keptMinor: bigint;
}

export interface Trial extends Past {
  wouldEarnMinor: bigint;
  companies: number;
}

/** What the same withdrawals would have earned: a fee is flat, so each of them would have paid it; what is refused pays none. */
export function trialOf(kind: PriceKind, value: bigint, companies: readonly Past[]): Trial {
  const sum = companies.reduce<Past>(
    (total, one) => ({
      transfers: total.transfers + one.transfers,
      earnedMinor: total.earnedMinor + one.earnedMinor,
      refused: total.refused + one.refused,
      keptMinor: total.keptMinor + one.keptMinor,
    }),
    { transfers: 0, earnedMinor: 0n, refused: 0, keptMinor: 0n },
  );
  const wouldEarnMinor = isFee(kind) ? value * BigInt(sum.transfers) : sum.keptMinor;
  return { ...sum, wouldEarnMinor, companies: companies.length };
}

/** Whether past withdrawals or payments say anything of a price of this kind. */
export function canBeTried(kind: PriceKind): boolean {
  return isFee(kind) || kind === 'withdrawal_minimum' || kind === 'transfer_limit';
}

/** Whether it is set for coins, or for currencies at banks. */
export function isFor(kind: PriceKind, { isCoin }: { isCoin: boolean }): boolean {
  if (isFee(kind)) return isCoin !== isBankFee(kind);
  return true;
}

/** @throws DomainError priceInPast */
export function requireFuture(validFrom: string | undefined, now: Date): void {
  if (validFrom !== undefined && new Date(validFrom) <= now) {
    throw new DomainError('priceInPast', {}, { validFrom: 'error.priceInPast' });
  }
}
