import type { Locale } from '@causeway/contract/locale.ts';
import * as z from 'zod/mini';
import { nameOfPlace } from '../../banks/index.ts';

/** The names of a bank as a proposal keeps them: those that were made before the Chinese ones were kept have the first alone. */
export const bankNames = {
  bankName: z.string(),
  nameZhHk: z.optional(z.nullable(z.string())),
  nameZhCn: z.optional(z.nullable(z.string())),
};

type BankNames = z.output<z.ZodMiniObject<typeof bankNames>>;

/** The name in the reader's language. */
export function sayBank({ bankName, nameZhHk, nameZhCn }: BankNames, locale: Locale): string {
  return nameOfPlace({ name: bankName, nameZhHk: nameZhHk ?? null, nameZhCn: nameZhCn ?? null }, locale);
}
