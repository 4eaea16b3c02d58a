import { type Day, localTime } from './days/day.ts';
import { type ExpectedDates, expectedDates, workingDays } from './days/value-date.ts';
import type { BankCurrency, CatalogueBank } from './store.ts';

const isWorking = workingDays();

/** When money sent to an account at a bank at a moment is expected there, by the working days of the currency and of the bank's home. */
export function expectedArrival(
  at: Date,
  { timeZone, calendars }: Pick<CatalogueBank, 'timeZone' | 'calendars'>,
  { asset, cutOff, daysLeast, daysMost }: Pick<BankCurrency, 'asset' | 'cutOff' | 'daysLeast' | 'daysMost'>,
): ExpectedDates {
  const timing = {
    timeZone,
    cutOff,
    least: daysLeast,
    most: daysMost,
    currencies: [...new Set([asset, ...calendars])],
  };
  return expectedDates(at, timing, isWorking);
}

/** The day at a moment where a bank is. */
export function dayAt(at: Date, timeZone: string): Day {
  return localTime(at, timeZone).day;
}
