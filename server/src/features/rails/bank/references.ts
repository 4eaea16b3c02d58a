import { isIso11649 } from '../../banks/index.ts';

/** ISO 11649 references in what a payer wrote: pure. */

const longestText = 2000;
const shortest = 5;
const longest = 25;
const most = 60;

/**
 * Every text in it that reads as a reference with right check digits, in capitals without separators. Payers group it, write it behind
 * other words without a space, or go on after it; whose it is, if anyone's, only the accounts can say.
 */
export function referencesIn(text: string): string[] {
  const words = text
    .slice(0, longestText)
    .toUpperCase()
    .split(/[^0-9A-Z]+/)
    .filter((word) => word !== '');
  const found = new Set<string>();
  for (const [at, word] of words.entries()) {
    for (let from = word.indexOf('RF'); from !== -1; from = word.indexOf('RF', from + 1)) {
      const rest = (word.slice(from) + words.slice(at + 1, at + 1 + longest).join('')).slice(0, longest);
      for (let end = shortest; end <= rest.length; end += 1) {
        const candidate = rest.slice(0, end);
        if (isIso11649(candidate)) found.add(candidate);
      }
      if (found.size >= most) return [...found].slice(0, most);
    }
  }
  return [...found];
}

/** Every text that differs from a number in one digit, or in the order of two neighbours. */
export function nearNumbers(number: string): string[] {
  if (!/^\d{6,34}$/.test(number)) return [];
  const near = new Set<string>();
  for (let at = 0; at < number.length; at += 1) {
    const [before, digit, after] = [number.slice(0, at), number.charAt(at), number.slice(at + 1)];
    for (const other of '0123456789') if (other !== digit) near.add(before + other + after);
    const next = after.charAt(0);
    if (next !== '' && next !== digit) near.add(before + next + digit + after.slice(1));
  }
  return [...near];
}
