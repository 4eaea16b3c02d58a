import * as z from 'zod/mini';

/**
 * Ids are UUIDs (version 7, made in the application; a client may choose the id of what it creates). In capitals it is the
 * same id: what is bound to it (digests, idempotency) sees the one spelling that the database has.
 */
export const id = z.uuid('field.id').check(z.toLowerCase());
export type Id = string;

/** What names an operator-configured chain, e.g. `ethereum`. */
export const chainId = z.string().check(z.regex(/^[a-z][a-z0-9-]{0,31}$/, 'field.chain'));

/** What names a bank of the installation, e.g. `hsbc-hk`. */
export const bankId = z.string().check(z.regex(/^[a-z][a-z0-9-]{0,31}$/, 'field.bank'));

const symbol = /^[A-Z][A-Z0-9]{1,9}$/;

/** A coin's symbol, e.g. `USDT`. */
export const coin = z.string().check(z.regex(symbol, 'field.coin'));

/** A coin's symbol or a currency's ISO 4217 code; `coin` is for what only a coin can be. */
export const asset = z.string().check(z.regex(symbol, 'field.asset'));

/** An amount in whole units as a plain decimal string; how many decimals it may have is the asset's rule. */
export const amountText = z
  .string('field.amount')
  .check(z.maxLength(79, 'field.amount'), z.regex(/^\d+(\.\d+)?$/, 'field.amount'));

/** A rate as a person writes it: greater than zero, of at most 15 digits before the point and 18 behind it. */
export const rateText = z.string('field.amount').check(
  z.regex(/^\d{1,15}(\.\d{1,18})?$/, 'field.amount'),
  z.refine((rate) => /[1-9]/.test(rate), 'field.amount'),
);

/** An instant, ISO 8601 in UTC with milliseconds. */
export const instant = z.iso.datetime('field.instant');

/**
 * Free text that a person typed: stored exactly as sent. Refused are only what a text cannot hold: NUL, other control
 * characters (line breaks aside), lone surrogates, and direction overrides that make a text read as another.
 */
export function text(maxLength: number) {
  return z.string('field.required').check(
    z.maxLength(maxLength, 'field.tooLong'),
    z.refine((value) => value.isWellFormed() && !forbiddenCharacters.test(value), {
      error: 'field.forbiddenCharacters',
    }),
  );
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: naming the control characters is the purpose
const forbiddenCharacters = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\u202a-\u202e\u2066-\u2069]/;

/** Lists are paged; `next` is an opaque cursor for the following page, null on the last (decisions, "Answers"). */
export const pageQuery = {
  size: z.optional(z.enum(['10', '20', '50', '100'])),
  cursor: z.optional(z.string().check(z.maxLength(512, 'field.tooLong'))),
};

/** `total` is exact up to 10,000; `totalExact` false means "more than that". */
export function page<T extends z.core.$ZodType>(item: T) {
  return z.object({ items: z.array(item), total: z.number(), totalExact: z.boolean(), next: z.nullable(z.string()) });
}
