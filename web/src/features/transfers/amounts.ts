import { formatAmount, parseAmount } from '@causeway/contract/money.ts';

/** What the rules of an amount look at; amounts in whole units as the server wrote them. */
export interface AmountRules {
  /** The amount must be strictly greater (decisions, "Amount rules"). */
  minimum: string;
  available: string;
  fee: string;
  decimals: number;
}

export type AmountProblem = 'amountRequired' | 'belowMinimum' | 'aboveBalance' | 'tooLarge';

/** What is wrong with the amount of a transfer (decisions, "Amount rules"), null when nothing is. Exact to the last unit. */
export function amountProblem(text: string, rules: AmountRules): AmountProblem | null {
  if (text === '' || text === '.') return 'amountRequired';
  const amount = parseAmount(plain(text), rules.decimals);
  if (!amount.ok) return 'tooLarge';
  if (amount.minor <= minorOf(rules.minimum, rules.decimals)) return 'belowMinimum';
  return amount.minor > mostMinor(rules) ? 'aboveBalance' : null;
}

/** The whole of what may be sent: available minus fee, "0" when the fee is not even covered. */
export function mostThatCanBeSent(rules: Pick<AmountRules, 'available' | 'fee' | 'decimals'>): string {
  const most = mostMinor(rules);
  return short(most > 0n ? most : 0n, rules.decimals);
}

/** The sum of amounts of one coin, as the server writes them. */
export function sumOf(amounts: readonly string[], decimals: number): string {
  return formatAmount(
    amounts.reduce((sum, amount) => sum + minorOf(amount, decimals), 0n),
    decimals,
  );
}

/** What a transfer does to its wallet; null while there is no amount to reckon with. */
export function reckon(text: string, rules: AmountRules): { amount: string; total: string; left: string } | null {
  const amount = parseAmount(plain(text), rules.decimals);
  if (text === '' || !amount.ok) return null;
  const total = amount.minor + minorOf(rules.fee, rules.decimals);
  return {
    amount: formatAmount(amount.minor, rules.decimals),
    total: formatAmount(total, rules.decimals),
    left: formatAmount(minorOf(rules.available, rules.decimals) - total, rules.decimals),
  };
}

/**
 * What an amount is worth, two decimals, half-up: an estimate for the eye, which never goes back into money (decisions,
 * "Money"). `price` is a plain decimal for one whole coin. Null when there is no price.
 */
export function worth(amount: string, price: string | null): string | null {
  const [amountDigits, amountDecimals] = digitsOf(amount);
  const [priceDigits, priceDecimals] = digitsOf(price ?? '');
  if (amountDigits === null || priceDigits === null) return null;
  const decimals = amountDecimals + priceDecimals;
  const product = amountDigits * priceDigits * 100n;
  const unit = 10n ** BigInt(decimals);
  return formatAmount((2n * product + unit) / (2n * unit), 2);
}

/** What test and rest come to beside a test transfer, less the test; null where either is no amount. */
export function restAfter(total: string, test: string, decimals: number): string | null {
  const [whole, part] = [parseAmount(plain(total), decimals), parseAmount(plain(test), decimals)];
  return whole.ok && part.ok ? short(whole.minor - part.minor, decimals) : null;
}

/** A typed amount with all decimals of its asset, as the server writes amounts; what is no amount stays as it is. */
export function inFull(text: string, decimals: number): string {
  const amount = parseAmount(plain(text), decimals);
  return amount.ok ? formatAmount(amount.minor, decimals) : text;
}

/** Whether an amount is less than another of the same asset. */
export function isLess(one: string, other: string, decimals: number): boolean {
  const [left, right] = [parseAmount(plain(one), decimals), parseAmount(plain(other), decimals)];
  return left.ok && right.ok && left.minor < right.minor;
}

/** What a test transfer is worth sending: twice the minimum, which itself may not be sent. */
export function testAmount({ minimum, decimals }: Pick<AmountRules, 'minimum' | 'decimals'>): string {
  return short(2n * minorOf(minimum, decimals), decimals);
}

/** The amount as it goes to the server: "1." is 1. */
export function plain(text: string): string {
  return text.endsWith('.') ? text.slice(0, -1) : text;
}

function mostMinor({ available, fee, decimals }: Pick<AmountRules, 'available' | 'fee' | 'decimals'>): bigint {
  return minorOf(available, decimals) - minorOf(fee, decimals);
}

/** An amount that the server wrote; one that it cannot have written is a fault of ours. */
function minorOf(amount: string, decimals: number): bigint {
  const parsed = parseAmount(amount, decimals);
  if (!parsed.ok) throw new Error(`the server's amount "${amount}" does not have ${decimals} decimals`);
  return parsed.minor;
}

function short(minor: bigint, decimals: number): string {
  const text = formatAmount(minor, decimals);
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}

function digitsOf(text: string): [digits: bigint | null, decimals: number] {
  const match = /^(\d+)(?:\.(\d*))?$/.exec(text);
  if (match === null) return [null, 0];
  const [, whole = '0', fraction = ''] = match;
  return [BigInt(whole + fraction), fraction.length];
}
