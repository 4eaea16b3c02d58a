import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addressBucket } from '../../platform/http/address-bucket.ts';
import { emailKey, grouped, isPasswordAllowed, maskEmail, memberName, typedKey } from './domain.ts';

describe('passwords', () => {
  test.each([
    ['Abcdefg1', true],
    ['Abcdefg ', true],
    ['Abcdefg!', true],
    ['Éàbcdef1', true],
    ['Abcdef1', false],
    ['abcdefg1', false],
    ['ABCDEFG1', false],
    ['Abcdefgh', false],
    ['Abcdefgh12345678', true],
    ['Abcdefgh123456789', false],
    // 16 characters, more UTF-16 units.
    ['Abcdefgh1😀😀😀😀😀😀😀', true],
  ])('%s', (password, allowed) => {
    expect(isPasswordAllowed(password, 16)).toBe(allowed);
  });

  test('may be longer where the setting says so', () => {
    const password = `Aa1${'x'.repeat(125)}`;
    expect(isPasswordAllowed(password, 128)).toBe(true);
    expect(isPasswordAllowed(`${password}x`, 128)).toBe(false);
  });
});

test('a masked address shows its first letter and its domain', () => {
  expect(maskEmail('alice@example.com')).toBe('a•••@example.com');
  expect(maskEmail('x@example.com')).toBe('x•••@example.com');
});

test('addresses are compared without case', () => {
  expect(emailKey('Alice@Example.COM')).toBe('alice@example.com');
});

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:DB8:1:2::9', '2001:db8:1:2::/64'],
  ['2001:0db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
])('%s is throttled as %s', (ip, bucket) => {
  expect(addressBucket(ip)).toBe(bucket);
});

test('a grouped code is read the same however it is typed', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 16, maxLength: 16 }), (bytes) => {
      const code = grouped('CW', bytes);
      expect(code).toMatch(/^CW(-[0-9A-HJKMNP-TV-Z]{4}){4}$/);
      const typed = ` ${code.toLowerCase().replaceAll('-', ' ').replaceAll('0', 'o').replaceAll('1', 'l')} `;
      expect(typedKey(typed)).toBe(typedKey(code));
    }),
  );
});

test.each([
  [{ firstName: '大文', lastName: '陳' }, '陳大文'],
  [{ firstName: 'Ada', lastName: 'Wong' }, 'Ada Wong'],
  [{ firstName: 'Ada', lastName: '陳' }, 'Ada 陳'],
  [{ firstName: '', lastName: '' }, 'ada@example.com'],
])('a person is called as they write it: %o', (names, called) => {
  expect(memberName({ ...names, email: 'ada@example.com' })).toBe(called);
});
