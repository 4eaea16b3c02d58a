import { mostFeePayments } from '@causeway/contract/operator-treasury-rules.ts';
import type { TankThreshold } from '../../chains/index.ts';

/** How long the gas tank lasts, and from which addresses fees are collected: pure rules. */

export interface TankFigures {
  /** In minor units of the chain's own coin; null before the first report. */
  balanceMinor: bigint | null;
  spent7Minor: bigint;
  spent30Minor: bigint;
  /** For how many days the tank has paid at all; 0 where it has paid nothing yet. */
  observedDays: number;
}

export interface Forecast {
  perDayMinor: bigint;
  /** Whole days; null where it is not known, or nothing is spent. */
  daysLeft: number | null;
}

/** Beyond this the forecast says nothing that anyone could use. */
const mostDays = 9999;

/**
 * What the tank spends in a day: the higher of the last 7 and the last 30 days, so that neither a busy week nor a quiet one after a busy month
 * hides what is coming. A tank younger than that is judged by its own days, one at least.
 */
export function forecast({ balanceMinor, spent7Minor, spent30Minor, observedDays }: TankFigures): Forecast {
  const perDayMinor = larger(
    ceilDiv(spent7Minor, BigInt(daysOf(observedDays, 7))),
    ceilDiv(spent30Minor, BigInt(daysOf(observedDays, 30))),
  );
  if (balanceMinor === null || perDayMinor === 0n) return { perDayMinor, daysLeft: null };
  const days = balanceMinor / perDayMinor;
  return { perDayMinor, daysLeft: days > BigInt(mostDays) ? mostDays : Number(days) };
}

export function isTankLow(
  { daysLeft, paymentsLeft }: { daysLeft: number | null; paymentsLeft: number | null },
  { warnDays, warnPayments }: Pick<TankThreshold, 'warnDays' | 'warnPayments'>,
): boolean {
  return (daysLeft !== null && daysLeft < warnDays) || (paymentsLeft !== null && paymentsLeft < warnPayments);
}

function daysOf(observed: number, window: number): number {
  return Math.min(window, Math.max(1, Math.ceil(observed)));
}

const larger = (a: bigint, b: bigint): bigint => (a > b ? a : b);
const ceilDiv = (a: bigint, b: bigint): bigint => (a + b - 1n) / b;

/** Fees of one wallet; minor units. */
export interface FeeSource {
  companyId: string;
  walletId: string;
  feeMinor: bigint;
  /** Of it, what is on its way to the operator already. */
  underWayMinor: bigint;
  frozen: boolean;
}

/** What can still be collected from a wallet. */
export function freeMinor({ feeMinor, underWayMinor }: Pick<FeeSource, 'feeMinor' | 'underWayMinor'>): bigint {
  return feeMinor > underWayMinor ? feeMinor - underWayMinor : 0n;
}

/**
 * Which wallets a collection takes from, and all that each has: those with the minimum at least, the largest first. From a frozen wallet nothing
 * is sent, so it is left out.
 */
export function chooseSources<S extends FeeSource>(
  sources: readonly S[],
  minimumMinor: bigint,
): { source: S; amountMinor: bigint }[] {
  return sources
    .map((source) => ({ source, amountMinor: freeMinor(source) }))
    .filter(({ source, amountMinor }) => !source.frozen && amountMinor > 0n && amountMinor >= minimumMinor)
    .toSorted((a, b) => compare(b.amountMinor, a.amountMinor) || a.source.walletId.localeCompare(b.source.walletId))
    .slice(0, mostFeePayments);
}

function compare(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
