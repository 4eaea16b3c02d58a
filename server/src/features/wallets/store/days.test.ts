import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../../platform/ids.ts';
import { type TestDatabase, testDatabase } from '../../../testing/database.ts';
import { findDays } from './days.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
});
afterAll(() => db.close());

async function daysOf(timeZone: string, now: string, before: number) {
  const days = await db.app.withCompany(newId(), (tx) => findDays(tx, timeZone, new Date(now), before));
  return days.map(({ date, end }) => [date, end.toISOString()]);
}

test('days end at midnight of their time zone, whatever that of the server is', async () => {
  expect(await daysOf('Asia/Hong_Kong', '2026-11-23T15:59:59.999Z', 1)).toEqual([
    ['2026-11-22', '2026-11-22T16:00:00.000Z'],
    ['2026-11-23', '2026-11-23T16:00:00.000Z'],
  ]);
  expect(await daysOf('Asia/Hong_Kong', '2026-11-23T16:00:00Z', 1)).toEqual([
    ['2026-11-23', '2026-11-23T16:00:00.000Z'],
    ['2026-11-24', '2026-11-24T16:00:00.000Z'],
  ]);
  expect(await daysOf('America/New_York', '2026-11-23T04:59:59Z', 0)).toEqual([
    ['2026-11-22', '2026-11-23T05:00:00.000Z'],
  ]);
  expect(await daysOf('UTC', '2026-11-23T00:00:00Z', 0)).toEqual([['2026-11-23', '2026-11-24T00:00:00.000Z']]);
});

test('a day of 23 hours and one of 25 end at their own midnights', async () => {
  expect(await daysOf('Europe/Berlin', '2026-03-29T12:00:00Z', 1)).toEqual([
    ['2026-03-28', '2026-03-28T23:00:00.000Z'],
    ['2026-03-29', '2026-03-29T22:00:00.000Z'],
  ]);
  expect(await daysOf('Europe/Berlin', '2026-10-25T12:00:00Z', 1)).toEqual([
    ['2026-10-24', '2026-10-24T22:00:00.000Z'],
    ['2026-10-25', '2026-10-25T23:00:00.000Z'],
  ]);
});
