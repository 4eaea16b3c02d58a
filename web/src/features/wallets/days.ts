import { useMemo } from 'react';
import { useLocaleTag } from '../../lib/locale.tsx';

/** Days and clocks of a bank, which are not the reader's. */
export interface BankDays {
  /** "Wed, Nov 25" of `2026-11-25`. */
  day: (date: string) => string;
  /** "Hong Kong Standard Time" of `Asia/Hong_Kong`. */
  zone: (timeZone: string) => string;
}

export function useBankDays(): BankDays {
  const tag = useLocaleTag();
  return useMemo(() => bankDaysIn(tag), [tag]);
}

function bankDaysIn(tag: string): BankDays {
  const day = new Intl.DateTimeFormat(tag, { weekday: 'short', day: 'numeric', month: 'short', timeZone: 'UTC' });
  return {
    day: (date) => day.format(new Date(`${date}T00:00:00Z`)),
    zone: (timeZone) => {
      const parts = new Intl.DateTimeFormat(tag, { timeZone, timeZoneName: 'longGeneric' }).formatToParts();
      return parts.find(({ type }) => type === 'timeZoneName')?.value ?? timeZone;
    },
  };
}
