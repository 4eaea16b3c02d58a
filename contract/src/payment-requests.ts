import * as z from 'zod/mini';
import { call, nothing } from './call.ts';
import { amountText, asset, chainId, coin, id, instant, page, pageQuery, text } from './ids.ts';
import { languages } from './locale.ts';
import { name, optionalName } from './names.ts';
import { payerInput, reminderDays, requestTolerance } from './payment-requests-fields.ts';
import {
  mostAcceptedCoins,
  paymentRequestActors,
  paymentRequestCauses,
  paymentRequestKinds,
  paymentRequestNoteMaxLength,
  paymentRequestPricings,
  paymentRequestReasonMaxLength,
  paymentRequestReferenceMaxLength,
  paymentRequestStates,
  paymentRequestSteps,
  paymentRequestTitleMaxLength,
  requestPaymentStates,
} from './payment-requests-rules.ts';
import { stages, transactionStatuses } from './transactions-rules.ts';

export * from './payment-requests-rules.ts';

/** Payment requests (docs/adr/0100-…), as the company's members make, read and decide them. Amounts in whole units; rates are units of the currency for one whole coin. */

const accepted = z.object({ chainId, chainName: z.string(), coin, decimals: z.number() });

const payer = z.object({ name: z.string(), email: z.nullable(z.string()), language: z.enum(languages) });

export const paymentRequest = z.object({
  id,
  title: z.string(),
  reference: z.string(),
  kind: z.enum(paymentRequestKinds),
  pricing: z.enum(paymentRequestPricings),
  state: z.enum(paymentRequestStates),
  /** Of an unresolved one; otherwise none. */
  causes: z.array(z.enum(paymentRequestCauses)),
  /** Who must act next; null where nothing is to be done. */
  actor: z.nullable(z.enum(paymentRequestActors)),
  /** In what its amount is; null where the payer decides. */
  asset: z.nullable(asset),
  decimals: z.nullable(z.number()),
  /** Of a reusable one, of each payment; null where the payer decides. */
  amount: z.nullable(z.string()),
  /** Of a single one: what has been credited, without what was refunded, and what lacks; otherwise null. */
  paid: z.nullable(z.string()),
  remaining: z.nullable(z.string()),
  accepted: z.array(accepted),
  /** Payments that were not taken back, and their credited sums by coin, without what was refunded. */
  payments: z.number(),
  sums: z.array(z.object({ coin, decimals: z.number(), amount: z.string() })),
  payer: z.nullable(payer),
  /** A day of the company's time zone. */
  dueOn: z.nullable(z.string()),
  /** Null: it does not expire. */
  expiresAt: z.nullable(instant),
  createdBy: z.object({ id, name: z.string() }),
  createdAt: instant,
  updatedAt: instant,
});
export type PaymentRequest = z.output<typeof paymentRequest>;

const filters = {
  state: z.optional(z.enum(paymentRequestStates)),
  cause: z.optional(z.enum(paymentRequestCauses)),
  kind: z.optional(z.enum(paymentRequestKinds)),
  coin: z.optional(coin),
  chain: z.optional(chainId),
  /** Part of the title, the reference, the payer's name or email. */
  search: z.optional(text(100)),
  /** Made from, and before. */
  from: z.optional(instant),
  to: z.optional(instant),
  createdBy: z.optional(id),
};

export const listPaymentRequests = call({
  name: 'listPaymentRequests',
  method: 'GET',
  path: '/web/payment-request',
  summary: 'The company’s payment requests, newest first, with how many there are in each state.',
  access: 'transaction.view',
  query: z.strictObject({ ...pageQuery, ...filters }),
  output: z.extend(page(paymentRequest), {
    /** Of all requests, whatever is filtered. */
    counts: z.record(z.enum(paymentRequestStates), z.number()),
  }),
  errors: ['cursorInvalid'],
});

export const exportPaymentRequests = call({
  name: 'exportPaymentRequests',
  method: 'GET',
  path: '/web/payment-request/export',
  summary: 'The same as CSV, in the language of the request.',
  access: 'transaction.export',
  query: z.strictObject(filters),
  output: z.null(),
  answer: 'file',
  errors: [],
});

export const getPaymentRequestOptions = call({
  name: 'getPaymentRequestOptions',
  method: 'GET',
  path: '/web/payment-request/options',
  summary:
    'What a payment request can accept: the coins on chains that the company has open wallets of, and what one of each costs in every currency now.',
  access: 'transaction.view',
  output: z.object({
    accepted: z.array(
      z.extend(accepted, {
        /** What is less is credited all the same, and is not worth sending. */
        minimum: z.string(),
      }),
    ),
    /** Units of the currency for one whole coin; a pair without a rate that holds is left out. */
    rates: z.array(z.object({ coin, currency: asset, rate: z.string(), at: instant })),
    currencies: z.array(z.object({ currency: asset, decimals: z.number() })),
    /** The company's, in which due dates are. */
    timeZone: z.string(),
  }),
  errors: [],
});

export const createPaymentRequest = call({
  name: 'createPaymentRequest',
  method: 'POST',
  path: '/web/payment-request',
  summary:
    'Makes a payment request. Its addresses are opened within seconds; its state is `preparing` until each accepted chain has one.',
  access: 'transfer.create',
  body: z.strictObject({
    /** Chosen by the client, so that a repeated submit is the same request. */
    id,
    title: name(paymentRequestTitleMaxLength),
    reference: optionalName(paymentRequestReferenceMaxLength),
    /** To the payer. */
    note: text(paymentRequestNoteMaxLength),
    kind: z.enum(paymentRequestKinds),
    pricing: z.enum(paymentRequestPricings),
    /** Both null where the payer decides, which only a reusable one allows. */
    asset: z.nullable(asset),
    amount: z.nullable(amountText),
    /** Each coin on each chain; with an amount in a coin, that coin alone. */
    accepted: z
      .array(z.strictObject({ chainId, coin }))
      .check(z.minLength(1, 'field.required'), z.maxLength(mostAcceptedCoins, 'field.invalid')),
    tolerance: requestTolerance,
    dueOn: z.nullable(z.iso.date('field.date')),
    /** A single one has one; a reusable one may. */
    expiresAt: z.nullable(instant),
    payer: z.nullable(payerInput),
    /** Days from the due date, before it negative. */
    reminderDays,
  }),
  output: z.object({ id, state: z.enum(paymentRequestStates), token: z.string() }),
  errors: [
    'amountFormat',
    'amountTooLarge',
    'amountTooManyDecimals',
    'idTaken',
    'paymentRequestDueDate',
    'paymentRequestExpiry',
    'paymentRequestNoWallet',
    'paymentRequestPricing',
    'paymentRequestRateUnavailable',
    'paymentRequestReminders',
    'paymentRequestTolerance',
    'paymentRequestTooMany',
    'paymentRequestTooSmall',
  ],
});

const refund = z.object({
  transactionId: id,
  /** The payment that it gives back, or a part of it. */
  paymentId: id,
  coin,
  decimals: z.number(),
  amount: z.string(),
  payee: z.nullable(z.string()),
  status: z.enum(transactionStatuses),
  stage: z.enum(stages),
  hash: z.nullable(z.string()),
  at: instant,
});

const payment = z.object({
  /** The deposit's transaction. */
  id,
  chainId,
  chainName: z.string(),
  coin,
  decimals: z.number(),
  amount: z.string(),
  /** In the request's asset, by the rate that is beside it; null: not accepted, or no rate was known. */
  value: z.nullable(z.string()),
  rate: z.nullable(z.string()),
  rateAt: z.nullable(instant),
  state: z.enum(requestPaymentStates),
  confirmations: z.number(),
  confirmationsNeeded: z.number(),
  hash: z.nullable(z.string()),
  /** The explorer's page of it; null where the chain has none. */
  explorerUrl: z.nullable(z.string()),
  from: z.nullable(z.string()),
  to: z.string(),
  arrivedAt: instant,
  /** Whether its coin on its chain is one that the request accepts. */
  isAccepted: z.boolean(),
  /** What must be decided of it by itself. */
  causes: z.array(z.enum(paymentRequestCauses)),
  /** What of it was given back, or is on its way back. */
  refunded: z.string(),
  /** What can still be refunded; null while it is not credited. */
  refundable: z.nullable(z.string()),
  walletId: id,
});
export type RequestPayment = z.output<typeof payment>;

export const paymentRequestDetail = z.extend(paymentRequest, {
  /** Raised by every change: a decision names the one that was read. */
  version: z.number(),
  /** Of the link (`paymentPagePath`). */
  token: z.string(),
  /** The payer's page, at the installation's public address. */
  link: z.string(),
  note: z.string(),
  /** Of the amount; `units` is what it comes to. Null where the payer decides. */
  tolerance: z.nullable(z.object({ percent: z.nullable(z.string()), units: z.string() })),
  /**
   * Where the payer can pay now, with what lacks in each coin: null where the payer decides, nothing lacks, or it is too little to be sent; a rate is null
   * where the amount is in the coin or is open.
   */
  options: z.array(
    z.extend(accepted, {
      address: z.nullable(z.string()),
      amount: z.nullable(z.string()),
      rate: z.nullable(z.string()),
      rateAt: z.nullable(instant),
    }),
  ),
  /** All that are watched, also on chains that are not accepted; for ever. */
  addresses: z.array(z.object({ chainId, chainName: z.string(), address: z.string(), isAccepted: z.boolean() })),
  receipts: z.array(payment),
  refunds: z.array(refund),
  /** What was above (with a minus: below) the amount when it was accepted as it is; null: it was not. */
  difference: z.nullable(z.string()),
  reminders: z.object({
    days: z.array(z.number()),
    /** The next one by the calendar; null: none is to come. */
    nextOn: z.nullable(z.string()),
    stoppedAt: z.nullable(instant),
    sent: z.array(z.object({ at: instant, by: z.nullable(z.string()), day: z.nullable(z.number()) })),
  }),
  timeline: z.array(
    z.object({
      step: z.enum(paymentRequestSteps),
      at: instant,
      /** A member; null: the payer, the chain, or the program. */
      by: z.nullable(z.string()),
      amount: z.nullable(z.string()),
      asset: z.nullable(asset),
      causes: z.array(z.enum(paymentRequestCauses)),
      transactionId: z.nullable(id),
      note: z.string(),
    }),
  ),
  /** What this reader can do now. */
  can: z.object({
    edit: z.boolean(),
    cancel: z.boolean(),
    accept: z.boolean(),
    askRest: z.boolean(),
    settleByHand: z.boolean(),
    refund: z.boolean(),
    remind: z.boolean(),
  }),
});
export type PaymentRequestDetail = z.output<typeof paymentRequestDetail>;

export const getPaymentRequest = call({
  name: 'getPaymentRequest',
  method: 'GET',
  path: '/web/payment-request/{id}',
  summary: 'A payment request with its addresses, payments, refunds and timeline, and what can be done with it now.',
  access: 'transaction.view',
  params: z.object({ id }),
  output: paymentRequestDetail,
  errors: ['paymentRequestNotFound'],
});

export const editPaymentRequest = call({
  name: 'editPaymentRequest',
  method: 'PUT',
  path: '/web/payment-request/{id}',
  summary: 'Changes what binds no payer: the note, whom it is for, and the days of reminders.',
  access: 'transfer.create',
  params: z.object({ id }),
  body: z.strictObject({ note: text(paymentRequestNoteMaxLength), payer: z.nullable(payerInput), reminderDays }),
  output: nothing,
  errors: ['paymentRequestEnded', 'paymentRequestNotFound', 'paymentRequestReminders'],
});

export const cancelPaymentRequest = call({
  name: 'cancelPaymentRequest',
  method: 'POST',
  path: '/web/payment-request/{id}/cancel',
  summary:
    'Cancels a request of one’s own to which nothing has come; who manages the company’s settings cancels any. Its addresses stay watched.',
  access: 'transfer.create',
  params: z.object({ id }),
  body: z.strictObject({ reason: text(paymentRequestReasonMaxLength) }),
  output: nothing,
  errors: ['paymentRequestNotCancellable', 'paymentRequestNotFound', 'paymentRequestNotOwn'],
});

/** As it was read: what has changed since is read first. */
const version = z.int('field.invalid').check(z.minimum(1, 'field.invalid'));
const onDecision = ['paymentRequestChanged', 'paymentRequestNotFound', 'paymentRequestUndecidable'] as const;

export const acceptPaymentRequest = call({
  name: 'acceptPaymentRequest',
  method: 'POST',
  path: '/web/payment-request/{id}/accept',
  summary:
    'Accepts what was paid as it is: a single request is settled, and the difference noted; of a reusable one, the payment that is named.',
  access: 'transfer.create',
  params: z.object({ id }),
  body: z.strictObject({
    version,
    /** Of a reusable request, and of no other. */
    paymentId: z.nullable(id),
    note: text(paymentRequestReasonMaxLength),
  }),
  output: nothing,
  errors: [...onDecision, 'paymentRequestPaymentNotFound'],
});

export const askRestOfPaymentRequest = call({
  name: 'askRestOfPaymentRequest',
  method: 'POST',
  path: '/web/payment-request/{id}/ask-rest',
  summary:
    'Asks for the rest of a request that is underpaid or was paid late: a further period at the same addresses, with new rates for the rest where the amount is in a currency.',
  access: 'transfer.create',
  params: z.object({ id }),
  body: z.strictObject({ version, expiresAt: instant, note: text(paymentRequestReasonMaxLength) }),
  output: nothing,
  errors: [...onDecision, 'paymentRequestExpiry', 'paymentRequestRateUnavailable'],
});

export const settlePaymentRequestByHand = call({
  name: 'settlePaymentRequestByHand',
  method: 'POST',
  path: '/web/payment-request/{id}/settle',
  summary: 'Notes that a single request was paid elsewhere; it moves nothing.',
  access: 'transfer.create',
  params: z.object({ id }),
  body: z.strictObject({
    version,
    reason: text(paymentRequestReasonMaxLength).check(
      z.refine((value) => value.trim() !== '', { error: 'field.required' }),
    ),
  }),
  output: nothing,
  errors: onDecision,
});

export const remindOfPaymentRequest = call({
  name: 'remindOfPaymentRequest',
  method: 'POST',
  path: '/web/payment-request/{id}/remind',
  summary: 'Mails the payer the link of a request now; once a day.',
  access: 'transfer.create',
  params: z.object({ id }),
  output: nothing,
  errors: [
    'paymentRequestEnded',
    'paymentRequestNoEmail',
    'paymentRequestNotFound',
    'paymentRequestReminded',
    'paymentRequestRemindersStopped',
  ],
});
