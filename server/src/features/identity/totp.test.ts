import { expect, test } from 'vitest';
import { matchTotpStep, newTotpSecret, totpEnrolment } from './totp.ts';

/** RFC 6238, appendix B, SHA-1; the last six of its eight digits. */
const secret = Buffer.from('12345678901234567890');
const vectors: [number, string][] = [
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
];

test.each(vectors)('RFC 6238 at %i seconds is %s', (seconds, code) => {
  expect(matchTotpStep(secret, code, new Date(seconds * 1000), 0)).toBe(Math.floor(seconds / 30));
});

test('holds one step before and after, no further', () => {
  const at = (seconds: number) => matchTotpStep(secret, '005924', new Date(seconds * 1000), 0);
  const step = Math.floor(1_234_567_890 / 30);
  expect(at(1_234_567_890 - 30)).toBe(step);
  expect(at(1_234_567_890 + 30)).toBe(step);
  expect(at(1_234_567_890 - 60)).toBeNull();
  expect(at(1_234_567_890 + 60)).toBeNull();
});

test('a step counts once, and none before it after it', () => {
  const step = Math.floor(1_234_567_890 / 30);
  expect(matchTotpStep(secret, '005924', new Date(1_234_567_890_000), step)).toBeNull();
  expect(matchTotpStep(secret, '005924', new Date(1_234_567_890_000), step - 1)).toBe(step);
});

test('the enrolment is an otpauth address with 160 random bits', () => {
  const { secret: text, uri } = totpEnrolment(newTotpSecret(), 'alice@example.com');
  expect(text).toMatch(/^[A-Z2-7]{32}$/);
  expect(uri).toContain('otpauth://totp/Causeway:alice%40example.com?');
  expect(uri).toContain(`secret=${text}`);
});
