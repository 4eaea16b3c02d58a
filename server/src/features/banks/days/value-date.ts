import { type DatedCalendar, datedCalendars } from './dated.ts';
import { addDays, type Day, isWeekend, localTime } from './day.ts';
import { type ComputedCurrency, computedCalendars, holidaysOf } from './holidays.ts';

/** Whether banks work in a currency on a day; null where that day's year is in no table. */
export type WorkingDays = (currency: string, day: Day) => boolean | null;

/** Working days by rule, and by table for the currencies that have none. */
export function workingDays(tables: readonly DatedCalendar[] = datedCalendars): WorkingDays {
  const computed = new Map<string, ReadonlySet<Day>>();
  const holidays = (currency: ComputedCurrency, year: number) => {
    const key = `${currency} ${year}`;
    const found = computed.get(key) ?? new Set(holidaysOf(currency, year));
    computed.set(key, found);
    return found;
  };
  return (currency, day) => {
    const year = Number(day.slice(0, 4));
    const table = tables.find((each) => each.currency === currency && each.years.includes(year));
    if (table) return table.open.includes(day) || !(isWeekend(day) || table.closed.includes(day));
    if (isWeekend(day)) return false;
    return Object.hasOwn(computedCalendars, currency) ? !holidays(currency as ComputedCurrency, year).has(day) : null;
  };
}

/** How long a way of a bank takes. */
export interface Timing {
  /** Where the cut-off is meant, IANA. */
  timeZone: string;
  /** `HH:MM`: what comes at this time or later counts as of the next working day. */
  cutOff: string;
  /** Working days from the day that counts: 0 is the same day. */
  least: number;
  most: number;
  /** Currencies whose banks must all work: of the payment, and of those that carry it. */
  currencies: readonly string[];
}

export interface ExpectedDates {
  /** The day from which the bank counts. */
  counted: Day;
  earliest: Day;
  latest: Day;
  /** A year on the way is in no table, so that its holidays were taken as working days. */
  isCertain: boolean;
}

/** When money that is ordered or sent now is expected. */
export function expectedDates(at: Date, timing: Timing, isWorking: WorkingDays): ExpectedDates {
  let isCertain = true;
  const works = (day: Day) =>
    timing.currencies
      .map((currency) => {
        const known = isWorking(currency, day);
        if (known === null) isCertain = false;
        return known ?? !isWeekend(day);
      })
      .every((working) => working);
  const onOrAfter = (from: Day) => {
    let day = from;
    while (!works(day)) day = addDays(day, 1);
    return day;
  };
  const after = (from: Day, days: number) => {
    let day = from;
    for (let passed = 0; passed < days; passed += 1) day = onOrAfter(addDays(day, 1));
    return day;
  };
  const { day, minutes } = localTime(at, timing.timeZone);
  const counted = onOrAfter(minutes >= minutesOf(timing.cutOff) ? addDays(day, 1) : day);
  return { counted, earliest: after(counted, timing.least), latest: after(counted, timing.most), isCertain };
}

function minutesOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return hours * 60 + minutes;
}
