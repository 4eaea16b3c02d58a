/** Days and times of the bank: Hong Kong's, which has no summer time. Its working days are Monday to Friday. */

const ZONE_MS = 8 * 3_600_000;
export const DAY_MS = 86_400_000;
/** When a day begins that the desk pushes the clock to. */
export const OPENS_AT = '09:00';

/** `2026-11-23` */
export function dateAt(ms: number): string {
  return new Date(ms + ZONE_MS).toISOString().slice(0, 10);
}

/** `2026-11-23T09:00:00.000+08:00` */
export function stampAt(ms: number): string {
  return `${new Date(ms + ZONE_MS).toISOString().slice(0, -1)}+08:00`;
}

/** Milliseconds since 1970 of a day and a time such as `16:30`. */
export function atTime(date: string, time: string): number {
  return Date.parse(`${date}T${time}:00+08:00`);
}

export function isWorkingDay(date: string): boolean {
  const day = new Date(`${date}T00:00:00Z`).getUTCDay();
  return day !== 0 && day !== 6;
}

export function dayAfter(date: string): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + DAY_MS).toISOString().slice(0, 10);
}

/** The day itself or the first working day after it. */
export function workingDayFrom(date: string): string {
  return isWorkingDay(date) ? date : workingDayFrom(dayAfter(date));
}

export function isDate(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(`${text}T00:00:00Z`));
}
