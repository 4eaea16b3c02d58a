import { errors } from '@causeway/contract/errors.ts';
import { locales } from '@causeway/contract/locale.ts';
import { describe, expect, test } from 'vitest';
import { hasText, loadTexts, translate } from './texts.ts';

describe('texts', () => {
  test('are read in all three languages, each id once', () => {
    expect(() => loadTexts()).not.toThrow();
  });

  test('say every error outside identity in every language', () => {
    const keys = Object.entries(errors).filter(([, { code }]) => code < 2000 || code >= 3000);
    const missing = locales.flatMap((locale) =>
      keys.filter(([key]) => !hasText(locale, `error.${key}`)).map(([key]) => `${locale} ${key}`),
    );
    expect(missing).toEqual([]);
  });

  test("keep the specification's own sentences", () => {
    const said = (id: string) => translate('en-us', id);
    expect(said('error.unexpected')).toBe('Unknown exception');
    expect(said('error.noPermission')).toBe('No permission');
    expect(said('error.validationFailed')).toBe('Form validation failed');
    expect(said('field.required')).toBe('required');
    expect(said('error.payeeNotFound')).toBe('Payee not found');
    expect(said('error.insufficientBalance')).toBe('Insufficient Balance');
  });

  test('fill in their values', () => {
    const values = { minimum: '1.000000', coin: 'USDT' };
    expect(translate('en-us', 'error.amountBelowMinimum', values)).toBe(
      'The amount must be greater than 1.000000 USDT.',
    );
    expect(translate('zh-hk', 'error.amountBelowMinimum', values)).toBe('金額必須大於 1.000000 USDT。');
  });
});
