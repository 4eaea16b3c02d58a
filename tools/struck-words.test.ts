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
