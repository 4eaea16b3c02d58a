import { sayAmount } from '@causeway/contract/money.ts';
import type { BankWithdrawal } from '@causeway/contract/operator-banks-rules.ts';
import type { MoneyDetail, MoneyRow } from './moneys-store.ts';

/** What proposals about money of banks rest on: pure. */

/** What the money is called: amount, and who paid it. */
export function nameOfMoney({
  amountMinor,
  decimals,
  asset,
  payer,
}: Pick<MoneyRow, 'amountMinor' | 'decimals' | 'asset' | 'payer'>): string {
  return [`${sayAmount(amountMinor, decimals)} ${asset}`, payer].filter(Boolean).join(', ');
}

/** Why a debit cannot be the firm's transfer of fees: it is not held any more, or the bank says that it is about something else. */
export function whyNotFees({
  state,
  unmatched,
  isUndetailed,
}: Pick<MoneyDetail, 'state' | 'unmatched' | 'isUndetailed'>): 'bankDebitOther' | null {
  return state === 'charged' && unmatched === 'nothing' && !isUndetailed ? null : 'bankDebitOther';
}

/** Why a money cannot be what was paid to the issuer of cards, or by it: it is not held any more, or the bank says that it is about something else. */
export function whyNotCards({
  state,
  unmatched,
  isUndetailed,
}: Pick<MoneyDetail, 'state' | 'unmatched' | 'isUndetailed'>): 'cardSettlementOther' | null {
  const isHeld = state === 'charged' || state === 'suspense';
  return isHeld && unmatched === 'nothing' && !isUndetailed ? null : 'cardSettlementOther';
}

/**
 * Whether so much is owed, minor units. A debit pays what is owed to the issuer, so `owedMinor` is positive; a credit pays what it owes, and it is negative.
 */
export function fitsCards(amountMinor: bigint, owedMinor: bigint): boolean {
  return amountMinor < 0n ? owedMinor >= -amountMinor : amountMinor > 0n && owedMinor <= -amountMinor;
}

/**
 * Why what operators recorded of a money cannot be withdrawn: the bank has returned of it, or it is the bank's own word, or what a return had put back was
 * collected or settled since. Null when it can.
 */
export function whyNotWithdrawn(
  { matchedBy }: Pick<MoneyRow, 'matchedBy'>,
  { isReturned, covered }: { isReturned: boolean; covered: boolean },
): { why: Exclude<BankWithdrawal, 'possible'>; key: 'bankExplanationOther' | 'bankExplanationShort' } | null {
  if (isReturned) return { why: 'returned', key: 'bankExplanationOther' };
  if (matchedBy !== 'operator') return { why: 'bank', key: 'bankExplanationOther' };
  return covered ? null : { why: 'short', key: 'bankExplanationShort' };
}

/** Why it cannot be credited to a company by hand: it is no longer held, or it is a batch whose parts the bank has not reported. */
export function whyNotCredited({
  state,
  unmatched,
}: Pick<MoneyRow, 'state' | 'unmatched'>): 'bankMoneySettled' | 'bankMoneyUndetailed' | null {
  if (state !== 'suspense') return 'bankMoneySettled';
  return unmatched === 'undetailed' ? 'bankMoneyUndetailed' : null;
}
