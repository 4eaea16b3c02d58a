import * as z from 'zod/mini';
import { call, nothing } from './call.ts';
import { amountText, id, instant, page, pageQuery } from './ids.ts';
import { operatorReason } from './operator.ts';
import { otcMessage, otcRate, otcRequest, otcText } from './otc.ts';
import { otcStates, otcValidMaxMinutes, otcValidMinMinutes } from './otc-rules.ts';

/** The operator's desk: companies' requests for quote, and its answers. Part of the feature operator. */

const deskRequest = z.extend(otcRequest, { company: z.object({ id, name: z.string() }) });
export type DeskRequest = z.output<typeof deskRequest>;

export const listDeskRequests = call({
  name: 'listDeskRequests',
  method: 'GET',
  path: '/operator/otc',
  summary: 'Companies’ requests for quote, newest first.',
  access: 'operator.view',
  query: z.strictObject({
    ...pageQuery,
    state: z.optional(z.enum(otcStates)),
    open: z.optional(z.literal('true')),
    companyId: z.optional(id),
  }),
  output: z.extend(page(deskRequest), {
    /** From which worth on the desk is asked, and who set it; null: it was never changed. */
    minimum: z.object({
      usd: z.string(),
      change: z.nullable(z.object({ at: instant, by: z.string(), reason: z.string() })),
    }),
  }),
  errors: ['cursorInvalid'],
});

/** Whole units, signed: positive is long. */
const positionOf = z.object({
  asset: z.string(),
  decimals: z.number(),
  before: z.string(),
  after: z.string(),
  /** How much more of it could be taken, or given, before and after; null: no limit. */
  roomBefore: z.nullable(z.string()),
  roomAfter: z.nullable(z.string()),
});

/** What a rate comes to for the company and for the desk. */
const deskPrice = z.object({
  rate: z.string(),
  inverseRate: z.string(),
  /** All that leaves the company's wallet, and the fee in it; what arrives. */
  total: z.string(),
  fee: z.string(),
  feeBasisPoints: z.number(),
  bought: z.string(),
  /** Below the middle rate: in basis points, of the bought asset, and in US dollars. Negative: above it. */
  spreadBasisPoints: z.string(),
  spread: z.string(),
  spreadUsd: z.string(),
  /** What is exchanged, in US dollars. */
  usd: z.string(),
  /** Of the sold and of the bought asset. */
  positions: z.array(positionOf),
  /** Why it cannot be answered so, in the reader's language; null: it can. */
  problem: z.nullable(z.string()),
});
export type DeskPrice = z.output<typeof deskPrice>;

export const getDeskRequest = call({
  name: 'getDeskRequest',
  method: 'GET',
  path: '/operator/otc/{id}',
  summary:
    'A request with its conversation, the middle rate of this moment, and the rate that an ordinary quote would have.',
  access: 'operator.view',
  params: z.object({ id }),
  output: z.extend(deskRequest, {
    messages: z.array(otcMessage),
    /** Null: a price is missing or must not be quoted. */
    mid: z.nullable(z.string()),
    /** By the company's own spreads, without the limits of the position. */
    usual: z.nullable(z.string()),
  }),
  errors: ['notFound'],
});
export type DeskDetail = z.output<typeof getDeskRequest.output>;

export const priceDeskRequest = call({
  name: 'priceDeskRequest',
  method: 'GET',
  path: '/operator/otc/{id}/price',
  summary: 'What a rate would come to, with its spread and the position before and after; writes nothing.',
  access: 'operator.view',
  params: z.object({ id }),
  query: z.strictObject({ rate: otcRate }),
  output: deskPrice,
  errors: ['notFound', 'exchangeTooSmall', 'quoteUnavailable'],
});

/** As it was read: what has gone on since is read first. */
const version = z.number().check(z.int(), z.positive());
const someText = otcText.check(z.refine((value) => value.trim() !== '', { error: 'field.required' }));

export const quoteDeskRequest = call({
  name: 'quoteDeskRequest',
  method: 'POST',
  path: '/operator/otc/{id}/quote',
  summary: 'Answers with a firm price, which the company accepts as an exchange; an earlier one of the request ends.',
  access: 'operator.treasury',
  params: z.object({ id }),
  body: z.strictObject({
    version,
    rate: otcRate,
    minutes: z
      .number('field.required')
      .check(
        z.int('field.invalid'),
        z.minimum(otcValidMinMinutes, 'field.invalid'),
        z.maximum(otcValidMaxMinutes, 'field.invalid'),
      ),
    text: otcText,
  }),
  output: z.object({ quoteId: id, validUntil: instant }),
  errors: [
    'notFound',
    'exchangePairOff',
    'exchangeTooSmall',
    'otcBeyondLimit',
    'otcChanged',
    'otcCompanyFrozen',
    'otcNotOpen',
    'otcRateAboveMid',
    'quoteUnavailable',
  ],
});

export const declineDeskRequest = call({
  name: 'declineDeskRequest',
  method: 'POST',
  path: '/operator/otc/{id}/decline',
  summary: 'Declines a request, with a reason that the company reads.',
  access: 'operator.treasury',
  params: z.object({ id }),
  body: z.strictObject({ version, text: someText }),
  output: nothing,
  errors: ['notFound', 'otcChanged', 'otcNotOpen'],
});

export const noteDeskRequest = call({
  name: 'noteDeskRequest',
  method: 'POST',
  path: '/operator/otc/{id}/note',
  summary: 'Writes to the company; its quote stays.',
  access: 'operator.treasury',
  params: z.object({ id }),
  body: z.strictObject({ version, text: someText }),
  output: nothing,
  errors: ['notFound', 'otcChanged', 'otcNotOpen'],
});

export const changeOtcMinimum = call({
  name: 'changeOtcMinimum',
  method: 'POST',
  path: '/operator/otc/minimum',
  summary: 'Sets from which worth on companies ask the desk; requests that are open stay.',
  access: 'operator.treasury',
  body: z.strictObject({ usd: amountText, reason: operatorReason }),
  output: nothing,
  errors: ['amountFormat', 'amountTooManyDecimals', 'amountTooLarge', 'nothingChanges'],
});
