import unhomoglyph from 'unhomoglyph';

/**
 * Whether names could be taken for each other, by Unicode's confusables (UTS 39, section 4, "skeleton"; docs/adr/0047). A
 * skeleton serves comparison alone: it is neither stored nor shown.
 */

const ignored = /\p{Default_Ignorable_Code_Point}/gu;
const ascii = /^\p{ASCII}*$/u;

function skeleton(text: string): string {
  return unhomoglyph(text.normalize('NFD').replaceAll(ignored, '')).normalize('NFD');
}

/** One spelling of a name: composed characters, single spaces, small letters. */
function folded(text: string): string {
  return text.normalize('NFKC').replaceAll(/\s+/g, ' ').trim().toLowerCase();
}

/** The same name, whatever its case and spaces. */
export function isSameName(a: string, b: string): boolean {
  return folded(a) === folded(b);
}

/** Whether a reader could take one name for the other; the same name is one of these cases. */
export function looksAlike(a: string, b: string): boolean {
  return alikeTo(a)(b);
}

/** `looksAlike` for one name against many. */
export function alikeTo(name: string): (other: string) => boolean {
  const [asIs, small, caseless] = [skeleton(name), skeleton(folded(name)), withoutCase(name)];
  return (other) =>
    isSameName(name, other) ||
    skeleton(other) === asIs ||
    skeleton(folded(other)) === small ||
    // A capital I looks like a small l, so a letter of another script may look like both. In ASCII, "Mail" is not "Mall".
    (!(ascii.test(name) && ascii.test(other)) && withoutCase(other) === caseless);
}

function withoutCase(text: string): string {
  return skeleton(skeleton(text).toLowerCase()).replaceAll('i', 'l');
}
