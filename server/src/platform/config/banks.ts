import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { clearingSystems } from '@causeway/contract/clearing-systems.ts';
import { isCurrency } from '@causeway/contract/currencies.ts';
import * as z from 'zod';
import { ConfigError } from './config.ts';

/** The banks of this installation, from the JSON file that BANK_REGISTRY_FILE names; the migration program writes them into the database. */

const currency = z.string().refine(isCurrency, 'is not a currency that the program knows');
const wholeUnits = z.string().regex(/^\d{1,12}(\.\d{1,4})?$/, 'wants an amount in whole units, for example "15.00"');
const timeZone = z.string().refine((zone) => {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
    return true;
  } catch {
    return false;
  }
}, 'wants a time zone of the IANA list, for example Asia/Hong_Kong');

const bankCurrency = z.strictObject({
  currency,
  /** Where the bank is; from this time on, a payment counts as of the next working day. */
  cutOff: z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'wants HH:MM'),
  /** Working days until it is there: at least, at most. */
  days: z
    .tuple([z.number().int().min(0).max(30), z.number().int().min(0).max(30)])
    .refine(([least, most]) => least <= most, 'wants at least, then at most'),
  /** account_recharge_fee: taken from what arrives. */
  fee: wholeUnits.default('0'),
  /** The least to pay in; without it the currency's own. */
  minimum: wholeUnits.optional(),
  /** Of a payment out of the bank: by a country's own clearing, and by SWIFT. */
  payoutFees: z
    .strictObject({ local: wholeUnits.default('0'), swift: wholeUnits.default('0') })
    .default({ local: '0', swift: '0' }),
  /** Payments are above it; without it the currency's own. */
  payoutMinimum: wholeUnits.optional(),
  /** Whether money is paid out of it. A bank with an HTTP API makes no payments in this version. */
  payouts: z.boolean().default(true),
  collectingAccount: z.string().regex(/^[A-Z0-9]{4,34}$/, 'wants letters and digits without spaces'),
  enabled: z.boolean().default(true),
});

const bank = z
  .strictObject({
    id: z.string().regex(/^[a-z][a-z0-9-]{0,31}$/),
    name: z.string().min(1),
    nameZhHk: z.string().min(1).optional(),
    nameZhCn: z.string().min(1).optional(),
    /** ISO 3166-1. */
    country: z.string().regex(/^[A-Z]{2}$/),
    bic: z.string().regex(/^[A-Z]{6}[A-Z0-9]{2}([A-Z0-9]{3})?$/, 'wants 8 or 11 capital letters and digits'),
    clearingSystem: z.enum(Object.keys(clearingSystems) as [keyof typeof clearingSystems]).optional(),
    clearingCode: z.string().optional(),
    timeZone,
    /** Currencies whose working days count for every payment, beside those of its own. */
    calendars: z.array(currency).min(1),
    address: z.string().min(1),
    /** In which name the installation has its accounts there: who pays, in its messages. */
    accountHolder: z.string().min(1).max(140).default('Client Money'),
    enabled: z.boolean().default(true),
    /** The numbers for companies' accounts: prefix, as many digits of a counter, a check digit (Luhn). Without them none is opened. */
    accounts: z
      .strictObject({
        prefix: z.string().regex(/^\d{1,20}$/),
        digits: z.number().int().min(4).max(12),
        /** The counter's first number; a higher one later skips those below it. */
        first: z.number().int().min(0).default(0),
      })
      .optional(),
    /** It gives the numbers itself, by its HTTP API. */
    opensAccounts: z.boolean().default(false),
    currencies: z.array(bankCurrency).min(1),
  })
  .superRefine(({ clearingSystem, clearingCode, country, currencies, accounts, opensAccounts }, context) => {
    const issue = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message });
    if (opensAccounts && accounts)
      issue('opensAccounts', 'wants either the numbers (accounts) or the bank to open them');
    if ((clearingSystem === undefined) !== (clearingCode === undefined)) {
      issue('clearingCode', 'wants clearingSystem and clearingCode together');
    } else if (clearingSystem !== undefined && clearingCode !== undefined) {
      const system = clearingSystems[clearingSystem];
      if (system.country !== country) issue('clearingSystem', `is not a clearing system of ${country}`);
      if (!system.member.test(clearingCode)) issue('clearingCode', `is no member's number of ${clearingSystem}`);
    }
    const twice = firstTwice(currencies.map((each) => each.currency));
    if (twice !== null) issue('currencies', `names ${twice} twice`);
  });

const registrySchema = z.strictObject({ banks: z.array(bank) }).superRefine(({ banks }, context) => {
  const twice = firstTwice(banks.map(({ id }) => id));
  if (twice !== null) context.addIssue({ code: 'custom', path: ['banks'], message: `names ${twice} twice` });
});

export type BankConfig = z.output<typeof bank>;

/** The banks of the file. @throws ConfigError with a line for each thing that is wrong */
export function readBanks(file: string): BankConfig[] {
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ConfigError(`BANK_REGISTRY_FILE names ${file}, which cannot be read: ${reason}`);
  }
  const result = registrySchema.safeParse(content);
  if (result.success) return result.data.banks;
  const lines = result.error.issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`);
  throw new ConfigError(`BANK_REGISTRY_FILE names ${file}, which is not usable:\n${lines.join('\n')}`);
}

function firstTwice(names: readonly string[]): string | null {
  return names.find((name, i) => names.indexOf(name) !== i) ?? null;
}

/** SHA-256 of the file, hexadecimal: by it a person sees whether it is the file that was agreed on. */
export function bankRegistryDigest(path: string): string {
  return createHash('sha256').update(readFileSync(path)).digest('hex');
}
