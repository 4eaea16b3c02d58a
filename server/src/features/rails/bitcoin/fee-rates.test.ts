import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hasMoved, ratesOf } from './fee-rates.ts';

const bounds = { floor: 1, ceiling: 100, fallback: 20 };

describe('published rates', () => {
  test('are the estimates in thousandths, within floor and ceiling, and the fallback where the nodes know too little', () => {
    const known = { urgent: 30.5, normal: 12, economy: 0.4, minimum: 1 };
    expect(ratesOf(known, bounds)).toEqual({ urgent: 30_500, normal: 12_000, economy: 1_000, minimum: 1_000 });
    expect(ratesOf({ ...known, urgent: 900 }, bounds)).toMatchObject({ urgent: 100_000 });
    const unknown = { urgent: null, normal: null, economy: null, minimum: 1 };
    expect(ratesOf(unknown, bounds)).toMatchObject({ urgent: 20_000, normal: 20_000, economy: 20_000 });
    expect(ratesOf({ ...unknown, normal: 8 }, bounds)).toMatchObject({ urgent: 8_000, normal: 8_000, economy: 8_000 });
  });

  test('never fall below what the nodes take, also where that is above the ceiling', () => {
    expect(ratesOf({ urgent: 5, normal: 5, economy: 5, minimum: 150 }, bounds)).toEqual({
      urgent: 150_000,
      normal: 150_000,
      economy: 150_000,
      minimum: 150_000,
    });
  });

  test('rise with the level, whatever the nodes say', () => {
    const rate = fc.option(fc.double({ min: 0.001, max: 5_000, noNaN: true }));
    const said = fc.record({
      urgent: rate,
      normal: rate,
      economy: rate,
      minimum: fc.double({ min: 0.1, max: 200, noNaN: true }),
    });
    fc.assert(
      fc.property(said, (estimates) => {
        const { urgent, normal, economy, minimum } = ratesOf(estimates, bounds);
        expect([urgent, normal, economy, minimum]).toEqual(
          [urgent, normal, economy, minimum].toSorted((a, b) => b - a),
        );
        expect(minimum).toBeGreaterThanOrEqual(1_000);
      }),
    );
  });

  test('hold until one of them moves by more than a fifth', () => {
    const published = { urgent: 20_000, normal: 10_000, economy: 2_000, minimum: 1_000 };
    expect(hasMoved(published, { ...published, urgent: 24_000, economy: 1_600 })).toBe(false);
    expect(hasMoved(published, { ...published, normal: 12_001 })).toBe(true);
    expect(hasMoved(published, { ...published, economy: 1_599 })).toBe(true);
  });
});
