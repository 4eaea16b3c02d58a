import { readFileSync } from 'node:fs';
import { ConfigError } from '../../platform/config/config.ts';
import { BankCalendarError } from './days/calendar-error.ts';
import { datedCalendars, readDatedCalendars } from './days/dated.ts';
import { addDays, type Day, isWeekend, localTime } from './days/day.ts';
import { type ExpectedDates, expectedDates, workingDays } from './days/value-date.ts';
import type { BankCurrency, CatalogueBank } from './store.ts';

let isWorking = workingDays();

/**
 * Reads the operator's file of working days (BANK_CALENDAR_FILE) at the start of a process. Its tables take the place of the program's own, currency by
 * currency; without a file those hold. @throws ConfigError
 */
export function useCalendarFile(path: string | undefined): void {
  if (path === undefined) {
    isWorking = workingDays();
    return;
  }
  try {
    const own = readDatedCalendars(readFileSync(path, 'utf8'));
    const named = new Set(own.map(({ currency }) => currency));
    isWorking = workingDays([...own, ...datedCalendars.filter(({ currency }) => !named.has(currency))]);
  } catch (error) {
    if (error instanceof BankCalendarError) {
      throw new ConfigError(`BANK_CALENDAR_FILE names ${path}, which is not usable: ${error.message}.`);
    }
    const { code } = error as { code?: unknown };
    throw new ConfigError(`BANK_CALENDAR_FILE names ${path}, which cannot be read: ${String(code ?? error)}`);
  }
}

const aheadDays = 400;

/**
 * The next days of the week on which a bank does not work in a currency, and from which day on that is not known, since a year is in no
 * table; within 400 days.
 */
export function closedAhead(
  from: Day,
  currencies: readonly string[],
  most: number,
): { closed: Day[]; unknownFrom: Day | null } {
  const closed: Day[] = [];
  for (let ahead = 0, day = from; ahead < aheadDays; ahead += 1, day = addDays(day, 1)) {
    const known = currencies.map((currency) => isWorking(currency, day));
    if (known.includes(null) && !isWeekend(day)) return { closed, unknownFrom: day };
    if (!isWeekend(day) && known.includes(false) && closed.length < most) closed.push(day);
  }
  return { closed, unknownFrom: null };
}

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
