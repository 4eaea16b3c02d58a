import type { Instant } from '@causeway/contract/errors.ts';
import type { Locale } from '@causeway/contract/locale.ts';

/** Times and days as sentences of the server say them: on a twenty-four hour clock in every language, as on the screens. */

const date = { year: 'numeric', month: 'short', day: 'numeric' } as const;
const clock = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;

interface Formats {
  time: Intl.DateTimeFormat;
  offset: Intl.DateTimeFormat;
}

/** By language and time zone: to make a format takes longer than to use it. */
const kept = new Map<string, Formats>();

function formatsOf(locale: Locale, timeZone: string): Formats {
  const key = `${locale} ${timeZone}`;
  const found = kept.get(key);
  if (found) return found;
  const made = {
    time: new Intl.DateTimeFormat(locale, { ...date, ...clock, timeZone }),
    offset: new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'shortOffset' }),
  };
  kept.set(key, made);
  return made;
}

/**
 * "Nov 28, 2026, 18:00 (GMT+8)", "2026年11月28日 18:00（GMT+8）": the minute on the clocks of an IANA time zone, with how far they are from
 * UTC at that moment. `at` is an instant in ISO 8601.
 */
export function sayInstant({ at, timeZone }: Instant, locale: Locale): string {
  const { time, offset } = formatsOf(locale, timeZone);
  const when = new Date(at);
  const said = offset.formatToParts(when).find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const zone = /^GMT(\+0)?$/.test(said) ? 'UTC' : said;
  return locale === 'en-us' ? `${time.format(when)} (${zone})` : `${time.format(when)}（${zone}）`;
}

/** The day (YYYY-MM-DD) of an instant on the clocks of its time zone. */
export function dayOf({ at, timeZone }: Instant): string {
  return new Intl.DateTimeFormat('sv-SE', { timeZone }).format(new Date(at));
}

/** "Nov 28, 2026", "2026年11月28日"; `day` as YYYY-MM-DD, of whatever calendar. */
export function sayDay(day: string, locale: Locale): string {
  return new Intl.DateTimeFormat(locale, { ...date, timeZone: 'UTC' }).format(new Date(`${day}T00:00:00Z`));
}
