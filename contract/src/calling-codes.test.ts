import { describe, expect, test } from 'vitest';
import { callingCodes, readMobile } from './calling-codes.ts';

describe('a mobile number', () => {
  test.each([
    ['+852', '9123 4567', '852', '91234567'],
    ['852', '9123-4567', '852', '91234567'],
    ['0086', '138 0013 8000', '86', '13800138000'],
    ['+44', '07911 123456', '44', '7911123456'],
    ['1', '(415) 555-2671', '1', '4155552671'],
    ['39', '06 698 12345', '39', '0669812345'],
    ['290', '5123', '290', '5123'],
  ])('%s %s is kept as +%s %s', (code, typed, countryCode, number) => {
    expect(readMobile(code, typed)).toEqual({ countryCode, number });
  });

  test.each([
    ['+999', '91234567', 'countryCode'],
    ['', '91234567', 'countryCode'],
    ['٨٥٢', '91234567', 'countryCode'],
    ['852', '9123456', 'number'],
    ['852', '912345678', 'number'],
    ['86', '1380013800', 'number'],
    ['44', '12345678901234', 'number'],
    ['49', '123', 'number'],
    ['49', '１２３４５６７', 'number'],
    ['49', '+491512345678', 'number'],
    ['49', '0000000', 'number'],
    ['49', '', 'number'],
  ])('%s %s cannot be one: the %s', (code, typed, wrong) => {
    expect(readMobile(code, typed)).toBe(wrong);
  });
});

test('each region stands in the table once, with a code of one to three digits', () => {
  expect(new Set(callingCodes.map(({ region }) => region)).size).toBe(callingCodes.length);
  expect(callingCodes.length).toBeGreaterThan(235);
  for (const { code } of callingCodes) expect(code).toMatch(/^[1-9]\d{0,2}$/);
});
