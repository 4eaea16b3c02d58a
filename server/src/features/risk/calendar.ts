import type { RiskWindow } from '@causeway/contract/risk-rules.ts';

/**
 * Days of a company's time zone. A window is made of whole days, so its edges are midnights of that zone, also where a day
 * has 23 or 25 hours; nothing here counts hours.
 */

/** `2026-03-29`; days in order are texts in order. */
export type Day = string;

const dayMs = 86_400_000;
const minuteMs = 60_000;

/** Of a zone: how its days are written, and the day of the minute that was last asked for. */
interface Zone {
  format: Intl.DateTimeFormat;
  minute: number;
  day: Day;
}
const zones = new Map<string, Zone>();

/**
 * The calendar day of an instant in an IANA time zone. It is computed once a minute: a day begins with a minute, as all offsets of
 * these times are whole minutes.
 */
export function dayIn(timeZone: string, at: Date): Day {
  let zone = zones.get(timeZone);
  if (!zone) {
    const format = new Intl.DateTimeFormat('en-US', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
    zone = { format, minute: Number.NaN, day: '' };
    zones.set(timeZone, zone);
  }
  const minute = Math.floor(at.getTime() / minuteMs);
  if (minute !== zone.minute) Object.assign(zone, { minute, day: dayOf(zone.format, at) });
  return zone.day;
}

function dayOf(format: Intl.DateTimeFormat, at: Date): Day {
  const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, value]));
  return `${parts.get('year')?.padStart(4, '0')}-${parts.get('month')}-${parts.get('day')}`;
}

/** The first day of the window that a day lies in: itself, its Monday (ISO 8601), the first of its month. */
export function windowStart(window: RiskWindow, day: Day): Day {
  if (window === 'day') return day;
  if (window === 'month') return `${day.slice(0, 8)}01`;
  if (week.day !== day) week = { day, monday: mondayOf(day) };
  return week.monday;
}

/** Of the day that was last asked for: thousands of judgements ask for the same. */
let week: { day: Day; monday: Day } = { day: '', monday: '' };

function mondayOf(day: Day): Day {
  const midnight = Date.parse(`${day}T00:00:00Z`);
  const sinceMonday = (new Date(midnight).getUTCDay() + 6) % 7;
  return new Date(midnight - sinceMonday * dayMs).toISOString().slice(0, 10);
}
