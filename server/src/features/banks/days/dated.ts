import { BankCalendarError } from './calendar-error.ts';
import { type Day, dayOf } from './day.ts';

/**
 * Days of currencies whose holidays follow the moon or are decreed each year. The operator replaces the table by a file of the same
 * form when a government has published the next year.
 */
export interface DatedCalendar {
  currency: string;
  /** Years that the table covers; outside them nothing is known. */
  years: readonly number[];
  closed: readonly Day[];
  /** Weekend days on which banks work. */
  open: readonly Day[];
}

const of = (year: number, days: string): Day[] => days.split(' ').map((day) => `${year}-${day}`);

export const datedCalendars: readonly DatedCalendar[] = [
  {
    // General holidays, Government Gazette of Hong Kong.
    currency: 'HKD',
    years: [2026, 2027],
    closed: [
      ...of(
        2026,
        '01-01 02-17 02-18 02-19 04-03 04-04 04-06 04-07 05-01 05-25 06-19 07-01 09-26 10-01 10-19 12-25 12-26',
      ),
      ...of(
        2027,
        '01-01 02-06 02-08 02-09 03-26 03-27 03-29 04-05 05-01 05-13 06-09 07-01 09-16 10-01 10-08 12-25 12-27',
      ),
    ],
    open: [],
  },
  {
    // Notice of the State Council on holidays of 2026; that of the next year comes in November.
    currency: 'CNY',
    years: [2026],
    closed: of(
      2026,
      '01-01 01-02 01-03 02-15 02-16 02-17 02-18 02-19 02-20 02-21 02-22 02-23 04-04 04-05 04-06 05-01 05-02 05-03 05-04 05-05 06-19 06-20 06-21 ' +
        '09-25 09-26 09-27 10-01 10-02 10-03 10-04 10-05 10-06 10-07',
    ),
    open: of(2026, '01-04 02-14 02-28 05-09 09-20 10-10'),
  },
  {
    // Public holidays, Ministry of Manpower of Singapore.
    currency: 'SGD',
    years: [2026],
    closed: of(2026, '01-01 02-17 02-18 03-21 04-03 05-01 05-27 06-01 08-10 11-09 12-25'),
    open: [],
  },
  {
    // Public Holidays of New Zealand with Matariki, which follows the moon.
    currency: 'NZD',
    years: [2026],
    closed: of(2026, '01-01 01-02 02-06 04-03 04-06 04-27 06-01 07-10 10-26 12-25 12-28'),
    open: [],
  },
];

/**
 * Reads the operator's table: an array in the form of `datedCalendars`, as JSON.
 * @throws BankCalendarError with the place of what is wrong
 */
export function readDatedCalendars(json: string): DatedCalendar[] {
  const table = parsed(json);
  if (!Array.isArray(table)) throw new BankCalendarError('an array of calendars is wanted');
  return table.map((each: unknown, i) => calendarOf(each, `calendar ${i + 1}`));
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    throw new BankCalendarError('it is not JSON');
  }
}

function calendarOf(value: unknown, place: string): DatedCalendar {
  const { currency, years, closed, open = [] } = (value ?? {}) as Record<string, unknown>;
  if (typeof currency !== 'string' || !/^[A-Z]{3}$/.test(currency)) {
    throw new BankCalendarError(`${place}: currency is not three capital letters`);
  }
  if (!Array.isArray(years) || years.length === 0 || !years.every((year) => Number.isInteger(year))) {
    throw new BankCalendarError(`${place}: years is not a list of years`);
  }
  const days = (list: unknown, name: string): Day[] => {
    if (!Array.isArray(list)) throw new BankCalendarError(`${place}: ${name} is not a list of days`);
    const wrong = list.find((day) => !isDay(day) || !years.includes(Number(day.slice(0, 4))));
    if (wrong !== undefined)
      throw new BankCalendarError(`${place}: ${name} has ${String(wrong)}, which is no day of its years`);
    return list as Day[];
  };
  return { currency, years: years as number[], closed: days(closed, 'closed'), open: days(open, 'open') };
}

function isDay(value: unknown): value is Day {
  if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(value)) return false;
  const [year = 0, month = 0, day = 0] = value.split('-').map(Number);
  return dayOf(year, month, day) === value;
}
