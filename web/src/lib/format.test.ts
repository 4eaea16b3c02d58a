import { expect, it } from 'vitest';
import { formatsFor } from './format.ts';

const now = new Date('2026-11-21T09:00:00Z').getTime();

it('writes dates in the order of each language, on a twenty-four hour clock', () => {
  const at = new Date(2026, 10, 21, 0, 5, 9);
  expect(formatsFor('en-US').dateTime(at)).toBe('Nov 21, 2026, 00:05:09');
  expect(formatsFor('zh-HK').dateTime(at)).toBe('2026年11月21日 00:05:09');
  expect(formatsFor('zh-CN').date(at)).toBe('2026年11月21日');
});

it('says how long ago in the unit that fits', () => {
  const { relative } = formatsFor('en-US');
  expect(relative('2026-11-21T08:59:30Z', now)).toBe('30 seconds ago');
  expect(relative('2026-11-21T08:01:00Z', now)).toBe('59 minutes ago');
  expect(relative('2026-11-20T08:00:00Z', now)).toBe('yesterday');
  expect(relative('2026-11-24T09:00:00Z', now)).toBe('in 3 days');
  expect(relative('2024-11-20T09:00:00Z', now)).toBe('2 years ago');
});

it('rounds a duration up to whole seconds, minutes or hours', () => {
  const { duration } = formatsFor('en-US');
  expect([7, 60, 84, 3600, 4200, 90_000].map(duration)).toEqual([
    '7 seconds',
    '60 seconds',
    '2 minutes',
    '60 minutes',
    '2 hours',
    '25 hours',
  ]);
  expect([7, 84, 4200].map(formatsFor('zh-HK').duration)).toEqual(['7 秒', '2 分鐘', '2 小時']);
  expect([7, 84, 4200].map(formatsFor('zh-CN').duration)).toEqual(['7 秒', '2 分钟', '2 小时']);
});

it('counts bytes in thousands', () => {
  const { bytes } = formatsFor('en-US');
  expect(bytes(0)).toBe('0 bytes');
  expect(bytes(999)).toBe('999 bytes');
  expect(bytes(248_113)).toBe('248.1 kB');
  expect(bytes(10_485_760)).toBe('10.5 MB');
});

it('writes shares with two decimals always, and progress with none', () => {
  const { percent, progress } = formatsFor('en-US');
  expect([percent(0.16), percent(0.1426), percent(1)]).toEqual(['16.00%', '14.26%', '100.00%']);
  expect([progress(0), progress(0.426), progress(1)]).toEqual(['0%', '43%', '100%']);
});
