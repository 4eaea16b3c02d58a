import { describe, expect, it } from 'vitest';
import { axisTicks, closeTicks, namedDays } from './axis.ts';

describe('the marks of an axis', () => {
  it('are round, equally far apart, from zero to above the highest figure', () => {
    expect(axisTicks([495_717.12, 501_465.9])).toEqual([0, 200_000, 400_000, 600_000]);
    expect(axisTicks([9.99])).toEqual([0, 2.5, 5, 7.5, 10]);
    expect(axisTicks([100])).toEqual([0, 25, 50, 75, 100]);
    expect(axisTicks([0.004]).at(-1)).toBeCloseTo(0.004);
  });

  it('reach below zero where a figure does', () => {
    expect(axisTicks([-30, 100])).toEqual([-50, 0, 50, 100]);
  });

  it('are there where every figure is nothing', () => {
    expect(axisTicks([0, 0])).toEqual([0, 1]);
    expect(axisTicks([])).toEqual([0, 1]);
  });
});

describe('the marks of an axis whose differences count', () => {
  it('are round and close around the figures', () => {
    expect(closeTicks([3012.5, 3187.4])).toEqual([3000, 3050, 3100, 3150, 3200]);
    expect(closeTicks([0.12812, 0.12853])).toEqual([0.128, 0.1282, 0.1284, 0.1286]);
  });

  it('leave room around figures that are all the same', () => {
    const ticks = closeTicks([7.79, 7.79]);
    expect(ticks[0]).toBeLessThanOrEqual(7.79);
    expect(ticks.at(-1)).toBeGreaterThanOrEqual(7.79);
    expect(new Set(ticks).size).toBeGreaterThan(1);
    expect(closeTicks([])).toEqual([0, 1]);
  });
});

it('the named days are the first, the last and some between', () => {
  expect(namedDays(3, 5)).toEqual([0, 1, 2]);
  expect(namedDays(30, 5)).toEqual([0, 7, 15, 22, 29]);
  expect(namedDays(7, 4)).toEqual([0, 2, 4, 6]);
});
