/** The plain rules of statements, without a schema library. Days are ISO dates of the company's time zone. */

/** Days for which a statement can be asked. */
export const firstDay = '2000-01-01';
export const lastDay = '2100-12-31';

/** camt.053 is for wallets at banks: its amounts are in currencies of ISO 4217 (docs/adr/0073). */
export const statementFormats = ['pdf', 'csv', 'camt053'] as const;
export type StatementFormat = (typeof statementFormats)[number];

/** A PDF holds at most so many movements. */
export const pdfMostMovements = 2000;

export function isPeriod({ from, to }: { from?: string | undefined; to?: string | undefined }): boolean {
  return from === undefined || to === undefined || from <= to;
}

export const periodUnits = ['day', 'month', 'quarter'] as const;
export type PeriodUnit = (typeof periodUnits)[number];

export interface Period {
  from: string;
  to: string;
}

/** The day, month or quarter in which a day lies, `offset` of them on. */
export function periodOf(unit: PeriodUnit, day: string, offset = 0): Period {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  if (unit === 'day') return { from: isoDay(year, month, date + offset), to: isoDay(year, month, date + offset) };
  const months = unit === 'month' ? 1 : 3;
  const first = month - ((month - 1) % months) + offset * months;
  return { from: isoDay(year, first, 1), to: isoDay(year, first + months, 0) };
}

/** Which unit a period is exactly one of; null where it is none. */
export function unitOf({ from, to }: Period): PeriodUnit | null {
  return periodUnits.find((unit) => isSame(periodOf(unit, from), { from, to })) ?? null;
}

function isSame(one: Period, other: Period): boolean {
  return one.from === other.from && one.to === other.to;
}

/** Months and days beyond their range count on: month 13 is January. */
function isoDay(year: number, month: number, date: number): string {
  return new Date(Date.UTC(year, month - 1, date)).toISOString().slice(0, 10);
}
