import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { closedAhead, expectedArrival, useCalendarFile } from './arrival.ts';

/** The operator's own file of working days takes the place of the program's tables. */

const folder = mkdtempSync(join(tmpdir(), 'causeway-calendar-'));
const file = join(folder, 'calendars.json');
afterEach(() => useCalendarFile(undefined));

const bank = { timeZone: 'Asia/Hong_Kong', calendars: [] };
const sameDay = { asset: 'SGD', cutOff: '17:00', daysLeast: 0, daysMost: 0 };
const at = new Date('2027-03-10T02:00:00Z');

test('a currency of the file follows it, in dates and in what is shown; the others follow the program', () => {
  expect(expectedArrival(at, bank, sameDay)).toMatchObject({ earliest: '2027-03-10', isCertain: false });
  expect(closedAhead('2026-12-20', ['SGD'], 4)).toEqual({ closed: ['2026-12-25'], unknownFrom: '2027-01-01' });
  writeFileSync(file, JSON.stringify([{ currency: 'SGD', years: [2026, 2027], closed: ['2027-03-10'], open: [] }]));
  useCalendarFile(file);
  expect(expectedArrival(at, bank, sameDay)).toMatchObject({ earliest: '2027-03-11', isCertain: true });
  expect(closedAhead('2027-03-01', ['SGD'], 4)).toEqual({ closed: ['2027-03-10'], unknownFrom: '2028-01-03' });
  // Lunar New Year 2027 of the program's own table.
  expect(closedAhead('2027-02-01', ['HKD'], 2).closed).toEqual(['2027-02-08', '2027-02-09']);
});

test('a file that cannot be used stops the start, with its place', () => {
  writeFileSync(file, JSON.stringify([{ currency: 'SGD', years: [2027], closed: ['2026-01-01'] }]));
  expect(() => useCalendarFile(file)).toThrow(/BANK_CALENDAR_FILE names .*calendar 1: closed has 2026-01-01/);
  expect(() => useCalendarFile(join(folder, 'absent.json'))).toThrow(/cannot be read/);
  rmSync(folder, { recursive: true });
});
