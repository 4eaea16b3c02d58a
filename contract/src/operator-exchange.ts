import * as z from 'zod/mini';
import { call, nothing } from './call.ts';
import { amountText, asset, id, instant, page, pageQuery } from './ids.ts';
import { operatorReason } from './operator.ts';
import { hedgeSides, hedgeStates, termsMostBasisPoints, termsStates } from './operator-exchange-rules.ts';

/** The platform's position from exchanges, its limits and hedges, and what is added to spreads. Part of the feature operator. */

export * from './operator-exchange-rules.ts';

const limits = {
  /** Whole units; null: no limit. */
  mostLong: z.nullable(z.string()),
  mostShort: z.nullable(z.string()),
  /** From this position on, long or short, it is hedged back to the other one; null: it is not hedged. */
  hedgeFrom: z.nullable(z.string()),
  hedgeTo: z.nullable(z.string()),
};

/** US dollars, signed; a part is null where a price is missing. */
const profit = z.object({
  spread: z.string(),
  hedging: z.string(),
  revaluation: z.nullable(z.string()),
  feesEarned: z.string(),
  feesPaid: z.string(),
  total: z.nullable(z.string()),
});

export const getExchangePosition = call({
  name: 'getExchangePosition',
  method: 'GET',
  path: '/operator/exchange/position',
  summary:
    'By asset: what the platform holds from exchanges and hedges beyond what it owes, its value, limits and room; profit and loss by day; and the venues at which it hedges.',
  access: 'operator.view',
  output: z.object({
    positions: z.array(
      z.object({
        asset,
        decimals: z.number(),
        /** Whole units, signed: positive is long. */
        quantity: z.string(),
        usd: z.nullable(z.string()),
        ...limits,
        /** How much more of it the platform takes and gives; null: no limit. */
        take: z.nullable(z.string()),
        give: z.nullable(z.string()),
        near: z.boolean(),
        /** At which venue it can be hedged. */
        venue: z.nullable(z.string()),
        /** The order that is under way. */
        orderId: z.nullable(id),
        change: z.nullable(z.object({ at: instant, by: z.string(), confirmedBy: z.nullable(z.string()) })),
        /** The open proposal to change its limits. */
        proposalId: z.nullable(id),
      }),
    ),
    /** Value of all positions; null without a price of each. */
    usd: z.nullable(z.string()),
    /** The last days, newest first; the first one is today, up to now. */
    days: z.array(z.extend(profit, { day: z.string() })),
    venues: z.array(
      z.object({
        id: z.string(),
        kind: z.enum(['kraken', 'airwallex']),
        /** False: the worker’s configuration has it no more. */
        configured: z.boolean(),
        answeredAt: z.nullable(instant),
        failingSince: z.nullable(instant),
        problem: z.nullable(z.string()),
        balances: z.array(z.object({ asset: z.string(), quantity: z.string() })),
        balancesAt: z.nullable(instant),
      }),
    ),
    /** Assets that could be given limits. */
    assets: z.array(asset),
  }),
  errors: [],
});

const newLimit = z.nullable(amountText);

export const changeExchangeLimit = call({
  name: 'changeExchangeLimit',
  method: 'POST',
  path: '/operator/exchange/position/{asset}/limit',
  summary:
    'Changes the limits of a position: what only narrows holds at once; what widens, and to begin hedging, is proposed, and another operator confirms it.',
  access: 'operator.treasury',
  params: z.object({ asset }),
  body: z.strictObject({
    mostLong: newLimit,
    mostShort: newLimit,
    hedgeFrom: newLimit,
    hedgeTo: newLimit,
    reason: operatorReason,
  }),
  /** Null: it holds already. */
  output: z.object({ proposalId: z.nullable(id) }),
  errors: [
    'assetUnknown',
    'amountFormat',
    'amountTooManyDecimals',
    'amountTooLarge',
    'priceOutOfRange',
    'nothingChanges',
    'proposalOpen',
  ],
});

const named = z.object({ id, name: z.string() });

export const exchangeTermsRow = z.object({
  id,
  company: z.nullable(named),
  /** Null: any asset. */
  sell: z.nullable(asset),
  buy: z.nullable(asset),
  /** The size in US dollars from which on they hold. */
  fromUsd: z.string(),
  /** On top of the assets’ own spreads; null: none of its own from then on. */
  basisPoints: z.nullable(z.number()),
  validFrom: instant,
  validUntil: z.nullable(instant),
  state: z.enum(termsStates),
  proposal: z.object({ id, proposedBy: z.string(), confirmedBy: z.string() }),
  withdrawal: z.nullable(z.object({ at: instant, by: z.string(), reason: z.string() })),
});
export type ExchangeTermsRow = z.output<typeof exchangeTermsRow>;

export const listExchangeTerms = call({
  name: 'listExchangeTerms',
  method: 'GET',
  path: '/operator/exchange/terms',
  summary: 'What is added to spreads by pair, company and size, newest first, with who proposed and who confirmed it.',
  access: 'operator.view',
  query: z.strictObject({
    ...pageQuery,
    id: z.optional(id),
    state: z.optional(z.enum(termsStates)),
    asset: z.optional(asset),
    companyId: z.optional(id),
  }),
  output: page(exchangeTermsRow),
  errors: ['cursorInvalid'],
});

export const proposeExchangeTerms = call({
  name: 'proposeExchangeTerms',
  method: 'POST',
  path: '/operator/exchange/terms',
  summary:
    'Proposes what is added to the spread of a pair, for every company or for one, from a size on, from an instant on; quotes that were made keep their rate.',
  access: 'operator.price',
  body: z
    .strictObject({
      companyId: z.optional(id),
      sell: z.optional(asset),
      buy: z.optional(asset),
      fromUsd: amountText,
      basisPoints: z.nullable(
        z
          .number('field.required')
          .check(
            z.int('field.invalid'),
            z.minimum(0, 'field.invalid'),
            z.maximum(termsMostBasisPoints, 'field.invalid'),
          ),
      ),
      validFrom: z.optional(instant),
      reason: operatorReason,
    })
    .check(z.refine(({ sell, buy }) => sell === undefined || sell !== buy, { error: 'field.invalid', path: ['buy'] })),
  output: z.object({ proposalId: id }),
  errors: [
    'notFound',
    'assetUnknown',
    'amountFormat',
    'amountTooManyDecimals',
    'amountTooLarge',
    'priceInPast',
    'proposalOpen',
  ],
});

export const withdrawExchangeTerms = call({
  name: 'withdrawExchangeTerms',
  method: 'POST',
  path: '/operator/exchange/terms/{id}/withdraw',
  summary: 'Takes planned terms back before they hold, at once: what holds before holds on.',
  access: 'operator.price',
  params: z.object({ id }),
  body: z.strictObject({ reason: operatorReason }),
  output: nothing,
  errors: ['priceInForce'],
});

const hedgeOrder = z.object({
  id,
  venue: z.string(),
  asset,
  counter: asset,
  side: z.enum(hedgeSides),
  /** Whole units of the asset. */
  quantity: z.string(),
  filled: z.string(),
  /** The worst price, and the average one of the fills; counter-asset for one of the asset. */
  limitPrice: z.string(),
  averagePrice: z.nullable(z.string()),
  state: z.enum(hedgeStates),
  createdAt: instant,
  endedAt: z.nullable(instant),
  /** Why it ended, in the venue’s words or, where it never arrived, in the reader's language. */
  reason: z.nullable(z.string()),
});

export const listHedgeOrders = call({
  name: 'listHedgeOrders',
  method: 'GET',
  path: '/operator/exchange/hedge',
  summary: 'Orders at venues, newest first.',
  access: 'operator.view',
  query: z.strictObject({ ...pageQuery, state: z.optional(z.enum(hedgeStates)), asset: z.optional(asset) }),
  output: page(hedgeOrder),
  errors: ['cursorInvalid'],
});

export const getHedgeOrder = call({
  name: 'getHedgeOrder',
  method: 'GET',
  path: '/operator/exchange/hedge/{id}',
  summary: 'One order at a venue with its fills, its times, and what is to be done where it does not go on.',
  access: 'operator.view',
  params: z.object({ id }),
  output: z.extend(hedgeOrder, {
    venueOrderId: z.nullable(z.string()),
    /** The position when it was decided, whole units, signed. */
    position: z.string(),
    mid: z.string(),
    sentAt: z.nullable(instant),
    deadlineAt: z.nullable(instant),
    openedAt: z.nullable(instant),
    askedAt: z.nullable(instant),
    cancelledAt: z.nullable(instant),
    /** What happens next, or what a person can do. */
    next: z.string(),
    fills: z.array(
      z.object({
        id,
        tradeId: z.string(),
        quantity: z.string(),
        price: z.string(),
        cost: z.string(),
        fee: z.string(),
        feeAsset: z.string(),
        at: instant,
      }),
    ),
  }),
  errors: ['notFound'],
});
export type HedgeOrder = z.output<typeof hedgeOrder>;
