import fc from 'fast-check';
import { expect, test } from 'vitest';
import { dueOf } from './domain.ts';

const minor = fc.bigInt(-(10n ** 12n), 10n ** 12n);

test('never more than lies there is swept, and nothing while a sweep is under way or the address rests', () => {
  fc.assert(
    fc.property(
      minor,
      fc.bigInt(0n, 10n ** 12n),
      fc.boolean(),
      fc.bigInt(1n, 10n ** 9n),
      (lying, under, rests, least) => {
        const due = dueOf({ address: 'x', lyingMinor: lying, underWayMinor: under, rests }, least);
        expect(due === 0n || (due === lying && due >= least && under === 0n && !rests)).toBe(true);
      },
    ),
  );
});

test.each([
  [10n, 0n, false, 10n, 10n],
  [9n, 0n, false, 10n, 0n],
  [9n, 0n, false, 1n, 9n],
  [9n, 1n, false, 1n, 0n],
  [9n, 0n, true, 1n, 0n],
  [-9n, 0n, false, 1n, 0n],
])(
  'of %s lying with %s under way (rests: %s) and at least %s, %s is due',
  (lyingMinor, underWayMinor, rests, least, due) => {
    expect(dueOf({ address: 'x', lyingMinor, underWayMinor, rests }, least)).toBe(due);
  },
);
