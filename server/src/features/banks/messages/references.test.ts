import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isIso11649, isSwissQr } from './references.ts';

test('published references are accepted, grouped or not', () => {
  for (const reference of ['RF18539007547034', 'RF18 5390 0754 7034', 'rf18539007547034', 'RF712348231']) {
    expect(isIso11649(reference)).toBe(true);
  }
  expect(isSwissQr('21 00000 00003 13947 14300 09017')).toBe(true);
  for (const text of ['', 'RF', 'RF18', '539007547034', '0'.repeat(27)]) {
    expect([isIso11649(text), isSwissQr(text)]).toEqual([false, false]);
  }
});

test('one wrong digit is always found', () => {
  const slip = fc.record({ at: fc.nat({ max: 26 }), by: fc.integer({ min: 1, max: 9 }) });
  const broken = (text: string, at: number, by: number) =>
    text.slice(0, at) + String((Number(text[at]) + by) % 10) + text.slice(at + 1);
  fc.assert(
    fc.property(slip, ({ at, by }) => {
      expect(isSwissQr(broken('210000000003139471430009017', at, by))).toBe(false);
      if (at > 1 && at < 16) expect(isIso11649(broken('RF18539007547034', at, by))).toBe(false);
    }),
  );
});
