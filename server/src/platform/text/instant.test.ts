import { locales } from '@causeway/contract/locale.ts';
import { describe, expect, test } from 'vitest';
import { dayOf, sayDay, sayInstant } from './instant.ts';
import { translate } from './texts.ts';

const inAll = (at: string, timeZone: string) => locales.map((locale) => sayInstant({ at, timeZone }, locale));

describe('an instant', () => {
  test('is said on the clocks of its time zone, in the order of the language, with the offset', () => {
    expect(inAll('2026-11-28T10:00:00.000Z', 'Asia/Hong_Kong')).toEqual([
      'Nov 28, 2026, 18:00 (GMT+8)',
      '2026年11月28日 18:00（GMT+8）',
      '2026年11月28日 18:00（GMT+8）',
    ]);
  });

  test.each([
    ['in winter', '2026-01-15T04:30:59.999Z', 'America/New_York', 'Jan 14, 2026, 23:30 (GMT-5)'],
    ['in summer', '2026-07-15T04:30:00.000Z', 'America/New_York', 'Jul 15, 2026, 00:30 (GMT-4)'],
    ['before clocks go back', '2026-11-01T05:30:00.000Z', 'America/New_York', 'Nov 1, 2026, 01:30 (GMT-4)'],
    ['after clocks went back', '2026-11-01T06:30:00.000Z', 'America/New_York', 'Nov 1, 2026, 01:30 (GMT-5)'],
    ['at an offset of half an hour', '2026-07-15T04:30:00.000Z', 'Asia/Kolkata', 'Jul 15, 2026, 10:00 (GMT+5:30)'],
    ['at the offset of UTC', '2026-01-15T04:30:00.000Z', 'Europe/London', 'Jan 15, 2026, 04:30 (UTC)'],
    ['ahead of it in summer', '2026-07-15T04:30:00.000Z', 'Europe/London', 'Jul 15, 2026, 05:30 (GMT+1)'],
    ['in UTC', '2026-07-15T00:00:00.000Z', 'UTC', 'Jul 15, 2026, 00:00 (UTC)'],
  ])('%s', (_when, at, timeZone, said) => {
    expect(sayInstant({ at, timeZone }, 'en-us')).toBe(said);
  });

  test('fills the blank of a text', () => {
    const until = { at: '2026-07-15T04:30:00.000Z', timeZone: 'America/New_York' };
    expect(translate('zh-hk', 'error.approvalRulesHeld', { until })).toContain('2026年7月15日 00:30（GMT-4）前');
  });
});

test('the day of an instant is that of its time zone', () => {
  const at = '2026-07-15T03:59:59.999Z';
  const days = ['America/New_York', 'UTC', 'Pacific/Kiritimati'].map((timeZone) => dayOf({ at, timeZone }));
  expect(days).toEqual(['2026-07-14', '2026-07-15', '2026-07-15']);
});

test('a day is said as it is, wherever the reader is', () => {
  expect(locales.map((locale) => sayDay('2026-03-01', locale))).toEqual([
    'Mar 1, 2026',
    '2026年3月1日',
    '2026年3月1日',
  ]);
});
