import * as z from 'zod/mini';
import { call } from './call.ts';
import { asset, id, instant, page, pageQuery } from './ids.ts';
import { baseCurrencies } from './organisation-rules.ts';
import { firstDay, isPeriod, lastDay } from './statements-rules.ts';

export * from './statements-rules.ts';

const day = z.iso
  .date('field.day')
  .check(z.refine((text) => firstDay <= text && text <= lastDay, { error: 'field.day' }));

/** Days of the company's time zone, both included; the current month where none is given, a single day where one is. */
const periodFields = { from: z.optional(day), to: z.optional(day) };
const inOrder = z.refine<{ from?: string | undefined; to?: string | undefined }>(isPeriod, {
  error: 'field.period',
  path: ['to'],
});

export const statementPeriod = z.object({
  from: z.iso.date(),
  to: z.iso.date(),
  timeZone: z.string(),
  /** The first moment of the first day, and that after the last day: what was posted from one up to the other. */
  opensAt: instant,
  closesAt: instant,
  /** Whether nothing can be added any more: the period is over by a minute. */
  isFinal: z.boolean(),
});
export type StatementPeriod = z.output<typeof statementPeriod>;

/** In whole units of the asset. A balance is available and on hold together; what is only seen on the chain is not in it. */
export const walletStatement = z.object({
  walletId: id,
  asset,
  decimals: z.number(),
  placeName: z.string(),
  opening: z.string(),
  moneyIn: z.string(),
  /** Unsigned, fees included. */
  moneyOut: z.string(),
  fees: z.string(),
  closing: z.string(),
  /** How much of the closing balance was on hold for payments on their way, and the rest. */
  onHold: z.string(),
  available: z.string(),
  movements: z.number(),
  /** The wallet was opened within the period. */
  isNew: z.boolean(),
  /** In the base currency, by the last prices of the day (UTC) in which the period began or ended; null where one is not known. */
  openingValue: z.nullable(z.string()),
  closingValue: z.nullable(z.string()),
});
export type WalletStatement = z.output<typeof walletStatement>;

export const movement = z.object({
  /** Places of its last entries in the ledger: the wallet's available account and that of what is on hold. */
  place: z.string(),
  at: instant,
  /** What was posted, in the reader's language. */
  description: z.string(),
  transactionId: z.nullable(id),
  counterparty: z.nullable(z.string()),
  hash: z.nullable(z.string()),
  /** Signed, fee included. */
  amount: z.string(),
  fee: z.string(),
  balance: z.string(),
  /** Of the amount, signed, in the base currency at the time of its transaction; null where it is not known. */
  value: z.nullable(z.string()),
});
export type Movement = z.output<typeof movement>;

const baseCurrency = z.enum(baseCurrencies);

export const listStatements = call({
  name: 'listStatements',
  method: 'GET',
  path: '/web/account/statements',
  summary: "Opening balance, sums and closing balance of each of the company's wallets for a period.",
  access: 'transaction.export',
  query: z.strictObject(periodFields).check(inOrder),
  output: z.object({
    period: statementPeriod,
    currency: baseCurrency,
    items: z.array(walletStatement),
    /** Of all wallets; null where a price that is needed is not known. */
    openingValue: z.nullable(z.string()),
    closingValue: z.nullable(z.string()),
  }),
  errors: [],
});

export const getPeriodStatement = call({
  name: 'getPeriodStatement',
  method: 'GET',
  path: '/web/account/statements/{id}',
  summary: "One wallet's movements in a period with the running balance, in the ledger's order.",
  access: 'transaction.export',
  params: z.object({ id }),
  query: z.strictObject({ ...periodFields, ...pageQuery }).check(inOrder),
  output: z.extend(page(movement), { period: statementPeriod, currency: baseCurrency, statement: walletStatement }),
  errors: ['walletNotFound', 'cursorInvalid'],
});

export const downloadStatement = call({
  name: 'downloadStatement',
  method: 'GET',
  path: '/web/account/statements/export',
  summary:
    'The statement of one wallet, or of all of them, for a period: CSV (UTF-8 with byte order mark, formulas neutralised) of any length, or PDF.',
  access: 'transaction.export',
  query: z.strictObject({ ...periodFields, walletId: z.optional(id), format: z.enum(['csv', 'pdf']) }).check(inOrder),
  output: z.null(),
  answer: 'file',
  errors: ['walletNotFound', 'statementTooLong'],
});
