import { describe, expect, it } from 'vitest';
import { isZero, quantityProblem, settled, withoutTrailingZeros } from './amounts.ts';

describe('amounts in sentences', () => {
  it.each([
    ['1.500000', '1.5'],
    ['1.000000', '1'],
    ['100', '100'],
    ['0.000000', '0'],
    ['0.001000000000000000', '0.001'],
    ['-10.50', '-10.5'],
  ])('%s is said as %s', (amount, said) => {
    expect(withoutTrailingZeros(amount)).toBe(said);
  });

  it('knows nothing from something, however small', () => {
    expect(['0', '0.00', '0.000000000000000000', '-0.0'].every(isZero)).toBe(true);
    expect(['0.000000000000000001', '10', '1.0', '-0.01'].some(isZero)).toBe(false);
  });
});

describe('the quantity of a recharge', () => {
  it('need not be given', () => {
    expect(quantityProblem('', '1', 6)).toBeNull();
  });

  it.each([
    ['0.999999', 'belowMinimum'],
    ['1', null],
    ['1.', null],
    ['1.000001', null],
    ['0', 'belowMinimum'],
    ['9'.repeat(79), 'tooLarge'],
  ])('%s against a minimum of 1: %s', (text, problem) => {
    expect(quantityProblem(text, '1.000000', 6)).toBe(problem);
  });

  it('compares to the last unit of a coin with 18 decimals', () => {
    expect(quantityProblem('0.000999999999999999', '0.001', 18)).toBe('belowMinimum');
    expect(quantityProblem('0.001000000000000000', '0.001', 18)).toBeNull();
  });

  it('sends what has been typed so far', () => {
    expect(settled('12.')).toBe('12');
    expect(settled('12.5')).toBe('12.5');
  });
});
