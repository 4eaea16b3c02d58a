import * as z from 'zod/mini';
import { call } from './call.ts';
import { codeMethods, verificationCode } from './identity.ts';
import { amountText, asset, chainId, id, instant, page, pageQuery, text } from './ids.ts';
import {
  tradeActors,
  tradeMessages,
  tradePhases,
  tradeReasonMaxLength,
  tradeSides,
  tradeSorts,
  tradeStates,
  tradeSteps,
} from './trades-rules.ts';
import { stages, transactionStatuses } from './transactions-rules.ts';
import { foreseenReview } from './transfers.ts';
import { feeLevels } from './transfers-rules.ts';

export * from './trades-rules.ts';

/** Guaranteed trades of the external platform (docs/adr/0101-…). Amounts in whole units. */

const party = z.object({
  name: z.string(),
  address: z.string(),
  /** Its address on the network. */
  wallet: z.string(),
});

export const trade = z.object({
  id,
  /** The platform's number of it. */
  number: z.string(),
  side: z.enum(tradeSides),
  state: z.enum(tradeStates),
  phase: z.enum(tradePhases),
  chainId,
  chainName: z.string(),
  asset,
  decimals: z.number(),
  quantity: z.string(),
  /** What is frozen for it now; null where the buyer is no company here. */
  frozen: z.nullable(z.string()),
  /** What was paid to the seller and is final, and what is being paid; null where the buyer is no company here. */
  paid: z.nullable(z.string()),
  paying: z.nullable(z.string()),
  /** What came back to the buyer because the platform says so. */
  refunded: z.string(),
  payer: party,
  payee: party,
  billOfLading: z.nullable(z.string()),
  /** Of the latest payment to the seller. */
  hash: z.nullable(z.string()),
  /** Who must act next, and until when, as the platform says; both null where nothing is to be done. */
  actor: z.nullable(z.enum(tradeActors)),
  actBy: z.nullable(instant),
  createdAt: instant,
  updatedAt: instant,
});
export type Trade = z.output<typeof trade>;

const sums = z.array(z.object({ asset, decimals: z.number(), amount: z.string() }));

const sidedSums = z.array(z.object({ side: z.enum(tradeSides), asset, decimals: z.number(), amount: z.string() }));

const summary = z.object({
  created: z.number(),
  inProgress: z.number(),
  success: z.number(),
  cancelled: z.number(),
  /** What is frozen now, by asset. */
  frozen: sums,
  /** By state, side and asset, the amounts of the trades. */
  quantities: z.object({ created: sidedSums, inProgress: sidedSums, success: sidedSums, cancelled: sidedSums }),
});

const filters = {
  state: z.optional(z.enum(tradeStates)),
  side: z.optional(z.enum(tradeSides)),
  /** Who must act next. */
  actor: z.optional(z.enum(tradeActors)),
  asset: z.optional(asset),
  chain: z.optional(chainId),
  /** Part of the number, the bill of lading, a party's name or address, or a payment's hash. */
  search: z.optional(text(100)),
};

export const listTrades = call({
  name: 'listTrades',
  method: 'GET',
  path: '/web/trx/alloyx-payment/list',
  summary:
    'Guaranteed trades that the company is the buyer or the seller of, those that changed last first, with counts and sums by state and what is frozen.',
  access: 'transaction.view',
  query: z.strictObject({
    ...pageQuery,
    ...filters,
    sort: z.optional(z.enum(tradeSorts)),
    order: z.optional(z.enum(['asc', 'desc'])),
  }),
  output: z.extend(page(trade), {
    /** Of all trades, whatever is filtered. */
    summary,
    /** False: no trade platform is connected, and none was before. */
    connected: z.boolean(),
  }),
  errors: ['cursorInvalid'],
});

export const exportTrades = call({
  name: 'exportTrades',
  method: 'GET',
  path: '/web/trx/alloyx-payment/export',
  summary: 'The same as CSV, in the language of the request.',
  access: 'transaction.export',
  query: z.strictObject(filters),
  output: z.null(),
  answer: 'file',
  errors: [],
});

const tradeDetail = z.extend(trade, {
  version: z.number(),
  /** How the platform divides the amount; the buyer agreed to these by confirming. */
  milestones: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      amount: z.string(),
      /** The platform says that it was reached. */
      reached: z.boolean(),
      /** A payment of it was submitted and has not failed; `paid`: it is final. */
      released: z.boolean(),
      paid: z.boolean(),
    }),
  ),
  documents: z.array(z.object({ name: z.string(), url: z.string(), sha256: z.string() })),
  /** What the platform last said that contradicts what was confirmed, and was not taken over; null: nothing. */
  contradiction: z.nullable(z.object({ fields: z.array(z.string()), version: z.number(), at: instant })),
  /** The wallet that pays; null of a seller, and where the company has none of the asset. */
  walletId: z.nullable(id),
  available: z.nullable(z.string()),
  /** What its confirmation would meet now; null unless the reader may confirm it. */
  review: z.nullable(foreseenReview),
  /** Whom a payment to the seller goes to; null: the seller's address is not among the company's payees. */
  recipient: z.nullable(z.object({ id, name: z.string(), usable: z.boolean() })),
  approvalTaskId: z.nullable(id),
  confirmedBy: z.nullable(z.object({ id, name: z.string() })),
  confirmedAt: z.nullable(instant),
  releases: z.array(
    z.object({
      transactionId: id,
      milestoneId: z.nullable(z.string()),
      amount: z.string(),
      status: z.enum(transactionStatuses),
      stage: z.enum(stages),
      hash: z.nullable(z.string()),
      at: instant,
    }),
  ),
  timeline: z.array(
    z.object({
      step: z.enum(tradeSteps),
      at: instant,
      by: z.nullable(z.string()),
      amount: z.nullable(z.string()),
      phase: z.nullable(z.enum(tradePhases)),
      note: z.string(),
      version: z.nullable(z.number()),
      /** Names of those that the platform’s event says were reached. */
      milestones: z.array(z.string()),
    }),
  ),
  /** What goes back to the platform, in order. */
  messages: z.array(
    z.object({
      type: z.enum(tradeMessages),
      at: instant,
      deliveredAt: z.nullable(instant),
      attempts: z.number(),
      problem: z.nullable(z.string()),
    }),
  ),
  /** Versions that arrived before one that is missing, and wait for it. */
  waitingVersions: z.array(z.number()),
  can: z.object({ confirm: z.boolean(), decline: z.boolean(), release: z.boolean(), dispute: z.boolean() }),
});
export type TradeDetail = z.output<typeof tradeDetail>;

export const getTrade = call({
  name: 'getTrade',
  method: 'GET',
  path: '/web/trx/alloyx-payment/{id}',
  summary: 'One guaranteed trade with its milestones, documents, payments and timeline.',
  access: 'transaction.view',
  params: z.object({ id }),
  output: tradeDetail,
  errors: ['tradeNotFound'],
});

/** What a confirmation is, apart from its proof: the content that its code is bound to. */
export const tradeContent = z.strictObject({
  /** Of the confirmation, chosen by the client, so that a repeated submit is the same one. */
  id,
  tradeId: id,
  /** Of the trade as it was shown; refused with `tradeChanged` once it is another. */
  version: z.int('field.invalid').check(z.minimum(1, 'field.invalid')),
});
export type TradeContent = z.output<typeof tradeContent>;

const codeErrors = ['codeBurnt', 'codeForAdministrator', 'codeWrong', 'mfaNotBound', 'transferCodeMismatch'] as const;

export const confirmTrade = call({
  name: 'confirmTrade',
  method: 'POST',
  path: '/web/trx/alloyx-payment/confirm-transaction',
  summary:
    'Confirms a trade as its buyer: its amount is frozen, at once or, where the company reviews what leaves, until it is approved; the platform is informed once it is confirmed.',
  access: 'transfer.create',
  confirms: 'trade',
  movesMoney: true,
  body: z.extend(tradeContent, { codeMethod: z.enum(codeMethods), code: verificationCode }),
  output: z.object({ id, tradeId: id, state: z.enum(tradeStates), approvalTaskId: z.nullable(id) }),
  errors: [
    ...codeErrors,
    'approvalNobodyCan',
    'approvalNoRule',
    'companyFrozen',
    'idTaken',
    'insufficientBalance',
    'rateStale',
    'riskRefused',
    'tradeChanged',
    'tradeNotBuyer',
    'tradeNotConfirmable',
    'tradeNotFound',
    'walletFrozen',
    'walletNotFound',
  ],
});

export const declineTrade = call({
  name: 'declineTrade',
  method: 'POST',
  path: '/web/trx/alloyx-payment/decline',
  summary: 'Declines a trade that is not confirmed yet, as its buyer; the platform is informed.',
  access: 'transfer.create',
  movesMoney: true,
  body: z.strictObject({ id, reason: text(tradeReasonMaxLength) }),
  output: z.object({ id, state: z.enum(tradeStates) }),
  errors: ['tradeNotBuyer', 'tradeNotConfirmable', 'tradeNotFound'],
});

export const releaseTrade = call({
  name: 'releaseTrade',
  method: 'POST',
  path: '/web/trx/alloyx-payment/release',
  summary:
    'Pays frozen money of a trade to its seller: a milestone, or an amount. It is a transfer to a payee of the company, with the code, the risk checks and the approvals of one.',
  access: 'transfer.create',
  confirms: 'transfer',
  movesMoney: true,
  body: z.strictObject({
    /** Of the transfer, which the code is bound to; chosen by the client. */
    id,
    tradeId: id,
    /** Null: an amount of no milestone. */
    milestoneId: z.nullable(text(100)),
    amount: amountText,
    /** The fee of the transfer, on top, out of what is available; refused with `feeChanged` when another is in force. */
    fee: amountText,
    /** Where the network fee is a choice, and there alone. */
    feeLevel: z.optional(z.enum(feeLevels)),
    codeMethod: z.enum(codeMethods),
    code: verificationCode,
  }),
  output: z.object({ id, tradeId: id, stage: z.enum(stages), frozen: z.string() }),
  errors: [
    ...codeErrors,
    'addressIsToken',
    'addressOwn',
    'addressReserved',
    'amountAboveBalanceMinusFee',
    'amountAboveDailyLimit',
    'amountAboveTransferLimit',
    'amountBelowMinimum',
    'amountFormat',
    'amountTooLarge',
    'amountTooManyDecimals',
    'approvalNobodyCan',
    'approvalNoRule',
    'coinNotOnChain',
    'companyFrozen',
    'feeChanged',
    'feeLevelMissing',
    'feeLevelUnknown',
    'feeRatesStale',
    'idTaken',
    'insufficientBalance',
    'networkFeeUnknown',
    'payeeNotFound',
    'payeeUnusable',
    'payeeWaiting',
    'rateStale',
    'riskRefused',
    'tooManyCoins',
    'tradeAmountTooHigh',
    'tradeDisputed',
    'tradeMilestone',
    'tradeNotBuyer',
    'tradeNotFound',
    'tradeNotFrozen',
    'tradePayeeMissing',
    'tradePaymentEnding',
    'walletFrozen',
    'walletNotFound',
    'withdrawalsPaused',
  ],
});

export const disputeTrade = call({
  name: 'disputeTrade',
  method: 'POST',
  path: '/web/trx/alloyx-payment/dispute',
  summary:
    'Disputes a trade whose amount is frozen, as its buyer: the platform is informed, and nothing is paid until it says that the dispute is over.',
  access: 'transfer.create',
  body: z.strictObject({ id, reason: text(tradeReasonMaxLength).check(z.minLength(1, 'field.required')) }),
  output: z.object({ id, phase: z.enum(tradePhases) }),
  errors: ['tradeDisputed', 'tradeNotBuyer', 'tradeNotFound', 'tradeNotFrozen'],
});
