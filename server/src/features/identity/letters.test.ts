import { locales } from '@causeway/contract/locale.ts';
import { expect, test } from 'vitest';
import { securityLetter } from './letters.ts';

test('a letter about an account says its time on the clocks of the company, in summer and in winter', () => {
  const timeOf = (at: string) => {
    const event = { userId: '1', what: 'passwordChanged', at, ip: '10.0.0.1', userAgent: '' } as const;
    return locales.map((locale) => {
      const { facts } = securityLetter(locale, 'https://console.example', event, 'America/New_York');
      return facts?.[0]?.value;
    });
  };
  expect(timeOf('2026-01-15T04:30:00.000Z')).toEqual([
    'Jan 14, 2026, 23:30 (GMT-5)',
    '2026年1月14日 23:30（GMT-5）',
    '2026年1月14日 23:30（GMT-5）',
  ]);
  expect(timeOf('2026-07-15T04:30:00.000Z')).toEqual([
    'Jul 15, 2026, 00:30 (GMT-4)',
    '2026年7月15日 00:30（GMT-4）',
    '2026年7月15日 00:30（GMT-4）',
  ]);
});
