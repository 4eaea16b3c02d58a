import { describe, expect, it } from 'vitest';
import { changeOver, knownDays, worthDrawing } from './history.ts';

const day = (at: string, value: string) => ({ at, value });

describe('the days of the chart', () => {
  it('leaves out the days on which no price was known', () => {
    const days = [
      { date: '2026-11-01', total: null },
      { date: '2026-11-02', total: '12.50' },
    ];
    expect(knownDays(days)).toEqual([day('2026-11-02', '12.50')]);
  });

  it('draws nothing for one day, nor for a company that has never held anything', () => {
    expect(worthDrawing([day('2026-11-01', '5.00')])).toBe(false);
    expect(worthDrawing([day('2026-11-01', '0.00'), day('2026-11-02', '0.00')])).toBe(false);
    expect(worthDrawing([day('2026-11-01', '0.00'), day('2026-11-02', '0.01')])).toBe(true);
  });
});

describe('the change over the days', () => {
  it('is exact to the cent where a floating point number would not be', () => {
    const days = [day('2026-11-01', '90071992547409930.01'), day('2026-11-02', '90071992547409930.02')];
    expect(changeOver(days)).toEqual({ direction: 'up', amount: '0.01' });
  });

  it('says down without a sign, and same for no change', () => {
    expect(changeOver([day('a', '3.10'), day('b', '1.05')])).toEqual({ direction: 'down', amount: '2.05' });
    expect(changeOver([day('a', '3.10'), day('b', '3.10')])).toEqual({ direction: 'same', amount: '0.00' });
  });

  it('is unknown with fewer than two days', () => {
    expect(changeOver([])).toBeNull();
    expect(changeOver([day('a', '3.10')])).toBeNull();
  });
});
