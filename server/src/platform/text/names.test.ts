import { describe, expect, test } from 'vitest';
import { isSameName, looksAlike } from './names.ts';

describe('names that could be taken for each other', () => {
  test.each([
    ['Administrator', 'administrator', 'case'],
    ['Administrator', 'Аdministrator', 'a Cyrillic capital A'],
    ['Administrator', 'аdministrаtor', 'Cyrillic small letters'],
    ['administrator', 'АDМІNІSТRАТОR', 'Cyrillic capitals against small letters'],
    ['Finance', 'FІNАNСЕ', 'Cyrillic capitals'],
    ['Finance', 'Fіnance', 'a Ukrainian і'],
    ['Viewer', 'Viewer​', 'a zero-width space'],
    ['Viewer', 'Vie\u00adwer', 'a soft hyphen'],
    ['Viewer', 'Ｖｉｅｗｅｒ', 'full width'],
    ['Viewer', '𝐕𝐢𝐞𝐰𝐞𝐫', 'mathematical letters'],
    ['Approver', 'Αpprοver', 'Greek letters'],
    ['modern', 'rnodern', 'rn for m'],
    ['Desk 0', 'Desk O', 'a digit'],
    ['Flnance', 'FInance', 'a small l for a capital I'],
    ['José', 'Jose\u0301', 'another composition'],
    ['口座', 'ロ座', 'a katakana for a character'],
    ['財務', '財務\ufe00', 'a variation selector'],
  ])('%s and %s: %s', (a, b) => {
    expect(looksAlike(a, b)).toBe(true);
    expect(looksAlike(b, a)).toBe(true);
  });

  test.each([
    ['Mail', 'Mall'],
    ['Bill', 'BiII team'],
    ['Treasury', 'Treasury 2'],
    ['José', 'Jose'],
    ['財務', '财务'],
    ['王五', '王二'],
    ['Team 1', 'Team 2'],
    ['Müller', 'Muller'],
    ['', 'Viewer'],
  ])('%s and %s are two names', (a, b) => {
    expect(looksAlike(a, b)).toBe(false);
    expect(looksAlike(b, a)).toBe(false);
  });
});

test('the same name has one spelling up to case, spaces and composition', () => {
  expect(isSameName('Chan  Tai Man', 'CHAN Tai Man ')).toBe(true);
  expect(isSameName('Chan Tai Man', 'Сhan Tai Man')).toBe(false);
});
