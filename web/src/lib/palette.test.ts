import { expect, it } from 'vitest';
import { matches } from './palette.ts';

it('finds by all words typed, in any order, case and width', () => {
  expect(matches('Pending review Approval', 'rev pend')).toBe(true);
  expect(matches('Pending review', 'rev sent')).toBe(false);
  expect(matches('USDT 錢包', 'ｕｓｄｔ')).toBe(true);
  expect(matches('anything', '  ')).toBe(true);
});
