import { formatAmount, parseAmount } from '@causeway/contract/money.ts';

interface Day {
  /** ISO 8601, without a time. */
  date: string;
  /** Dollars and cents as a plain decimal text; null where no price was known. */
  total: string | null;
}

interface KnownDay {
  at: string;
  value: string;
}

/** The total is in US dollars. */
const decimals = 2;

/** The days whose total is known, for the chart. */
export function knownDays(days: readonly Day[]): KnownDay[] {
  return days.flatMap(({ date, total }) => (total === null ? [] : [{ at: date, value: total }]));
}

/** Whether there is a line to draw: two days at least, and something to see on one of them. */
export function worthDrawing(days: readonly KnownDay[]): boolean {
  return days.length > 1 && days.some(({ value }) => /[1-9]/.test(value));
}

export interface Change {
  direction: 'up' | 'down' | 'same';
  /** Without a sign. */
  amount: string;
}

/** By how much the last known total differs from the first, to the cent; null with fewer than two. */
export function changeOver(days: readonly KnownDay[]): Change | null {
  const first = minorOf(days[0]?.value);
  const last = minorOf(days.length > 1 ? days.at(-1)?.value : undefined);
  if (first === null || last === null) return null;
  const difference = last - first;
  return {
    direction: difference > 0n ? 'up' : difference < 0n ? 'down' : 'same',
    amount: formatAmount(difference < 0n ? -difference : difference, decimals),
  };
}

function minorOf(text: string | undefined): bigint | null {
  const parsed = text === undefined ? null : parseAmount(text, decimals);
  return parsed?.ok ? parsed.minor : null;
}
