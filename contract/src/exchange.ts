import * as z from 'zod/mini';
import { call } from './call.ts';
import { exchangeSides, exchangeStops } from './exchange-rules.ts';
import { codeMethods, verificationCode } from './identity.ts';
import { amountText, asset, id, instant, rateText, text } from './ids.ts';
import { stages, transactionStatuses } from './transactions-rules.ts';
import { foreseenReview } from './transfers.ts';
import { notesMaxLength } from './transfers-rules.ts';

export * from './exchange-rules.ts';

/** Exchange between the company's own wallets, coin or currency, against the platform (decisions, "Exchange"). Amounts in whole units. */

/** What is exchanged for what: one side has a fixed amount, which on the sold side includes the fee. */
const intent = {
  sellWalletId: id,
  buyWalletId: id,
  fixed: z.enum(exchangeSides),
  /** Of the fixed side: all that leaves the sold wallet, or what arrives in the bought one. */
  amount: amountText,
};

/** What an exchange is, apart from its proof: the content that codes and approvals are bound to. */
export const exchangeContent = z.strictObject({
  /** Chosen by the client, so that a repeated submit is the same exchange. */
  id,
  ...intent,
  /** The worst amount of the other side that the person accepts: the least that arrives, or the most that leaves. */
  bound: amountText,
  /**
   * A limit order: what is sold is held and exchanged once the rate, fee not counted, is `rate` or better, until `until`. The sold side is then the
   * fixed one, and `bound` is what it comes to at that rate, rounded down.
   */
  limit: z.optional(z.strictObject({ rate: rateText, until: instant })),
  notes: z.optional(text(notesMaxLength)),
});
export type ExchangeContent = z.output<typeof exchangeContent>;

/** A firm price for one exchange, once, until it expires by the database's clock. */
export const exchangeQuote = z.object({
  id,
  fixed: z.enum(exchangeSides),
  sell: z.object({
    walletId: id,
    asset,
    decimals: z.number(),
    /** What is exchanged, the fee (`fx_fee`) beside it, and both: what leaves the wallet. */
    quantity: z.string(),
    fee: z.string(),
    total: z.string(),
    available: z.string(),
  }),
  buy: z.object({ walletId: id, asset, decimals: z.number(), quantity: z.string() }),
  /** Whole units bought for one sold, without the fee, and the other way round; plain decimals. */
  rate: z.string(),
  inverseRate: z.string(),
  /** The same between the middle prices, before the spread. */
  mid: z.string(),
  spreadBasisPoints: z.number(),
  /** What the spread costs: per cent of the middle rate, in the bought asset, and in US dollars. */
  toMid: z.object({ percent: z.string(), amount: z.string(), usd: z.string() }),
  /** Who says the middle prices, and since when the older one of them holds. */
  sources: z.array(z.string()),
  ratedAt: instant,
  createdAt: instant,
  expiresAt: instant,
  /** How long it holds from now, so that a page needs no clock of its own. */
  remainingMs: z.number(),
  /** What refuses it now, with the field that it concerns, in the reader's language; null: nothing. */
  problem: z.nullable(z.object({ field: z.enum(['amount', 'sellWalletId', 'buyWalletId']), sentence: z.string() })),
  /** What the company's rules would make of it. */
  review: foreseenReview,
});
export type ExchangeQuote = z.output<typeof exchangeQuote>;

const intentErrors = [
  'amountFormat',
  'amountTooManyDecimals',
  'amountTooLarge',
  'exchangePairOff',
  'exchangeSameWallet',
  'exchangeTooSmall',
  'quoteUnavailable',
  'walletFrozen',
  'walletNotFound',
] as const;

export const quoteExchange = call({
  name: 'quoteExchange',
  method: 'POST',
  path: '/web/crypto/exchange/quote',
  summary: 'A price for an exchange between two own wallets, firm for half a minute and for one use; moves nothing.',
  access: 'exchange.create',
  body: z.strictObject(intent),
  output: exchangeQuote,
  errors: intentErrors,
});

export const exchange = call({
  name: 'exchange',
  method: 'POST',
  path: '/web/crypto/exchange',
  summary:
    'Exchanges between two own wallets at a quote. Without review it is done at once; with it, the sold amount is held, and the rate of the moment of approval applies within the bound. A limit order whose rate is not reached is held until it is, or until its end.',
  access: 'exchange.create',
  confirms: 'exchange',
  movesMoney: true,
  body: z.extend(exchangeContent, { quoteId: id, codeMethod: z.enum(codeMethods), code: verificationCode }),
  output: z.object({
    id,
    status: z.enum(transactionStatuses),
    stage: z.enum(stages),
    createdAt: instant,
    /** The other row; null until it is executed. */
    boughtId: z.nullable(id),
  }),
  errors: [
    ...intentErrors,
    'amountBelowMinimum',
    'amountAboveTransferLimit',
    'amountAboveDailyLimit',
    'amountAboveBalanceMinusFee',
    'approvalNoRule',
    'approvalNobodyCan',
    'exchangeLimitBound',
    'exchangeLimitSide',
    'exchangeLimitUntil',
    'codeWrong',
    'codeBurnt',
    'codeForAdministrator',
    'exchangeOutOfBound',
    'idTaken',
    'insufficientBalance',
    'mfaNotBound',
    'quoteExpired',
    'quoteNotFound',
    'quoteOfAnother',
    'quoteUsed',
    'riskRefused',
    'transferCodeMismatch',
  ],
});

export const cancelExchange = call({
  name: 'cancelExchange',
  method: 'PUT',
  path: '/web/crypto/exchange/cancel',
  summary: 'Cancels an exchange of one’s own that waits for approval or for its rate; the hold is given back.',
  access: 'exchange.create',
  movesMoney: true,
  body: z.strictObject({ id }),
  output: z.object({ id, status: z.enum(transactionStatuses), stage: z.enum(stages), refundId: z.nullable(id) }),
  errors: ['notFound', 'exchangeNotCancellable', 'exchangeNotOwn'],
});

export const getExchangeOptions = call({
  name: 'getExchangeOptions',
  method: 'GET',
  path: '/web/crypto/exchange/options',
  summary:
    'The wallets between which the company can exchange, what is available in each, and why one of them cannot be used now.',
  access: 'wallet.view',
  output: z.object({
    wallets: z.array(
      z.object({
        walletId: id,
        asset,
        decimals: z.number(),
        placeName: z.string(),
        available: z.string(),
        /** What is exchanged, without the fee, must be more than the minimum, and is at most the limit; null: no limit. */
        minimum: z.string(),
        limit: z.nullable(z.string()),
        /** Null: it can be. */
        cannotSell: z.nullable(z.enum(exchangeStops)),
        cannotBuy: z.nullable(z.enum(exchangeStops)),
      }),
    ),
  }),
  errors: [],
});

const limitSide = z.object({ walletId: id, asset, decimals: z.number(), placeName: z.string() });

export const limitOrder = z.object({
  /** Of its transaction. */
  id,
  sell: limitSide,
  buy: limitSide,
  /** What is held, fee included, and what arrives at least. */
  held: z.string(),
  least: z.string(),
  rate: z.string(),
  /** Between the middle prices of this moment; null: there is none that can be quoted. */
  mid: z.nullable(z.string()),
  until: instant,
  createdBy: z.object({ id, name: z.string() }),
  createdAt: instant,
});
export type LimitOrder = z.output<typeof limitOrder>;

export const listLimitOrders = call({
  name: 'listLimitOrders',
  method: 'GET',
  path: '/web/crypto/exchange/limits',
  summary: 'The company’s limit orders that wait for their rate, the one that ends first at the beginning.',
  access: 'transaction.view',
  output: z.object({ items: z.array(limitOrder) }),
  errors: [],
});
