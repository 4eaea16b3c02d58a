import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { datedCalendars, readDatedCalendars } from './dated.ts';
import { addDays, easterOf, isWeekend, nthWeekday } from './day.ts';
import { holidaysOf } from './holidays.ts';
import { expectedDates, type Timing, workingDays } from './value-date.ts';

describe('holidays by rule', () => {
  test('Easter', () => {
    const published = ['2024-03-31', '2025-04-20', '2026-04-05', '2027-03-28', '2038-04-25'];
    expect(published.map((day) => easterOf(Number(day.slice(0, 4))))).toEqual(published);
  });

  test('weekdays of a month, from its beginning and its end', () => {
    expect([nthWeekday(2026, 11, 4, 4), nthWeekday(2026, 5, 1, -1), nthWeekday(2026, 6, 1, 1)]).toEqual([
      '2026-11-26',
      '2026-05-25',
      '2026-06-01',
    ]);
  });

  // As the European Central Bank, the Federal Reserve, the British government and Japan's Cabinet Office publish them.
  test.each([
    ['EUR', 2026, '01-01 04-03 04-06 05-01 12-25 12-26'],
    ['EUR', 2027, '01-01 03-26 03-29 05-01 12-25 12-26'],
    ['USD', 2026, '01-01 01-19 02-16 05-25 06-19 07-04 09-07 10-12 11-11 11-26 12-25'],
    ['USD', 2027, '01-01 01-18 02-15 05-31 06-19 07-04 07-05 09-06 10-11 11-11 11-25 12-25'],
    ['GBP', 2026, '01-01 04-03 04-06 05-04 05-25 08-31 12-25 12-26 12-28'],
    ['GBP', 2027, '01-01 03-26 03-29 05-03 05-31 08-30 12-25 12-26 12-27 12-28'],
    [
      'JPY',
      2026,
      '01-01 01-02 01-03 01-12 02-11 02-23 03-20 04-29 05-03 05-04 05-05 05-06 07-20 08-11 09-21 09-22 09-23 10-12 11-03 11-23 12-31',
    ],
  ] as const)('%s %i', (currency, year, days) => {
    expect(holidaysOf(currency, year).map((day) => day.slice(5))).toEqual(days.split(' '));
  });

  test('a holiday at the end of a year moves into the next', () => {
    expect(holidaysOf('GBP', 2022)).toContain('2022-01-03');
  });
});

describe('working days', () => {
  const works = workingDays();

  test('by rule and by table, with weekends that are worked', () => {
    expect([works('EUR', '2026-05-01'), works('USD', '2026-05-01'), works('HKD', '2026-05-01')]).toEqual([
      false,
      true,
      false,
    ]);
    expect([works('CNY', '2026-02-14'), works('CNY', '2026-02-16'), works('CNY', '2026-02-24')]).toEqual([
      true,
      false,
      true,
    ]);
    expect([works('HKD', '2026-11-21'), works('HKD', '2026-11-23')]).toEqual([false, true]);
  });

  test('what is in no table is unknown, weekends aside', () => {
    expect([works('SGD', '2031-03-05'), works('CHF', '2026-03-05'), works('CHF', '2026-03-07')]).toEqual([
      null,
      null,
      false,
    ]);
  });

  test('tables have no day of another year and close no weekend that they open', () => {
    for (const { years, closed, open } of datedCalendars) {
      expect([...closed, ...open].every((day) => years.includes(Number(day.slice(0, 4))))).toBe(true);
      expect(open.every((day) => isWeekend(day) && !closed.includes(day))).toBe(true);
    }
  });

  test('the operator’s table takes the place of ours, and is refused with the place of what is wrong', () => {
    const table = [{ currency: 'SGD', years: [2031], closed: ['2031-03-05'], open: ['2031-03-08'] }];
    const own = workingDays(readDatedCalendars(JSON.stringify(table)));
    expect([own('SGD', '2031-03-05'), own('SGD', '2031-03-06'), own('SGD', '2031-03-08')]).toEqual([false, true, true]);
    const refusal = (value: unknown) => () => readDatedCalendars(JSON.stringify(value));
    expect(() => readDatedCalendars('{')).toThrow('it is not JSON');
    expect(refusal({})).toThrow('an array');
    expect(refusal([{ currency: 'sgd' }])).toThrow('calendar 1: currency');
    expect(refusal([{ currency: 'SGD', years: [] }])).toThrow('calendar 1: years');
    expect(refusal([{ currency: 'SGD', years: [2031], closed: '2031-03-05' }])).toThrow('closed is not a list');
    expect(refusal([{ currency: 'SGD', years: [2031], closed: ['2031-02-30'] }])).toThrow('closed has 2031-02-30');
    expect(refusal([{ currency: 'SGD', years: [2031], closed: [], open: ['2030-01-01'] }])).toThrow(
      'open has 2030-01-01',
    );
  });
});

describe('expected dates', () => {
  const works = workingDays();
  const hongKong: Timing = { timeZone: 'Asia/Hong_Kong', cutOff: '17:00', least: 1, most: 3, currencies: ['HKD'] };
  const at = (time: string) => new Date(time);

  test.each([
    ['before the cut-off', '2026-11-23T16:59:59+08:00', '2026-11-23', '2026-11-24', '2026-11-26'],
    ['at the cut-off', '2026-11-23T17:00:00+08:00', '2026-11-24', '2026-11-25', '2026-11-27'],
    ['the bank’s clock counts, not ours', '2026-11-23T17:00:00Z', '2026-11-24', '2026-11-25', '2026-11-27'],
    ['over a weekend', '2026-11-20T18:00:00+08:00', '2026-11-23', '2026-11-24', '2026-11-26'],
    [
      'over Christmas, and 26 December on a Saturday',
      '2026-12-24T10:00:00+08:00',
      '2026-12-24',
      '2026-12-28',
      '2026-12-30',
    ],
  ])('%s', (_, time, counted, earliest, latest) => {
    expect(expectedDates(at(time), hongKong, works)).toEqual({ counted, earliest, latest, isCertain: true });
  });

  test('every currency on the way must work, and a year that is in no table is said', () => {
    const swift = { ...hongKong, currencies: ['HKD', 'USD'] };
    // Thanksgiving is no working day in New York.
    expect(expectedDates(at('2026-11-25T09:00:00+08:00'), swift, works).earliest).toBe('2026-11-27');
    const late = { ...hongKong, currencies: ['CNY'] };
    expect(expectedDates(at('2026-12-30T09:00:00+08:00'), late, works)).toMatchObject({ isCertain: false });
  });

  test('dates are in order and on working days, and later money is never expected earlier', () => {
    const moment = fc.date({ min: at('2026-01-02T00:00:00Z'), max: at('2026-11-30T00:00:00Z'), noInvalidDate: true });
    const timing = fc.record({
      timeZone: fc.constantFrom('Asia/Hong_Kong', 'America/New_York', 'Europe/London', 'Pacific/Auckland'),
      cutOff: fc.constantFrom('00:00', '09:30', '17:00', '23:59'),
      least: fc.nat({ max: 2 }),
      most: fc.integer({ min: 2, max: 5 }),
      currencies: fc.subarray(['HKD', 'USD', 'EUR', 'CNY', 'JPY', 'GBP'], { minLength: 1 }),
    });
    fc.assert(
      fc.property(moment, fc.nat({ max: 100 }), timing, (now, hours, each) => {
        const first = expectedDates(now, each, works);
        const later = expectedDates(new Date(now.getTime() + hours * 3_600_000), each, works);
        for (const day of [first.counted, first.earliest, first.latest]) {
          expect(each.currencies.every((currency) => works(currency, day))).toBe(true);
        }
        expect(first.counted <= first.earliest && first.earliest <= first.latest).toBe(true);
        expect(first.earliest <= later.earliest && first.latest <= later.latest).toBe(true);
        expect(first.latest <= addDays(first.counted, 40)).toBe(true);
      }),
    );
  });
});
