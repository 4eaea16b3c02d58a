import { addDays, type Day, dayOf, easterOf, isWeekend, nthWeekday, weekdayOf } from './day.ts';

/** On which days the payment system of a currency is closed, beside weekends, where that can be computed. */

type Rule =
  | { month: number; day: number }
  | { month: number; weekday: number; nth: number }
  /** Days after Easter Sunday. */
  | { easter: number }
  /** The last given weekday on or before a day. */
  | { month: number; day: number; weekdayBefore: number }
  | { of: (year: number) => Day };

/** What happens to a holiday on a weekend: nothing; Sunday moves to Monday; either moves to the next day that is free. */
type Moves = 'never' | 'sunday' | 'weekend';

interface ComputedCalendar {
  rules: readonly Rule[];
  moves: Moves;
}

const [monday, thursday] = [1, 4];
const newYear: Rule = { month: 1, day: 1 };
const goodFriday: Rule = { easter: -2 };
const easterMonday: Rule = { easter: 1 };
const christmas: Rule = { month: 12, day: 25 };
const boxingDay: Rule = { month: 12, day: 26 };

/** Until 2099: the equinoxes as Japan's almanac computes them. */
function equinox(month: 3 | 9, base: number): Rule {
  return {
    of: (year) => dayOf(year, month, Math.floor(base + 0.242194 * (year - 1980) - Math.floor((year - 1980) / 4))),
  };
}

export const computedCalendars = {
  /** TARGET (ECB): no holiday moves. */
  EUR: { rules: [newYear, goodFriday, easterMonday, { month: 5, day: 1 }, christmas, boxingDay], moves: 'never' },
  /** Fedwire (Federal Reserve): a Sunday moves to Monday, a Saturday is not moved. */
  USD: {
    rules: [
      newYear,
      { month: 1, weekday: monday, nth: 3 },
      { month: 2, weekday: monday, nth: 3 },
      { month: 5, weekday: monday, nth: -1 },
      { month: 6, day: 19 },
      { month: 7, day: 4 },
      { month: 9, weekday: monday, nth: 1 },
      { month: 10, weekday: monday, nth: 2 },
      { month: 11, day: 11 },
      { month: 11, weekday: thursday, nth: 4 },
      christmas,
    ],
    moves: 'sunday',
  },
  /** CHAPS: bank holidays of England and Wales; days proclaimed once are not computed. */
  GBP: {
    rules: [
      newYear,
      goodFriday,
      easterMonday,
      { month: 5, weekday: monday, nth: 1 },
      { month: 5, weekday: monday, nth: -1 },
      { month: 8, weekday: monday, nth: -1 },
      christmas,
      boxingDay,
    ],
    moves: 'weekend',
  },
  /** Lynx (Payments Canada). */
  CAD: {
    rules: [
      newYear,
      { month: 2, weekday: monday, nth: 3 },
      goodFriday,
      { month: 5, day: 24, weekdayBefore: monday },
      { month: 7, day: 1 },
      { month: 8, weekday: monday, nth: 1 },
      { month: 9, weekday: monday, nth: 1 },
      { month: 9, day: 30 },
      { month: 10, weekday: monday, nth: 2 },
      { month: 11, day: 11 },
      christmas,
      boxingDay,
    ],
    moves: 'weekend',
  },
  /** RITS (Reserve Bank of Australia), days of Sydney. */
  AUD: {
    rules: [
      newYear,
      { month: 1, day: 26 },
      goodFriday,
      easterMonday,
      { month: 4, day: 25 },
      { month: 6, weekday: monday, nth: 2 },
      christmas,
      boxingDay,
    ],
    moves: 'weekend',
  },
  /** Zengin: national holidays, and banks' own at the turn of the year. */
  JPY: {
    rules: [
      newYear,
      { month: 1, day: 2 },
      { month: 1, day: 3 },
      { month: 1, weekday: monday, nth: 2 },
      { month: 2, day: 11 },
      { month: 2, day: 23 },
      equinox(3, 20.8431),
      { month: 4, day: 29 },
      { month: 5, day: 3 },
      { month: 5, day: 4 },
      { month: 5, day: 5 },
      { month: 7, weekday: monday, nth: 3 },
      { month: 8, day: 11 },
      { month: 9, weekday: monday, nth: 3 },
      equinox(9, 23.2488),
      { month: 10, weekday: monday, nth: 2 },
      { month: 11, day: 3 },
      { month: 11, day: 23 },
      { month: 12, day: 31 },
    ],
    moves: 'sunday',
  },
} as const satisfies Record<string, ComputedCalendar>;
export type ComputedCurrency = keyof typeof computedCalendars;

function dayOfRule(rule: Rule, year: number): Day {
  if ('of' in rule) return rule.of(year);
  if ('easter' in rule) return addDays(easterOf(year), rule.easter);
  if ('nth' in rule) return nthWeekday(year, rule.month, rule.weekday, rule.nth);
  const day = dayOf(year, rule.month, rule.day);
  return 'weekdayBefore' in rule ? addDays(day, -((weekdayOf(day) - rule.weekdayBefore + 7) % 7)) : day;
}

/** Holidays of a year with the days to which they move, sorted. */
export function holidaysOf(currency: ComputedCurrency, year: number): Day[] {
  const { rules, moves }: ComputedCalendar = computedCalendars[currency];
  // A holiday at the end of the year before may move into this one.
  const days = [year - 1, year].flatMap((each) => rules.map((rule) => dayOfRule(rule, each))).toSorted();
  const taken = new Set(days);
  for (const day of days) {
    const movesOn = moves === 'weekend' ? isWeekend(day) : moves === 'sunday' && weekdayOf(day) === 0;
    // Banks of Japan are closed at the turn of the year without a day in place of it.
    const isTurn = currency === 'JPY' && /-(12-31|01-0[23])$/.test(day);
    if (movesOn && !isTurn) taken.add(nextFree(day, taken));
  }
  if (currency === 'JPY') for (const day of between(taken)) taken.add(day);
  return [...taken].filter((day) => day.startsWith(`${year}-`)).toSorted();
}

function nextFree(day: Day, taken: ReadonlySet<Day>): Day {
  let next = addDays(day, 1);
  while (taken.has(next) || isWeekend(next)) next = addDays(next, 1);
  return next;
}

/** Japan: a working day between two holidays is one itself. */
function between(taken: ReadonlySet<Day>): Day[] {
  return [...taken]
    .map((day) => addDays(day, 1))
    .filter((day) => !taken.has(day) && !isWeekend(day) && taken.has(addDays(day, 1)))
    .filter((day) => !day.endsWith('-12-30'));
}
