import { expect, it } from 'vitest';
import { digitsOf } from './code-digits.ts';

it('keeps the six digits of whatever was pasted', () => {
  expect(digitsOf(' 123 456 ')).toBe('123456');
  expect(digitsOf('Code: 123-456.')).toBe('123456');
  expect(digitsOf('１２３４５６')).toBe('123456');
  expect(digitsOf('12345678')).toBe('123456');
  expect(digitsOf('abc')).toBe('');
});
