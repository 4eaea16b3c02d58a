import * as z from 'zod/mini';
import { call } from './call.ts';
import { codeMethods, verificationCode } from './identity.ts';
import { amountText, asset, id, instant } from './ids.ts';
import { standingOutcomes, standingPeriods, standingRules, standingStops } from './standing-orders-rules.ts';
import { stages } from './transactions-rules.ts';

export * from './standing-orders-rules.ts';

/** Standing orders: an exchange made again and again, each time a transaction like any other (docs/adr/0085-…). Amounts in whole units. */

/** What a standing order is, apart from its proof: the content that its code is bound to. */
export const standingContent = z.strictObject({
  /** Chosen by the client, so that a repeated submit is the same order. */
  id,
  sellWalletId: id,
  buyWalletId: id,
  rule: z.enum(standingRules),
  /** Of the sold asset: what is sold each time, fee included, or what stays in the wallet. */
  amount: amountText,
  every: z.enum(standingPeriods),
  /** The day of the week (1: Monday) or of the month, of which a shorter month has its last; 0 where it is every day. */
  day: z.int('field.day').check(z.minimum(0, 'field.day'), z.maximum(31, 'field.day')),
  /** By the company's clock. */
  time: z.string().check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'field.time')),
  /** How much worse than the quote of its turn the rate may be when it is approved, in basis points. */
  tolerance: z.int('field.invalid').check(z.minimum(0, 'field.invalid'), z.maximum(1000, 'field.invalid')),
  /** The last day on which it runs; null: until it is stopped. */
  lastDay: z.nullable(z.iso.date('field.date')),
});
export type StandingContent = z.output<typeof standingContent>;

const side = z.object({ walletId: id, asset, decimals: z.number(), placeName: z.string() });

/** A turn of a standing order. */
export const standingTurn = z.object({
  dueAt: instant,
  at: instant,
  outcome: z.enum(standingOutcomes),
  /** Why nothing was submitted, in the reader's language. */
  sentence: z.nullable(z.string()),
  /** The exchange; null where none was submitted. */
  exchange: z.nullable(z.object({ id, stage: z.enum(stages), sold: z.string(), bought: z.string() })),
});

export const standingOrder = z.object({
  id,
  sell: side,
  buy: side,
  rule: z.enum(standingRules),
  amount: z.string(),
  every: z.enum(standingPeriods),
  day: z.number(),
  time: z.string(),
  timeZone: z.string(),
  tolerance: z.number(),
  lastDay: z.nullable(z.string()),
  createdBy: z.object({ id, name: z.string() }),
  createdAt: instant,
  /** Null: it runs no more. */
  nextAt: z.nullable(instant),
  stopped: z.nullable(z.object({ reason: z.enum(standingStops), at: instant, by: z.nullable(z.string()) })),
  /** Its last turns, the newest first. */
  turns: z.array(standingTurn),
});
export type StandingOrder = z.output<typeof standingOrder>;

export const listStandingOrders = call({
  name: 'listStandingOrders',
  method: 'GET',
  path: '/web/crypto/exchange/standing',
  summary: 'The company’s standing orders with their last turns: those that run first, then those that ended.',
  access: 'wallet.view',
  output: z.object({ items: z.array(standingOrder) }),
  errors: [],
});

export const addStandingOrder = call({
  name: 'addStandingOrder',
  method: 'POST',
  path: '/web/crypto/exchange/standing',
  summary:
    'Makes a standing order: at each turn it exchanges at the rate of then, under the rules and approvals that hold for an exchange of its member.',
  access: 'exchange.create',
  confirms: 'standingOrder',
  movesMoney: true,
  body: z.extend(standingContent, { codeMethod: z.enum(codeMethods), code: verificationCode }),
  output: z.object({ id, nextAt: instant }),
  errors: [
    'amountFormat',
    'amountTooManyDecimals',
    'amountTooLarge',
    'codeWrong',
    'codeBurnt',
    'codeForAdministrator',
    'exchangePairOff',
    'exchangeSameWallet',
    'exchangeTooSmall',
    'idTaken',
    'mfaNotBound',
    'standingDay',
    'standingLastDay',
    'tooManyStandingOrders',
    'transferCodeMismatch',
    'walletFrozen',
    'walletNotFound',
  ],
});

export const stopStandingOrder = call({
  name: 'stopStandingOrder',
  method: 'PUT',
  path: '/web/crypto/exchange/standing/stop',
  summary: 'Stops a standing order; what it has submitted goes on.',
  access: 'exchange.create',
  body: z.strictObject({ id }),
  output: z.object({ id }),
  errors: ['notFound', 'standingStopped'],
});
