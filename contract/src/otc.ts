import * as z from 'zod/mini';
import { call, nothing } from './call.ts';
import { exchangeQuote } from './exchange.ts';
import { exchangeSides } from './exchange-rules.ts';
import { amountText, asset, id, instant, page, pageQuery, text } from './ids.ts';
import { otcKinds, otcRatePattern, otcSides, otcStates, otcTextMaxLength } from './otc-rules.ts';
import { stages, transactionStatuses } from './transactions-rules.ts';

export * from './otc-rules.ts';

/** Requests for quote to the operator's desk (docs/adr/0084-…). Amounts in whole units; rates are whole units bought for one sold, plain decimals. */

/** More than nothing. */
export const otcRate = z.string('field.required').check(
  z.regex(otcRatePattern, 'field.rate'),
  z.refine((value) => /[1-9]/.test(value), { error: 'field.rate' }),
);

export const otcText = text(otcTextMaxLength);
const someText = otcText.check(z.refine((value) => value.trim() !== '', { error: 'field.required' }));

export const otcSide = z.object({ walletId: id, asset, decimals: z.number(), placeName: z.string() });

/** One step of the conversation. */
export const otcMessage = z.object({
  seq: z.number(),
  side: z.enum(otcSides),
  /** The member; a company reads no name of the desk's people. */
  author: z.nullable(z.string()),
  kind: z.enum(otcKinds),
  text: z.string(),
  /** Of a quote; and the rate that a counter asks for. */
  rate: z.nullable(z.string()),
  sold: z.nullable(z.string()),
  fee: z.nullable(z.string()),
  bought: z.nullable(z.string()),
  validUntil: z.nullable(instant),
  /** What a counter asks for in place of a rate, of the side that is not fixed. */
  wanted: z.nullable(z.string()),
  at: instant,
});
export type OtcMessage = z.output<typeof otcMessage>;

export const otcRequest = z.object({
  id,
  state: z.enum(otcStates),
  /** The number of its messages. */
  version: z.number(),
  requester: z.object({ id, name: z.string() }),
  sell: otcSide,
  buy: otcSide,
  fixed: z.enum(exchangeSides),
  /** Of the fixed side: all that leaves the sold wallet, fee included, or what arrives in the bought one. */
  amount: z.string(),
  /** What it was worth when it was asked. */
  usd: z.string(),
  deadline: instant,
  createdAt: instant,
  stateAt: instant,
  /** The desk's quote that can be accepted, or was; `remainingMs` 0: it has run out. */
  quote: z.nullable(
    z.object({
      id,
      rate: z.string(),
      /** All that leaves, and the fee in it. */
      total: z.string(),
      fee: z.string(),
      bought: z.string(),
      validUntil: instant,
      remainingMs: z.number(),
    }),
  ),
  /** The exchange that accepted it. */
  exchange: z.nullable(z.object({ id, status: z.enum(transactionStatuses), stage: z.enum(stages) })),
});
export type OtcRequest = z.output<typeof otcRequest>;

export const getOtcTerms = call({
  name: 'getOtcTerms',
  method: 'GET',
  path: '/web/otc/terms',
  summary: 'From which worth on a price is asked of the operator’s desk; what is worth less is exchanged at once.',
  access: 'transaction.view',
  output: z.object({ minimumUsd: z.string() }),
  errors: [],
});

export const askOtc = call({
  name: 'askOtc',
  method: 'POST',
  path: '/web/otc',
  summary: 'Asks the operator’s desk for a price for a large exchange between two own wallets; it moves nothing.',
  access: 'exchange.create',
  body: z.strictObject({
    /** Chosen by the client, so that a repeated submit is no second request. */
    key: id,
    sellWalletId: id,
    buyWalletId: id,
    fixed: z.enum(exchangeSides),
    amount: amountText,
    /** Until when an answer is useful. */
    deadline: instant,
    note: otcText,
  }),
  output: z.object({ id }),
  errors: [
    'amountFormat',
    'amountTooManyDecimals',
    'amountTooLarge',
    'exchangePairOff',
    'exchangeSameWallet',
    'exchangeTooSmall',
    'idTaken',
    'otcBelowMinimum',
    'otcDeadline',
    'otcTooMany',
    'quoteUnavailable',
    'walletFrozen',
    'walletNotFound',
  ],
});

const filters = {
  state: z.optional(z.enum(otcStates)),
  open: z.optional(z.literal('true')),
  /** Assets, the amount, the requester's name or the request's id; every word is found. */
  keyword: z.optional(text(128)),
};

export const listOtc = call({
  name: 'listOtc',
  method: 'GET',
  path: '/web/otc',
  summary: 'The company’s requests to the desk, newest first.',
  access: 'transaction.view',
  query: z.strictObject({ ...pageQuery, ...filters }),
  output: page(otcRequest),
  errors: ['cursorInvalid'],
});

export const exportOtc = call({
  name: 'exportOtc',
  method: 'GET',
  path: '/web/otc/export',
  summary: 'The same as CSV, in the language of the request.',
  access: 'transaction.export',
  query: z.strictObject(filters),
  output: z.null(),
  answer: 'file',
  errors: [],
});

export const getOtc = call({
  name: 'getOtc',
  method: 'GET',
  path: '/web/otc/{id}',
  summary: 'A request with its conversation, and the desk’s quote as an exchange can be submitted at it.',
  access: 'transaction.view',
  params: z.object({ id }),
  output: z.extend(otcRequest, {
    messages: z.array(otcMessage),
    /** Null: none holds now. */
    offer: z.nullable(exchangeQuote),
  }),
  errors: ['notFound'],
});
export type OtcDetail = z.output<typeof getOtc.output>;

const onOpen = ['notFound', 'otcNotOpen', 'otcChanged'] as const;

export const counterOtc = call({
  name: 'counterOtc',
  method: 'POST',
  path: '/web/otc/{id}/counter',
  summary:
    'Asks the desk for another rate, or another amount of the side that is not fixed; the quote that was open ends.',
  access: 'exchange.create',
  params: z.object({ id }),
  body: z
    .strictObject({
      /** As it was read: what has gone on since is read first. */
      version: z.number().check(z.int(), z.positive()),
      rate: z.optional(otcRate),
      wanted: z.optional(amountText),
      text: otcText,
    })
    .check(
      z.refine(({ rate, wanted }) => (rate === undefined) !== (wanted === undefined), {
        error: 'field.required',
        path: ['rate'],
      }),
    ),
  output: nothing,
  errors: [...onOpen, 'amountFormat', 'amountTooManyDecimals', 'amountTooLarge', 'exchangeTooSmall'],
});

export const noteOtc = call({
  name: 'noteOtc',
  method: 'POST',
  path: '/web/otc/{id}/note',
  summary: 'Writes to the desk; the quote stays.',
  access: 'exchange.create',
  params: z.object({ id }),
  body: z.strictObject({ text: someText }),
  output: nothing,
  errors: ['notFound', 'otcNotOpen'],
});

export const withdrawOtc = call({
  name: 'withdrawOtc',
  method: 'PUT',
  path: '/web/otc/{id}/withdraw',
  summary: 'Takes a request of one’s own back; its quote can no longer be accepted.',
  access: 'exchange.create',
  params: z.object({ id }),
  output: nothing,
  errors: ['notFound', 'otcNotOpen', 'otcNotOwn'],
});
