import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addDays, type PayDays, payDaysFrom, weekendRules } from './payout-templates-rules.ts';

const monthly = (day: number, change: Partial<PayDays> = {}): PayDays => ({
  every: 'month',
  day,
  weekend: 'stay',
  firstDay: '2026-01-01',
  lastDay: null,
  ...change,
});

test('the 31st is the last day of a shorter month, in a leap year too', () => {
  expect(payDaysFrom(monthly(31), '2028-01-31', 4)).toEqual(['2028-01-31', '2028-02-29', '2028-03-31', '2028-04-30']);
  expect(payDaysFrom(monthly(30), '2027-02-01', 2)).toEqual(['2027-02-28', '2027-03-30']);
  expect(payDaysFrom(monthly(31), '2026-12-31', 2)).toEqual(['2026-12-31', '2027-01-31']);
});

test('a weekend stays, or moves to the working day before or after', () => {
  // 25 July 2026 is a Saturday, 25 October 2026 a Sunday.
  for (const [weekend, july, october] of [
    ['stay', '2026-07-25', '2026-10-25'],
    ['before', '2026-07-24', '2026-10-23'],
    ['after', '2026-07-27', '2026-10-26'],
  ] as const) {
    expect(payDaysFrom(monthly(25, { weekend }), '2026-07-20', 1)).toEqual([july]);
    expect(payDaysFrom(monthly(25, { weekend }), '2026-10-01', 1)).toEqual([october]);
  }
});

test('a weekend can move a pay day into the month before or after', () => {
  expect(payDaysFrom(monthly(1, { weekend: 'before' }), '2026-07-15', 1)).toEqual(['2026-07-31']);
  expect(payDaysFrom(monthly(31, { weekend: 'after' }), '2026-01-31', 2)).toEqual(['2026-02-02', '2026-03-02']);
});

test('first and last day bound what is paid, weekends considered', () => {
  const bounded = monthly(25, { firstDay: '2026-07-25', lastDay: '2026-10-24', weekend: 'before' });
  expect(payDaysFrom(bounded, '2026-01-01', 9)).toEqual(['2026-08-25', '2026-09-25', '2026-10-23']);
  expect(payDaysFrom(bounded, '2026-10-24', 9)).toEqual([]);
});

test('each week has its day', () => {
  expect(payDaysFrom(monthly(5, { every: 'week' }), '2026-11-27', 3)).toEqual([
    '2026-11-27',
    '2026-12-04',
    '2026-12-11',
  ]);
  expect(payDaysFrom(monthly(7, { every: 'week', weekend: 'after' }), '2026-11-30', 1)).toEqual(['2026-11-30']);
});

test('pay days are those that going through the calendar day by day finds', () => {
  const weekday = (day: string) => new Date(`${day}T00:00:00Z`).getUTCDay();
  const isNominal = ({ every, day }: PayDays, date: string) => {
    if (every === 'week') return weekday(date) === day % 7;
    const isLast = addDays(date, 1).endsWith('-01');
    return Number(date.slice(8)) === day || (isLast && Number(date.slice(8)) < day);
  };
  const moved = (date: string, rule: PayDays['weekend']): string => {
    if (rule === 'stay' || (weekday(date) !== 0 && weekday(date) !== 6)) return date;
    return moved(addDays(date, rule === 'before' ? -1 : 1), rule);
  };
  const schedules = fc.record({
    every: fc.constantFrom('week' as const, 'month' as const),
    day: fc.integer({ min: 1, max: 31 }),
    weekend: fc.constantFrom(...weekendRules),
    first: fc.integer({ min: -40, max: 40 }),
    last: fc.option(fc.integer({ min: 41, max: 300 })),
    from: fc.integer({ min: 0, max: 3000 }),
  });
  fc.assert(
    fc.property(schedules, ({ every, day, weekend, first, last, from: offset }) => {
      const from = addDays('2026-01-01', offset);
      const schedule: PayDays = {
        every,
        day: every === 'week' ? ((day - 1) % 7) + 1 : day,
        weekend,
        firstDay: addDays(from, first),
        lastDay: last === null ? null : addDays(from, last),
      };
      const expected: string[] = [];
      for (let date = addDays(from, -3); date < addDays(from, 400); date = addDays(date, 1)) {
        if (!isNominal(schedule, date)) continue;
        const paid = moved(date, weekend);
        if (paid >= from && paid >= schedule.firstDay && paid <= (schedule.lastDay ?? '9999')) expected.push(paid);
      }
      expect(payDaysFrom(schedule, from, 8)).toEqual(expected.slice(0, 8));
    }),
  );
});
