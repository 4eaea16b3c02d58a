import { amountText } from '@causeway/contract/ids.ts';
import { describe, expect, it } from 'vitest';
import { acceptAmount, readAmount, readFilterAmount } from './amount-input.ts';

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

describe('what is pasted into an amount field', () => {
  it.each([
    ['1,250.50', '1250.50'],
    ['1,250', '1250'],
    ['12,345,678.000001', '12345678.000001'],
    [' 1,250.50 USDT ', '1250.50'],
    ['USDT 1,250.50', '1250.50'],
    ['1250.5 usdt', '1250.5'],
    ['1 250.50', '1250.50'],
    ['1\u00a0250.50', '1250.50'],
    ['1\u202f250', '1250'],
    ["1'250.50", '1250.50'],
    ['1\u2019250', '1250'],
    ['1250.50', '1250.50'],
    ['', ''],
  ])('%s is read as %s', (text, amount) => {
    expect(readAmount(text, 6, 'USDT')).toEqual({ amount });
  });

  it.each([
    ['1.250,50', 'separators'],
    ['1,25', 'separators'],
    ['12,50', 'separators'],
    ['0,250', 'separators'],
    ['1,250,5', 'separators'],
    ['12,34,567.00', 'separators'],
    ['1,250 000', 'separators'],
    ['1.250.000', 'separators'],
    ['1250,', 'separators'],
    ['1.1234567', 'tooManyDecimals'],
    ['1,250.1234567', 'tooManyDecimals'],
    ['-5', 'notAnAmount'],
    ['1e5', 'notAnAmount'],
    ['\uff11\uff12', 'notAnAmount'],
    ['5 ETH', 'notAnAmount'],
  ])('%s is not guessed at: %s', (text, refused) => {
    expect(readAmount(text, 6, 'USDT')).toEqual({ refused });
  });

  it('says of an asset without decimals that it has none', () => {
    expect(readAmount('1,250.00', 0, 'JPY')).toEqual({ refused: 'tooManyDecimals' });
  });
});

describe('what is typed into the filter of a list', () => {
  it.each([
    ['1,250.50', '1250.50'],
    ['12,345,678', '12345678'],
    ['1 250.50', '1250.50'],
    ["1'250.50", '1250.50'],
    ['1250.', '1250'],
    ['1,250.', '1250'],
    ['.5', '0.5'],
    ['0.123456789012345678901', '0.123456789012345678901'],
  ])('%s is read as %s, which the lists take', (text, amount) => {
    expect(readFilterAmount(text)).toEqual({ amount });
    expect(amountText.safeParse(amount).success).toBe(true);
  });

  it.each([
    ['1.250,50', 'separators'],
    ['12,34', 'separators'],
    ['-5', 'notAnAmount'],
    ['1e5', 'notAnAmount'],
  ])('%s is refused (%s)', (text, refused) => {
    expect(readFilterAmount(text)).toEqual({ refused });
  });
});
