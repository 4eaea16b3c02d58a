/** Names and texts as a bank's message can carry them (SWIFT's character set x, which is SEPA's Latin set too). */

export interface Folded {
  text: string;
  /** Characters that the set has nothing for, each once; a person must write them otherwise. */
  lost: string[];
}

const allowed = /^[A-Za-z0-9/\-?:().,'+ ]$/;

/** What has no accent to take off, as banks write it (European Payments Council, EPC217-08, and passports' ICAO 9303). */
const replacements: Readonly<Record<string, string>> = {
  Æ: 'AE',
  æ: 'ae',
  Œ: 'OE',
  œ: 'oe',
  Ø: 'O',
  ø: 'o',
  Å: 'A',
  å: 'a',
  ß: 'ss',
  ẞ: 'SS',
  Đ: 'D',
  đ: 'd',
  Ð: 'D',
  ð: 'd',
  Þ: 'TH',
  þ: 'th',
  Ł: 'L',
  ł: 'l',
  ı: 'i',
  Ħ: 'H',
  ħ: 'h',
  Ŋ: 'N',
  ŋ: 'n',
  Ŧ: 'T',
  ŧ: 't',
  ĸ: 'k',
  '’': "'",
  '‘': "'",
  '“': "'",
  '”': "'",
  '"': "'",
  '`': "'",
  '´': "'",
  '–': '-',
  '—': '-',
  '‐': '-',
  '‑': '-',
  _: '-',
  '·': '.',
  '&': '+',
  '@': '(at)',
  ';': ',',
  '!': '.',
  '*': '.',
  '=': '-',
  '%': '.',
  '#': '.',
  $: '.',
  '€': 'EUR',
  '£': 'GBP',
  '[': '(',
  ']': ')',
  '{': '(',
  '}': ')',
  '<': '(',
  '>': ')',
  '\\': '/',
  '|': '/',
  '№': 'No.',
}; // prettier-ignore

/** Folds a text; what it becomes is what the payee's bank will read, so a person sees it before it is sent. */
export function foldLatin(text: string): Folded {
  const lost = new Set<string>();
  const folded = [...text.normalize('NFC')].map((character) => {
    if (/\s/u.test(character)) return ' ';
    const found = fold(character);
    if (found === null) lost.add(character);
    return found ?? '';
  });
  return { text: folded.join('').replaceAll(/ {2,}/g, ' ').trim(), lost: [...lost] };
}

function fold(character: string): string | null {
  if (allowed.test(character)) return character;
  const replaced = replacements[character];
  if (replaced !== undefined) return replaced;
  // Compatibility forms too: full-width letters, ligatures, superscripts.
  const bare = [...character.normalize('NFKD').replaceAll(/\p{M}/gu, '')]
    .map((part) => replacements[part] ?? part)
    .join('');
  return bare !== '' && [...bare].every((part) => allowed.test(part)) ? bare : null;
}

/**
 * A reference as the rules of SEPA and SWIFT allow it: folded, without a slash at its ends and without two together.
 */
export function foldReference(text: string): Folded {
  const { text: folded, lost } = foldLatin(text);
  return { text: folded.replaceAll(/\/{2,}/g, '/').replaceAll(/^[/ ]+|[/ ]+$/g, ''), lost };
}
