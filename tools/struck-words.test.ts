import { expect, test } from 'vitest';
import { struckIn } from './struck-words.ts';

test('a struck word is named together with the better one, in each language', () => {
  expect(struckIn('en-us', 'Nothing waits for you.')).toBe('"Nothing waits for you"; write: You’re all caught up');
  expect(struckIn('zh-hk', '轉帳已匯出')).toBe('"轉帳已匯出"; write: 轉帳已轉出');
  expect(struckIn('zh-cn', '邮件验证码')).toBe('"邮件验证码"; write: 邮箱验证码');
});

test('a language refuses its own words only, and settled words pass', () => {
  expect(struckIn('zh-cn', '法币充值')).toBeNull();
  expect(struckIn('zh-hk', '操作日誌及交易記錄')).toBeNull();
  expect(struckIn('en-us', 'You’re all caught up')).toBeNull();
});

test('a chain has blocks, and a policy stops; the spelling is British', () => {
  expect(struckIn('en-us', 'Transactions that this policy blocks appear here.')).toMatch(/stopped/);
  expect(struckIn('en-us', 'This policy would have blocked 3 transactions.')).toMatch(/stopped/);
  expect(struckIn('en-us', 'No list or policy blocks it.')).toMatch(/stopped/);
  expect(struckIn('en-us', 'The block that contained it was replaced')).toBeNull();
  expect(struckIn('en-us', 'Waiting to be included in a block on {chain}')).toBeNull();
  expect(struckIn('en-us', 'Not authorized')).toMatch(/British/);
  expect(struckIn('en-us', 'Cancelled by the notice centre; size and prize remain')).toBeNull();
});
