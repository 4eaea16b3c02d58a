import type { Locale } from '@causeway/contract/locale.ts';

/** A time in the reader's language, in UTC, which it names: mails and approvals know no reader's time zone. */
export function sayInstant(at: Date | string, locale: Locale): string {
  const format = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });
  return `${format.format(new Date(at))} UTC`;
}
