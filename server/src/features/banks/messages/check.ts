import type { Balance, Batch, Entry } from './model.ts';
import { at, countAt, type Direction, type Money } from './values.ts';
import type { XmlElement } from './xml.ts';

/** Whether the booked entries of one currency lead from the opening to the closing balance; figures are signed minor units. */
export interface BalanceCheck {
  currency: string;
  opening: { type: string; minor: bigint } | null;
  credits: bigint;
  debits: bigint;
  closing: { type: string; minor: bigint } | null;
  /** Closing less opening less entries: zero where they agree, null where the bank gave no two balances. */
  difference: bigint | null;
}

/** What does not fit together in a statement that can be read. */
export type Finding =
  | { finding: 'balancesDiffer'; currency: string; difference: bigint }
  | { finding: 'countDiffers'; said: number; found: number }
  | { finding: 'sumDiffers'; entry: number; difference: bigint; currency: string }
  | { finding: 'batchCountDiffers'; entry: number; said: number; found: number };

function signed({ minor }: Money, direction: Direction): bigint {
  return direction === 'credit' ? minor : -minor;
}

/** Adds up a statement entry by entry, without keeping them. */
export class StatementSums {
  readonly #balances: Balance[] = [];
  readonly #booked = new Map<string, { credits: bigint; debits: bigint }>();
  readonly #findings: Finding[] = [];
  #entries = 0;

  addBalance(balance: Balance): void {
    this.#balances.push(balance);
  }

  addEntry(entry: Entry): void {
    this.#entries += 1;
    this.#findings.push(...findingsOf(entry, this.#entries));
    if (entry.state !== 'booked') return;
    const { currency, minor } = entry.amount;
    const sums = this.#booked.get(currency) ?? { credits: 0n, debits: 0n };
    if (entry.direction === 'credit') sums.credits += minor;
    else sums.debits += minor;
    this.#booked.set(currency, sums);
  }

  /** `summary` is `TxsSummry`, with the bank's own count of its entries. */
  end(summary: XmlElement | null): { balances: Balance[]; checks: BalanceCheck[]; findings: Finding[] } {
    const currencies = new Set([...this.#balances.map(({ amount }) => amount.currency), ...this.#booked.keys()]);
    const checks = [...currencies].map((currency) => this.#check(currency));
    const findings = [...this.#findings];
    for (const { currency, difference } of checks) {
      if (difference !== null && difference !== 0n) findings.push({ finding: 'balancesDiffer', currency, difference });
    }
    const said = countAt(at(summary, 'TtlNtries'), 'NbOfNtries');
    if (said !== null && said !== this.#entries) findings.push({ finding: 'countDiffers', said, found: this.#entries });
    return { balances: this.#balances, checks, findings };
  }

  #check(currency: string): BalanceCheck {
    const { credits, debits } = this.#booked.get(currency) ?? { credits: 0n, debits: 0n };
    const { opening, closing } = endsOf(this.#balances.filter(({ amount }) => amount.currency === currency));
    const figure = (balance: Balance | null) =>
      balance && { type: balance.type.code, minor: signed(balance.amount, balance.direction) };
    const [first, last] = [figure(opening), figure(closing)];
    const difference = first && last ? last.minor - first.minor - (credits - debits) : null;
    return { currency, opening: first, credits, debits, closing: last, difference };
  }
}

/**
 * Which balances a statement runs between: the first opening and the last closing, since some banks give those of each day. On the pages of a split statement an interim balance (ITBD, or the type with the sub-type
 * INTM) is at one end, on a middle page at both, in their order.
 */
function endsOf(balances: readonly Balance[]): { opening: Balance | null; closing: Balance | null } {
  const inTime = balances.toSorted((one, other) => one.date.date.localeCompare(other.date.date));
  const of = (code: string) => inTime.filter(({ type }) => !type.isProprietary && type.code === code);
  const interim = of('ITBD');
  const opening = of('OPBD')[0] ?? of('PRCD')[0];
  const closing = of('CLBD').at(-1);
  if (opening && closing) return { opening, closing };
  if (opening) return { opening, closing: interim.at(-1) ?? null };
  if (closing) return { opening: interim[0] ?? null, closing };
  return { opening: interim[0] ?? null, closing: (interim.length > 1 ? interim.at(-1) : null) ?? null };
}

/** Details are the same money as their entry. Charges that were taken off explain a difference. */
function findingsOf({ amount, direction, batches, details, charges }: Entry, entry: number): Finding[] {
  const findings: Finding[] = [];
  const said = countOf(batches);
  if (said !== null && details.length > 0 && details.length !== said) {
    findings.push({ finding: 'batchCountDiffers', entry, said, found: details.length });
  }
  const parts = details.map((detail) =>
    detail.amount?.currency === amount.currency ? signed(detail.amount, detail.direction ?? direction) : null,
  );
  const isWhole = parts.length > 0 && parts.every((part) => part !== null);
  const hasCharges = charges.length > 0 || details.some((detail) => detail.charges.length > 0);
  if (!isWhole || hasCharges) return findings;
  const difference = signed(amount, direction) - parts.reduce((sum, part) => sum + part, 0n);
  if (difference !== 0n) findings.push({ finding: 'sumDiffers', entry, difference, currency: amount.currency });
  return findings;
}

function countOf(batches: readonly Batch[]): number | null {
  if (batches.length === 0) return null;
  return batches.reduce<number | null>((sum, { count }) => (sum === null || count === null ? null : sum + count), 0);
}
