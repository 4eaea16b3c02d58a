import { describe, expect, it } from 'vitest';
import { acceptAmount } from './amount-input.ts';

describe('what an amount field takes', () => {
  it('takes the beginnings of an amount', () => {
    for (const text of ['1', '12', '12.', '12.5', '0.000001']) expect(acceptAmount(text, 6)).toBe(text);
    expect(acceptAmount('', 6)).toBe('');
  });

  it('writes the nought that was left out and drops noughts that lead', () => {
    expect(acceptAmount('.5', 6)).toBe('0.5');
    expect(acceptAmount('007', 6)).toBe('7');
    expect(acceptAmount('0.07', 6)).toBe('0.07');
  });

  it('refuses more decimals than the coin has, and a point where it has none', () => {
    expect(acceptAmount('1.1234567', 6)).toBeNull();
    expect(acceptAmount('1.', 0)).toBeNull();
  });

  it('refuses everything that is not ASCII digits and one point', () => {
    for (const text of ['1e5', '-1', '+1', '0x1', '1,000', '1.2.3', '１２', '١٢', '1 2']) {
      expect(acceptAmount(text, 18)).toBeNull();
    }
  });
});
