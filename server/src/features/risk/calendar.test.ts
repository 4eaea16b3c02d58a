import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../platform/ids.ts';
import { type TestDatabase, testDatabase } from '../../testing/database.ts';
import { dayIn, windowStart } from './calendar.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
});
afterAll(() => db.close());

describe('a day begins at midnight of the company, to the millisecond', () => {
  test.each([
    ['Asia/Hong_Kong', '2026-11-20T16:00:00.000Z', '2026-11-21'],
    ['UTC', '2026-11-21T00:00:00.000Z', '2026-11-21'],
    // A quarter of an hour off.
    ['Asia/Kathmandu', '2026-11-20T18:15:00.000Z', '2026-11-21'],
    // The first and the last place on earth.
    ['Pacific/Kiritimati', '2026-11-20T10:00:00.000Z', '2026-11-21'],
    ['Pacific/Pago_Pago', '2026-11-21T11:00:00.000Z', '2026-11-21'],
    // The days on which the clocks change, and those after: 23 and 25 hours.
    ['Europe/Berlin', '2026-03-28T23:00:00.000Z', '2026-03-29'],
    ['Europe/Berlin', '2026-03-29T22:00:00.000Z', '2026-03-30'],
    ['Europe/Berlin', '2026-10-24T22:00:00.000Z', '2026-10-25'],
    ['Europe/Berlin', '2026-10-25T23:00:00.000Z', '2026-10-26'],
    ['America/New_York', '2026-03-08T05:00:00.000Z', '2026-03-08'],
    ['America/New_York', '2026-03-09T04:00:00.000Z', '2026-03-09'],
    // Half an hour of summer time.
    ['Australia/Lord_Howe', '2026-04-04T13:00:00.000Z', '2026-04-05'],
    // The clocks go forward at midnight: the day begins at one.
    ['America/Santiago', '2026-09-06T04:00:00.000Z', '2026-09-06'],
    ['Asia/Hong_Kong', '2027-12-31T16:00:00.000Z', '2028-01-01'],
  ])('%s: %s begins %s', (timeZone, instant, day) => {
    const at = Date.parse(instant);
    expect(dayIn(timeZone, new Date(at))).toBe(day);
    expect(dayIn(timeZone, new Date(at - 1)) < day).toBe(true);
  });

  test('as the database counts them, in every hour of two years', async () => {
    const zones = ['Asia/Hong_Kong', 'Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'America/Santiago'];
    const { rows } = await db.app.withCompany(newId(), (tx) =>
      sql<{ zone: string; at: Date; day: string; week: string; month: string }>`
        select zone, at, (at at time zone zone)::date::text as day,
          date_trunc('week', at at time zone zone)::date::text as week,
          date_trunc('month', at at time zone zone)::date::text as month
        from unnest(${zones}::text[]) zone,
          generate_series(timestamptz '2024-12-20 00:00Z', timestamptz '2026-12-31 00:00Z', interval '59 minutes') at`.execute(
        tx,
      ),
    );
    expect(rows.length).toBeGreaterThan(80_000);
    const wrong = rows.filter(({ zone, at, day, week, month }) => {
      const own = dayIn(zone, at);
      return own !== day || windowStart('week', own) !== week || windowStart('month', own) !== month;
    });
    expect(wrong.slice(0, 3)).toEqual([]);
  });
});

test('a week begins on Monday, across months and years', () => {
  expect(windowStart('week', '2026-11-23')).toBe('2026-11-23');
  expect(windowStart('week', '2026-11-29')).toBe('2026-11-23');
  expect(windowStart('week', '2026-03-01')).toBe('2026-02-23');
  expect(windowStart('week', '2027-01-03')).toBe('2026-12-28');
  expect(windowStart('week', '2024-02-29')).toBe('2024-02-26');
});
