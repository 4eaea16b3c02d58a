/** Days of the reader's own calendar as ISO dates (`2026-11-21`), both included; empty when open on that side. */
export interface DateRange {
  from: string;
  to: string;
}

/** Midnight of that day where the reader is: `new Date('2026-11-21')` would be midnight in Greenwich. */
export function dayOf(iso: string): Date {
  const [year = 0, month = 1, day = 1] = iso.split('-').map(Number);
  return new Date(year, month - 1, day);
}

/** The ISO date of a moment, in the reader's zone. */
export function isoOf(date: Date): string {
  const two = (part: number) => String(part).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** The ISO date of a moment in an IANA time zone. */
export function isoIn(timeZone: string, date: Date): string {
  const parts = new Intl.DateTimeFormat('en-US', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
  const { year, month, day } = Object.fromEntries(parts.formatToParts(date).map(({ type, value }) => [type, value]));
  return `${year}-${month}-${day}`;
}

/** The span that ends today and is `days` long. */
export function lastDays(days: number, today = new Date()): DateRange {
  const from = new Date(today.getFullYear(), today.getMonth(), today.getDate() - days + 1);
  return { from: isoOf(from), to: isoOf(today) };
}

/** The same span as instants for the server: from the first moment of the first day to the first after the last (exclusive). */
export function instantsOf({ from, to }: DateRange): { from?: string; to?: string } {
  const end = to === '' ? null : dayOf(to);
  end?.setDate(end.getDate() + 1);
  return {
    ...(from !== '' && { from: dayOf(from).toISOString() }),
    ...(end && { to: end.toISOString() }),
  };
}
