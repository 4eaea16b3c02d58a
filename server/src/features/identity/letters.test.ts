import { locales } from '@causeway/contract/locale.ts';
import { expect, test } from 'vitest';
import { layOut } from '../../platform/text/mail.ts';
import { activationLetter } from './letters.ts';

const mailed = (locale: (typeof locales)[number], purpose: 'activation' | 'reset' | 'forget', name = 'Mei Chan') => {
  const by = purpose === 'forget' ? null : 'Wing Cheung';
  const letter = activationLetter(
    locale,
    'https://x.example',
    { purpose, token: 't', by },
    { name, company: 'Far Voyage' },
  );
  return layOut('mei@example.com', locale, letter);
};

test.each([
  ['en-us', 'Hello Mei Chan,', 'Wing Cheung has invited you to join Far Voyage on Causeway.'],
  ['zh-hk', 'Mei Chan 你好：', 'Wing Cheung 邀請你在 Causeway 加入 Far Voyage。'],
  ['zh-cn', 'Mei Chan，您好：', 'Wing Cheung 邀请您在 Causeway 加入 Far Voyage。'],
] as const)('an invitation in %s addresses who is invited, and names who invites', (locale, greeting, first) => {
  const [said, text] = mailed(locale, 'activation').text.split('\n\n');
  expect(said).toBe(greeting);
  expect(text?.startsWith(first)).toBe(true);
  expect(mailed(locale, 'activation').subject).toContain('Wing Cheung');
});

test.each(locales)('a reset in %s names the administrator who asks; a forgotten password names no person', (locale) => {
  const [said, text] = mailed(locale, 'reset').text.split('\n\n');
  expect(said).toContain('Mei Chan');
  expect(text).toContain('Wing Cheung');
  expect(text).not.toContain('Mei Chan');
  expect(mailed(locale, 'forget').text).not.toContain('Wing Cheung');
});

test('a member without a name is greeted without one', () => {
  expect(mailed('en-us', 'activation', '').text.startsWith('Hello,\n\n')).toBe(true);
});
