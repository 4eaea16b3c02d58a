import { parseAmount } from '@causeway/contract/money.ts';

/** "1.500000" → "1.5": for sentences, where zeros that say nothing are in the way. Never rounds. */
export function withoutTrailingZeros(amount: string): string {
  return amount.includes('.') ? amount.replace(/\.?0+$/, '') : amount;
}

/** Whether an amount from the server is nothing at all, whatever number of decimals it is written with. */
export function isZero(amount: string): boolean {
  return /^-?0*(\.0*)?$/.test(amount);
}

export type QuantityProblem = 'belowMinimum' | 'tooLarge';

/**
 * What is wrong with the quantity of a recharge (decisions, "Amount rules": each asset has its
 * own minimum); null when it may go into the QR code, or is not given. A text that is still being typed ("1.") counts
 * as what it says so far.
 */
export function quantityProblem(text: string, minimum: string, decimals: number): QuantityProblem | null {
  if (text === '') return null;
  const quantity = parseAmount(settled(text), decimals);
  if (!quantity.ok) return 'tooLarge';
  const least = parseAmount(minimum, decimals);
  return least.ok && quantity.minor < least.minor ? 'belowMinimum' : null;
}

/** What is being typed as an amount that may be sent: "1." is 1. */
export function settled(text: string): string {
  return text.endsWith('.') ? text.slice(0, -1) : text;
}
