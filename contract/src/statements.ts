import * as z from 'zod/mini';
import { call } from './call.ts';
import { asset, id, instant, page, pageQuery } from './ids.ts';
import { baseCurrencies } from './organisation-rules.ts';
import { firstDay, isPeriod, lastDay, statementFormats } from './statements-rules.ts';

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
    'The statement of one wallet, or of all of them, for a period: CSV (UTF-8 with byte order mark, formulas neutralised) or, of wallets at banks, camt.053.001.08, of any length; or PDF.',
  access: 'transaction.export',
  query: z.strictObject({ ...periodFields, walletId: z.optional(id), format: z.enum(statementFormats) }).check(inOrder),
  output: z.null(),
  answer: 'file',
  errors: ['walletNotFound', 'statementTooLong', 'statementOnlyAtBanks'],
});

const proofDay = z.object({ day: z.iso.date() });

/** In whole units. */
const counted = z.object({ asset, decimals: z.number(), counted: z.string() });

export const listReserveProofs = call({
  name: 'listReserveProofs',
  method: 'GET',
  path: '/web/account/reserve-proofs',
  summary:
    'Signed reports of what companies were owed and what was held for them at the midnight (UTC) that ended a day, newest first, each with what the company was counted with.',
  access: 'transaction.export',
  query: z.strictObject(pageQuery),
  output: page(z.object({ day: z.iso.date(), signedAt: instant, counted: z.array(counted) })),
  errors: ['cursorInvalid'],
});

export const getReserveProof = call({
  name: 'getReserveProof',
  method: 'GET',
  path: '/web/account/reserve-proofs/{day}',
  summary: 'The signed report of a day, and what the company was counted with.',
  access: 'transaction.export',
  params: proofDay,
  output: z.object({
    day: z.iso.date(),
    /** The midnight that ended the day. */
    at: instant,
    signedAt: instant,
    companies: z.number(),
    /** Hexadecimal: of the tree of what companies are owed, and of the whole report. */
    root: z.string(),
    digest: z.string(),
    /** Ed25519, base64url. */
    publicKey: z.string(),
    /**
     * Of all companies; what is owed at banks is part of `owed`, and of `difference` only once banks are compared, which they are not while
     * `heldAtBanks` is null. Signed: `timing`, `difference`.
     */
    assets: z.array(
      z.extend(counted, {
        owed: z.string(),
        atBanks: z.string(),
        heldAtBanks: z.nullable(z.string()),
        held: z.string(),
        own: z.string(),
        timing: z.string(),
        difference: z.string(),
      }),
    ),
    chains: z.array(
      z.object({
        chain: z.string(),
        block: z.nullable(z.object({ height: z.number(), hash: z.string(), at: instant })),
      }),
    ),
  }),
  errors: [],
});
export type ReserveProof = z.output<typeof getReserveProof.output>;

export const downloadReserveProof = call({
  name: 'downloadReserveProof',
  method: 'GET',
  path: '/web/account/reserve-proofs/{day}/file',
  summary:
    "The company's leaf of a day's report with its path to the signed root (JSON), to be verified off-line with `npm run solvency:verify`.",
  access: 'transaction.export',
  params: proofDay,
  output: z.null(),
  answer: 'file',
  errors: [],
});
