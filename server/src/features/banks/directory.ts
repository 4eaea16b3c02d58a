import type { Locale } from '@causeway/contract/locale.ts';
import { z } from 'zod';
import directory from './directory.json' with { type: 'json' };

/**
 * Names of banks by their numbers in national clearing systems and by BIC, for people to recognise: a dated file of our own, which an
 * installation can replace. A bank that is not in it is as good as one that is.
 */

const names = z.object({ 'en-us': z.string(), 'zh-hk': z.string(), 'zh-cn': z.string() });
const { banks } = z
  .object({
    asOf: z.iso.date(),
    banks: z.array(
      z.strictObject({
        country: z.string().length(2),
        /** Beginnings of the bank's numbers in the country's clearing system. */
        codes: z.array(z.string()),
        /** ISO 9362, without the branch. */
        bic: z.string().length(8).nullable(),
        name: names,
      }),
    ),
  })
  .parse(directory);

export type ListedBank = (typeof banks)[number];

/** The bank of a number in the clearing system of a country, or of a BIC of 8 or 11 characters; null: it is not listed. */
export function bankOf(country: string, clearing: string | null, bic: string | null): ListedBank | null {
  const ofCountry = banks.filter((bank) => bank.country === country);
  const byCode = clearing && ofCountry.find(({ codes }) => codes.some((code) => clearing.startsWith(code)));
  return byCode || ofCountry.find((bank) => bic !== null && bank.bic === bic.slice(0, 8)) || null;
}

export function bankNamed({ name }: Pick<ListedBank, 'name'>, locale: Locale): string {
  return name[locale];
}
