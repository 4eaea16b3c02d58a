/**
 * What makes a password guessable beyond the four points: it is among the common ones, or made of what is known of its owner
 * (NIST SP 800-63B-4, section 3.1.1.2: commonly used, expected or compromised values). Pure.
 */

/** `part` is what the password has to do without. */
export interface Weakness {
  key: 'passwordCommon' | 'passwordPersonal';
  part: string;
}

/** Digits and symbols around a common password that do not make it another: "Dragon-2026". */
const mostDecoration = 6;
/** Shorter words are in too many good passwords by chance. In Han characters, two are a name. */
const fewestLetters = 4;
const fewestHan = 2;
const han = /\p{Script=Han}/u;

export function weaknessOf(
  password: string,
  isCommon: (candidate: string) => boolean,
  personal: readonly string[],
): Weakness | null {
  const part = findCommon(password, isCommon);
  if (part !== null) return { key: 'passwordCommon', part };
  const word = findPersonal(password, personal);
  return word === null ? null : { key: 'passwordPersonal', part: word };
}

function findCommon(password: string, isCommon: (candidate: string) => boolean): string | null {
  const core = password.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '');
  const decorated = [...password].length - [...core].length;
  const isSame = decorated <= mostDecoration && [...core].length >= fewestLetters;
  // With its digits first: in "P@ssw0rd1" they replace letters.
  for (const candidate of isSame ? [password, plain(password), core, plain(core)] : [password, plain(password)]) {
    if (isCommon(candidate.toLowerCase())) return candidate === password ? password : core;
  }
  return null;
}

/** "p@ssw0rd" as it is read: digits and symbols in place of letters become those letters. */
function plain(password: string): string {
  return password.toLowerCase().replace(/[013457@$!]/g, (char) => lookAlikes[char] ?? char);
}

const lookAlikes: Record<string, string> = {
  '0': 'o',
  '1': 'l',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
};

function findPersonal(password: string, personal: readonly string[]): string | null {
  const typed = password.toLowerCase();
  const read = plain(password);
  const words = personal.flatMap(
    (text) =>
      text
        .normalize('NFKC')
        .toLowerCase()
        .match(/[\p{L}\p{M}\p{N}]+/gu) ?? [],
  );
  return words.filter(isTelling).find((word) => typed.includes(word) || read.includes(word)) ?? null;
}

function isTelling(word: string): boolean {
  return [...word].length >= (han.test(word) ? fewestHan : fewestLetters);
}
