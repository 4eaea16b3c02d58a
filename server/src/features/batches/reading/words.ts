import type { HolderKind } from '@causeway/contract/bank-rules.ts';
import { locales } from '@causeway/contract/locale.ts';
import { type ChargeBearer, chargeBearers, type Purpose, purposes } from '@causeway/contract/payments-rules.ts';
import { type FeeLevel, feeLevels } from '@causeway/contract/transfers-rules.ts';
import { translate } from '../../../platform/text/texts.ts';

/** Values that are a choice among few, as people write them: by the contract's name, the console's words, and what banks call them. */

const holders = ['enterprise', 'personal'] as const satisfies HolderKind[];

const further: Readonly<Record<string, readonly string[]>> = {
  shared: ['sha', 'shar', 'slev', 'shared'],
  payer: ['our', 'debt', 'payer'],
  payee: ['ben', 'cred', 'payee'],
  economy: ['low', 'slow'],
  normal: ['medium', 'standard'],
  urgent: ['high', 'fast'],
  enterprise: ['company', 'business', 'corporate', '公司', '企業', '企业'],
  personal: ['person', 'individual', 'private', '個人', '个人'],
};

export function chargesOf(text: string): ChargeBearer | null {
  return chosen(text, chargeBearers, 'charges');
}

export function feeLevelOf(text: string): FeeLevel | null {
  return chosen(text, feeLevels, 'feeLevel');
}

export function holderOf(text: string): HolderKind | null {
  return chosen(text, holders, 'holder');
}

/** A code of ISO 20022's list alone: the words of a purpose say too many things. */
export function purposeOf(text: string): Purpose | null {
  return purposes.find((purpose) => purpose === text.trim().toUpperCase()) ?? null;
}

function chosen<T extends string>(text: string, values: readonly T[], of: string): T | null {
  const sought = text.normalize('NFKC').trim().toLowerCase();
  return (
    values.find((value) => {
      const said = locales.map((locale) => translate(locale, `batches.word.${of}.${value}`).toLowerCase());
      return [value, ...(further[value] ?? []), ...said].includes(sought);
    }) ?? null
  );
}
