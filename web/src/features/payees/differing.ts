import { formOf } from '@causeway/contract/address-forms.ts';

/** A stretch of an address, and whether the other address has the same characters there. */
export interface Stretch {
  text: string;
  same: boolean;
}

/**
 * Cuts an address into stretches that are the same in the other one and stretches that differ, place by place, so that
 * the eye lands on what differs. Upper and lower case count as the same where they only carry a checksum.
 */
export function differingStretches(address: string, other: string): Stretch[] {
  const stretches: Stretch[] = [];
  const plain = (text: string | undefined) => (formOf(address)?.ignoresCase ? text?.toLowerCase() : text);
  for (const [place, character] of [...address].entries()) {
    const same = plain(character) === plain(other[place]);
    const last = stretches.at(-1);
    if (last?.same === same) last.text += character;
    else stretches.push({ text: character, same });
  }
  return stretches;
}
