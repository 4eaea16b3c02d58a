import type { RiskWindow } from '@causeway/contract/risk-rules.ts';

/**
 * Days of a company's time zone. A window is made of whole days, so its edges are midnights of that zone, also where a day
 * has 23 or 25 hours; nothing here counts hours.
 */

/** `2026-03-29`; days in order are texts in order. */
export type Day = string;

const dayMs = 86_400_000;
const formats = new Map<string, Intl.DateTimeFormat>();

/** The calendar day of an instant in an IANA time zone. */
export function dayIn(timeZone: string, at: Date): Day {
  let format = formats.get(timeZone);
  if (!format) {
    format = new Intl.DateTimeFormat('en-US', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
    formats.set(timeZone, format);
  }
  const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, value]));
  return `${parts.get('year')?.padStart(4, '0')}-${parts.get('month')}-${parts.get('day')}`;
}

/** The first day of the window that a day lies in: itself, its Monday (ISO 8601), the first of its month. */
export function windowStart(window: RiskWindow, day: Day): Day {
  if (window === 'day') return day;
  if (window === 'month') return `${day.slice(0, 8)}01`;
  const midnight = Date.parse(`${day}T00:00:00Z`);
  const sinceMonday = (new Date(midnight).getUTCDay() + 6) % 7;
  return new Date(midnight - sinceMonday * dayMs).toISOString().slice(0, 10);
}
