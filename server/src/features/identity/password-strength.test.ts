import { describe, expect, test } from 'vitest';
import { loadCommonPasswords } from './common-passwords.ts';
import { weaknessOf } from './password-strength.ts';

const isCommon = await loadCommonPasswords();
const weakness = (password: string, personal: string[] = []) => weaknessOf(password, isCommon, personal);

describe('common passwords', () => {
  test.each([
    ['Password1', 'Password1'],
    ['password1', 'password1'],
    ['P@ssw0rd1', 'P@ssw0rd'],
    ['Dragon-2026', 'Dragon'],
    ['2026!Liverpool', 'Liverpool'],
    ['Qwerty123!', 'Qwerty'],
    ['1qaz2wsx', '1qaz2wsx'],
  ])('%s is refused for %s', (password, part) => {
    expect(weakness(password)).toEqual({ key: 'passwordCommon', part });
  });

  test.each([
    'Correct-Horse1',
    'Kelp-Lantern-26',
    'Tidal-Ledger-26',
    'xK9#mQ2$vL',
    'Dragon7-anvil-Ox',
    '海港Lantern-7',
  ])('%s is not refused', (password) => expect(weakness(password)).toBeNull());
});

describe('what others know of a person', () => {
  const words = ['ada.wong@harbour', 'Harbour Lane Trading', 'Ada', '黃', '黃詠詩', 'Causeway'];
  test.each([
    ['My-Harbour-77x', 'harbour'],
    ['xXh4rb0urXx9-', 'harbour'],
    ['Wong-Yacht-81k', 'wong'],
    ['Causeway-Zz-81', 'causeway'],
    ['黃詠詩Abcd-81', '黃詠詩'],
  ])('%s is refused for %s', (password, part) => {
    expect(weakness(password, words)).toEqual({ key: 'passwordPersonal', part });
  });

  test('words too short to tell anything may be in it', () => {
    expect(weakness('Canada-Maple-7', words)).toBeNull();
  });
});
