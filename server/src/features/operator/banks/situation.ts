import { sayAmount } from '@causeway/contract/money.ts';
import type { MoneyRow } from './moneys-store.ts';

/** What a proposal to credit money in suspense rests on: pure. */

/** What the money is called: amount, and who paid it. */
export function nameOfMoney({
  amountMinor,
  decimals,
  asset,
  payer,
}: Pick<MoneyRow, 'amountMinor' | 'decimals' | 'asset' | 'payer'>): string {
  return [`${sayAmount(amountMinor, decimals)} ${asset}`, payer].filter(Boolean).join(', ');
}

/** Why it cannot be credited to a company by hand: it is no longer held, or it is a batch whose parts the bank has not reported. */
export function whyNotCredited({
  state,
  unmatched,
}: Pick<MoneyRow, 'state' | 'unmatched'>): 'bankMoneySettled' | 'bankMoneyUndetailed' | null {
  if (state !== 'suspense') return 'bankMoneySettled';
  return unmatched === 'undetailed' ? 'bankMoneyUndetailed' : null;
}
