import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { currencies, currencyCodes, isCurrency } from './currencies.ts';
import { formatAmount, parseAmount, sayAmount } from './money.ts';

describe('the currencies served', () => {
  test.each(currencyCodes)('%s has the minor units that CLDR has, and a name in each language', (code) => {
    const shown = new Intl.NumberFormat('en-US', { style: 'currency', currency: code }).resolvedOptions();
    expect(currencies[code].decimals).toBe(shown.maximumFractionDigits);
    for (const tag of ['en-US', 'zh-HK', 'zh-CN']) {
      expect(new Intl.DisplayNames(tag, { type: 'currency' }).of(code)).not.toBe(code);
    }
  });

  test('each have a numeric code of their own', () => {
    const numerics = currencyCodes.map((code) => currencies[code].numeric);
    expect(new Set(numerics).size).toBe(currencyCodes.length);
    for (const numeric of numerics) expect(numeric).toMatch(/^\d{3}$/);
  });

  test('are distinguished from coins, whatever the name of the coin', () => {
    expect(['JPY', 'USD'].every(isCurrency)).toBe(true);
    expect(['USDT', 'constructor', 'toString', ''].some(isCurrency)).toBe(false);
  });
});

describe.each([0, 2, 3, 6, 8, 18])('amounts of an asset with %i decimals', (decimals) => {
  const amounts = fc.bigInt(0n, 10n ** 60n);

  test('are read as they were written', () => {
    fc.assert(
      fc.property(amounts, (minor) => {
        const text = formatAmount(minor, decimals);
        expect(text.split('.')[1]?.length ?? 0).toBe(decimals);
        expect(parseAmount(text, decimals)).toEqual({ ok: true, minor });
        expect(parseAmount(sayAmount(minor, decimals).replaceAll(',', ''), decimals)).toEqual({ ok: true, minor });
      }),
    );
  });

  test('are refused with one decimal too many', () => {
    fc.assert(
      fc.property(amounts, (minor) => {
        const text = formatAmount(minor, decimals + 1);
        expect(parseAmount(text, decimals)).toEqual({ ok: false, problem: 'amount.tooManyDecimals' });
      }),
    );
  });
});
