import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { isLabel, name, withoutInvisible } from './names.ts';

describe('a name', () => {
  test.each([
    'Treasury',
    "O'Brien & Søn, 3M",
    '香港收款人',
    'José Álvarez',
    'Nguyễn Văn Anh',
    'שלום',
    'مرحبا',
    'Desk 🚀',
    '👩‍👩‍👧‍👦 family',
    '❤️ fund',
    '🇭🇰 desk',
    'नमस्ते',
  ])('may be %s', (value) => {
    expect(withoutInvisible(value)).toBe(value);
    expect(z.parse(name(60), `  ${value} `)).toBe(value);
  });

  test.each([
    ['a zero-width space', 'Admin​istrator'],
    ['a zero-width joiner', 'Admin‍istrator'],
    ['a soft hyphen', 'Admin\u00adistrator'],
    ['a word joiner', 'Admin\u2060istrator'],
    ['a left-to-right mark', 'Admin\u200eistrator'],
    ['an Arabic letter mark', 'Admin\u061cistrator'],
    ['a byte order mark', 'Admin\ufeffistrator'],
    ['a variation selector alone', 'Admin\ufe0fistrator'],
    ['a Hangul filler', 'Admin\u3164'],
    ['a tag', 'Admin\u{e0041}'],
    ['a blank Braille pattern', 'Admin\u2800'],
    ['private use', 'Admin\ue000'],
    ['a noncharacter', 'Admin\ufffe'],
    ['a line separator', 'Admin\u2028istrator'],
    ['a line break', 'Admin\nistrator'],
    ['a tab', 'Admin\tistrator'],
  ])('may not hold %s', (_, value) => {
    expect(withoutInvisible(value)).toMatch(/^Admin(istrator)?$/);
    expect(z.safeParse(name(60), value).error?.issues[0]?.message).toBe('field.invisibleCharacters');
  });

  test.each(['', '   ', '\u00a0'])('may not be blank: %j', (value) => {
    expect(z.safeParse(name(60), value).error?.issues[0]?.message).toBe('field.required');
  });
});

describe('a label', () => {
  test.each(['王五', '김구', 'さと', 'サト', '王 五', 'HK行', 'abc', 'Bob', '李氏三人', '𠮷野'])(
    'may be %s',
    (value) => {
      expect(isLabel(value)).toBe(true);
    },
  );

  test.each(['ab', '王', '王 ', ' 김', 'A1', 'é\u0301', '🚀🚀', '👩‍👩‍👧‍👦', '  a  '])('may not be %s', (value) => {
    expect(isLabel(value)).toBe(false);
  });
});
