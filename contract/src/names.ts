import * as z from 'zod/mini';
import { text } from './ids.ts';

/**
 * Names by which people recognise something (docs/adr/0047): of people, companies, roles, departments, rules, policies, payees,
 * passkeys, files. What a name is made of must be visible, or two names could look the same and be different.
 */

/**
 * Control and format characters (zero-width spaces, joiners, direction marks), private use, everything that is ignored where
 * it is displayed (fillers, variation selectors, tags), line separators, and the blank Braille pattern. A complete emoji is
 * visible, although some are joined by characters that alone are not.
 */
const invisible =
  /(?<emoji>\p{RGI_Emoji})|[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u2800]/gv;

/** A text without what cannot be seen in it. */
export function withoutInvisible(value: string): string {
  return value.replaceAll(invisible, '$<emoji>');
}

/** A name of one line: without white space at its ends, and visible to its last character. */
export function name(maxLength: number) {
  return optionalName(maxLength).check(z.minLength(1, 'field.required'));
}

/** A name that may be left empty. */
export function optionalName(maxLength: number) {
  return text(maxLength).check(
    z.trim(),
    z.refine((value) => withoutInvisible(value) === value, { error: 'field.invisibleCharacters' }),
  );
}

/** In Latin script (decisions, "Payees"). */
export const labelMinLength = 3;
/** A Chinese, Japanese or Korean name may have two characters (王五, 김구). */
const shortLabelMinLength = 2;
const writesInFewCharacters =
  /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Bopomofo}]/u;

/** Whether a text is long enough to recognise an account by. Characters are counted as people do, not as UTF-16 does. */
export function isLabel(value: string): boolean {
  const characters = [...new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(value.trim())];
  return characters.length >= (writesInFewCharacters.test(value) ? shortLabelMinLength : labelMinLength);
}
