import { formatAmount, sayAmount } from '@causeway/contract/money.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hasDecimalComma, readAmount } from './amount.ts';

const usd = { asset: 'USD', decimals: 2 };
const usdt = { asset: 'USDT', decimals: 6 };
const jpy = { asset: 'JPY', decimals: 0 };

describe('amounts as they are written', () => {
  test.each([
    ['1234.56', usd, 123456n],
    ['1,234.56', usd, 123456n],
    ['1.234,56', usd, 123456n],
    ['1 234,56', usd, 123456n],
    ['1\u00a0234,56', usd, 123456n],
    ["1'234.56", usd, 123456n],
    ['1,234', usd, 123400n],
    ['1,234,567', usdt, 1234567_000000n],
    ['12,34', usd, 1234n],
    ['0,125', usdt, 125000n],
    ['0.125', usdt, 125000n],
    ['1.234', usdt, 1234000n],
    ['１２３４．５', usd, 123450n],
    ['USD 100', usd, 10000n],
    ['100.00 usd', usd, 10000n],
    ['$100', usd, 10000n],
    ['HK$ 100', { asset: 'HKD', decimals: 2 }, 10000n],
    ['007.50', usd, 750n],
    ['1,234', jpy, 1234n],
  ])('%s', (written, counted, minor) => {
    expect(readAmount(written, counted)).toEqual({ minor });
  });

  test.each([
    ['1,234', usdt, 'amountAmbiguous'],
    ['1.234', usd, 'amountAmbiguous'],
    ['1.2345', usd, 'amountTooManyDecimals'],
    ['1.5', jpy, 'amountTooManyDecimals'],
    ['1.2E+05', usd, 'amountScientific'],
    ['1E5', usd, 'amountScientific'],
    ['-5', usd, 'amountFormat'],
    ['(5.00)', usd, 'amountFormat'],
    ['=1+1', usd, 'amountFormat'],
    ['1,23,456', usd, 'amountFormat'],
    ['1,234,56', usd, 'amountFormat'],
    ['1.234.56', usd, 'amountFormat'],
    ['10,000 元', usd, 'amountFormat'],
    ['EUR 5', usd, 'amountOtherAsset'],
    ['€5', usd, 'amountOtherAsset'],
    ['0', usd, 'amountZero'],
    ['0.00', usd, 'amountZero'],
    ['9'.repeat(77), usd, 'amountTooLarge'],
    ['', usd, 'amountFormat'],
  ])('%s is refused', (written, counted, problem) => {
    expect(readAmount(written, counted)).toMatchObject({ problem });
  });

  test.each([
    ['1.500', usdt, { problem: 'amountAmbiguous', blanks: { value: '1.500', first: '1.50', second: '1,500' } }],
    ['USDT 12.000', usdt, { problem: 'amountAmbiguous' }],
    ['1.50', usdt, { minor: 1_500_000n }],
    ['1.5000', usdt, { minor: 1_500_000n }],
    ['1500', usdt, { minor: 1_500_000_000n }],
    ['0.125', usdt, { minor: 125_000n }],
    ['1234.567', usdt, { minor: 1_234_567_000n }],
    ['120,50', usdt, { minor: 120_500_000n }],
  ])('%s beside amounts with a decimal comma', (written, counted, read) => {
    expect(readAmount(written, counted, true)).toMatchObject(read);
  });

  test.each([
    ['120,50', true],
    ['€ 1.234,56', true],
    ['1.234.567', true],
    ['1 234,5', true],
    ['0,125', true],
    ['1,500', false],
    ['1,234.56', false],
    ['1.500', false],
    ['1500', false],
    ['soon', false],
  ])('%s has a decimal comma however it is read: %s', (written, has) => {
    expect(hasDecimalComma(written)).toBe(has);
  });

  test('both readings of an ambiguous amount are named', () => {
    expect(readAmount('1,234', usdt)).toEqual({
      problem: 'amountAmbiguous',
      blanks: { value: '1,234', first: '1,234', second: '1.234' },
    });
  });

  const minor = fc.bigInt({ min: 1n, max: 10n ** 30n });
  const decimals = fc.constantFrom(0, 2, 6, 8, 18);

  test('what this program writes is read as the same amount', () => {
    fc.assert(
      fc.property(minor, decimals, (amount, places) => {
        const counted = { asset: 'XYZ', decimals: places };
        expect(readAmount(formatAmount(amount, places), counted)).toEqual({ minor: amount });
        // With separators of thousands it is the same, or refused because it can be read in two ways; never another amount.
        const said = readAmount(sayAmount(amount, places), counted);
        if ('minor' in said) expect(said.minor).toBe(amount);
        else expect(said.problem).toBe('amountAmbiguous');
      }),
    );
  });

  test('the European form of an amount is never read as another amount', () => {
    fc.assert(
      fc.property(minor, decimals, (amount, places) => {
        const european = sayAmount(amount, places).replaceAll(/[.,]/g, (sign) => (sign === '.' ? ',' : '.'));
        const read = readAmount(european, { asset: 'XYZ', decimals: places });
        // One group of three alone is a decimal point here, as the template has it.
        if ('minor' in read && !/^\d{1,3}\.\d{3}$/.test(european)) expect(read.minor).toBe(amount);
      }),
    );
  });

  test('beside amounts with a decimal comma the European form is never read as another amount at all', () => {
    fc.assert(
      fc.property(minor, decimals, (amount, places) => {
        const european = sayAmount(amount, places).replaceAll(/[.,]/g, (sign) => (sign === '.' ? ',' : '.'));
        const read = readAmount(european, { asset: 'XYZ', decimals: places }, true);
        if ('minor' in read) expect(read.minor).toBe(amount);
      }),
    );
  });

  test('any text is read or refused', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(..."0123456789.,' eE-+$¥A") }), (written) => {
        const read = readAmount(written, usd);
        expect('minor' in read ? read.minor > 0n : read.problem.startsWith('amount')).toBe(true);
      }),
    );
  });
});
