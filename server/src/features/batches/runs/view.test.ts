import { expect, test } from 'vitest';
import { sayFinding } from './view.ts';

test('an earlier payment of the same amount is said with its day on the clocks of the company', () => {
  const finding = { kind: 'duplicate', blanks: { at: '2026-01-14T20:00:00.000Z' } } as const;
  expect(sayFinding(finding, 'en-us', 'Asia/Hong_Kong')).toBe('The same amount was sent to this payee on Jan 15, 2026');
  expect(sayFinding(finding, 'en-us', 'America/New_York')).toContain('Jan 14, 2026');
  expect(sayFinding(finding, 'zh-hk', 'Asia/Hong_Kong')).toBe('曾於 2026年1月15日 向此收款人支付相同金額');
});
