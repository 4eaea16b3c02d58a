import { describe, expect, it } from 'vitest';
import { chartState, drawnDays } from './history.ts';

const days = (...totals: (string | null)[]) => totals.map((total, index) => ({ date: `2026-11-0${index + 1}`, total }));

describe('what the chart has to say', () => {
  it('is nothing for a company that has never held anything', () => {
    expect(chartState(days('0.00', '0.00', '0.00'))).toBe('empty');
    expect(chartState([])).toBe('empty');
  });

  it('is that a first day is not over, as long as something is held only now', () => {
    expect(chartState(days('0.00', '0.00', '0.01'))).toBe('first');
    expect(chartState(days('0.00', '0.00', null))).toBe('first');
  });

  it('is the days once one with something has ended, also when all of it is gone again', () => {
    expect(chartState(days('0.00', '501465.90', '501465.90'))).toBe('days');
    expect(chartState(days('5.00', '0.00', '0.00'))).toBe('days');
    expect(chartState(days('0.00', null, '0.00'))).toBe('days');
  });
});

it('the day before the period is not drawn, and a day without a value keeps its place', () => {
  expect(drawnDays(days('1.00', null, '3.00'))).toEqual([
    { at: '2026-11-02', value: null },
    { at: '2026-11-03', value: '3.00' },
  ]);
});
