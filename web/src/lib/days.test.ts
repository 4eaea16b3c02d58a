import { expect, it } from 'vitest';
import { dayOf, instantsOf, isoIn, isoOf, lastDays } from './days.ts';

it('reads and writes days in the zone of the reader', () => {
  for (const day of ['2026-01-01', '2026-02-28', '2024-02-29', '2026-12-31']) expect(isoOf(dayOf(day))).toBe(day);
  expect(dayOf('2026-11-21').getHours()).toBe(0);
});

it('counts today among the last days', () => {
  expect(lastDays(1, dayOf('2026-11-21'))).toEqual({ from: '2026-11-21', to: '2026-11-21' });
  expect(lastDays(7, dayOf('2026-03-03'))).toEqual({ from: '2026-02-25', to: '2026-03-03' });
});

it('turns days into the instants from the first moment to the first after the last day', () => {
  const { from = '', to = '' } = instantsOf({ from: '2026-11-20', to: '2026-11-21' });
  expect(new Date(from)).toEqual(dayOf('2026-11-20'));
  expect(new Date(to)).toEqual(dayOf('2026-11-22'));
  expect(instantsOf({ from: '', to: '' })).toEqual({});
});

it('says which day it is in a zone', () => {
  const moment = new Date('2026-11-20T20:30:00Z');
  expect(['Asia/Hong_Kong', 'UTC', 'America/New_York'].map((zone) => isoIn(zone, moment))).toEqual([
    '2026-11-21',
    '2026-11-20',
    '2026-11-20',
  ]);
});
