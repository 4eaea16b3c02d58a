import { expect, test } from 'vitest';
import { rateText } from './rate-text.ts';

test('a rate has at most eight significant digits, half-up, whatever its size', () => {
  expect(rateText('7.790328689219127482')).toBe('7.7903287');
  expect(rateText('0.128364288580516381')).toBe('0.12836429');
  expect(rateText('0.00000123456785')).toBe('0.0000012345679');
  expect(rateText('63250.129999999')).toBe('63,250.13');
  expect(rateText('9.9999999999')).toBe('10.00');
  expect(rateText('123456789012.5')).toBe('123,456,789,013');
});

test('a short rate stays as it is', () => {
  expect(rateText('7.8')).toBe('7.80');
  expect(rateText('1')).toBe('1');
});
