import { expect, test } from 'vitest';
import { requireDeadline, requireWorth } from './domain.ts';

const now = new Date('2026-03-02T09:00:00.000Z');
const after = (ms: number) => () => requireDeadline(new Date(now.getTime() + ms), now);
const minute = 60_000;
const day = 86_400_000;

test('a deadline is five minutes to seven days ahead', () => {
  expect(after(5 * minute)).not.toThrow();
  expect(after(7 * day)).not.toThrow();
  for (const ms of [-minute, 0, 5 * minute - 1, 7 * day + 1]) {
    expect(after(ms)).toThrow(expect.objectContaining({ key: 'otcDeadline' }));
  }
});

test('what is worth the minimum is asked of the desk, and less is not', () => {
  expect(() => requireWorth(5_000_000n, 5_000_000n)).not.toThrow();
  expect(() => requireWorth(4_999_999n, 5_000_000n)).toThrow(
    expect.objectContaining({ key: 'otcBelowMinimum', details: { minimum: '50,000.00' } }),
  );
});
