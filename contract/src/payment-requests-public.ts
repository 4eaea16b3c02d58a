import * as z from 'zod/mini';
import { call } from './call.ts';
import { asset, chainId, coin, id, instant } from './ids.ts';
import {
  paymentRequestCauses,
  paymentRequestKinds,
  paymentRequestPricings,
  paymentRequestStates,
  paymentTokenPattern,
  requestPaymentStates,
} from './payment-requests-rules.ts';

/** What the payer's page reads and does, by the token of the link alone (docs/adr/0100-…). */

export const paymentToken = z.string().check(z.regex(paymentTokenPattern, 'field.invalid'));

/** Where and how to pay: one coin on one chain. */
const option = z.object({
  chainId,
  chainName: z.string(),
  family: z.string(),
  coin,
  decimals: z.number(),
  address: z.string(),
  /** What lacks, in whole units of the coin, exactly as it is to be sent; null where the payer decides. */
  amount: z.nullable(z.string()),
  /** Units of the currency for one whole coin, until `expiresAt`; null where the amount is in the coin or is open. */
  rate: z.nullable(z.string()),
  /** The payment URI of the chain's family (EIP-681, BIP 21), with the amount where there is one. */
  uri: z.string(),
  /** EIP-155; null on other chains. */
  evmChainId: z.nullable(z.number()),
  /** The token's; null of a chain's own coin. */
  contract: z.nullable(z.string()),
  confirmations: z.number(),
  /** How long that takes, about. */
  arrivalSeconds: z.number(),
});

const received = z.object({
  id,
  chainId,
  chainName: z.string(),
  coin,
  decimals: z.number(),
  amount: z.string(),
  /** In the request's asset; null: of a coin that is not accepted, or not valued yet. */
  value: z.nullable(z.string()),
  state: z.enum(requestPaymentStates),
  confirmations: z.number(),
  confirmationsNeeded: z.number(),
  hash: z.nullable(z.string()),
  explorerUrl: z.nullable(z.string()),
  at: instant,
  isAccepted: z.boolean(),
  isLate: z.boolean(),
});

export const publicPaymentRequest = z.object({
  companyName: z.string(),
  title: z.string(),
  reference: z.string(),
  note: z.string(),
  kind: z.enum(paymentRequestKinds),
  pricing: z.enum(paymentRequestPricings),
  state: z.enum(paymentRequestStates),
  causes: z.array(z.enum(paymentRequestCauses)),
  /** Whether a payment made now is one that the company waits for. */
  isPayable: z.boolean(),
  asset: z.nullable(asset),
  decimals: z.nullable(z.number()),
  amount: z.nullable(z.string()),
  /** Of a single one: credited, seen and not yet credited, and what lacks of the amount after both. */
  paid: z.nullable(z.string()),
  pending: z.nullable(z.string()),
  remaining: z.nullable(z.string()),
  /** A day of the company's time zone. */
  dueOn: z.nullable(z.string()),
  /** Until when it can be paid, and its rates hold; null: it does not expire. */
  expiresAt: z.nullable(instant),
  /** The server's clock. */
  now: instant,
  /** Empty while it is being prepared, and once it cannot be paid. */
  options: z.array(option),
  /** Of a single one all that came; of a reusable one the payment whose hash was given, and no other payer's. */
  received: z.array(received),
  /** The payer has stopped reminders; null: there are none. */
  remindersStopped: z.nullable(z.boolean()),
  createdAt: instant,
});
export type PublicPaymentRequest = z.output<typeof publicPaymentRequest>;

export const readPublicPaymentRequest = call({
  name: 'readPublicPaymentRequest',
  method: 'POST',
  path: '/common/payment-request',
  summary: 'What the payer’s page of a payment request shows, by the token of its link.',
  access: 'public',
  body: z.strictObject({
    token: paymentToken,
    /** Of a payment to a reusable request that the payer made. */
    hash: z.optional(z.string().check(z.regex(/^(0x)?[0-9a-fA-F]{64}$/, 'field.invalid'))),
  }),
  output: publicPaymentRequest,
  errors: ['paymentLinkUnknown'],
});

export const stopPaymentReminders = call({
  name: 'stopPaymentReminders',
  method: 'POST',
  path: '/common/payment-request/stop-reminders',
  summary: 'The payer wants no further reminders of a payment request.',
  access: 'public',
  body: z.strictObject({ token: paymentToken }),
  output: z.null(),
  errors: ['paymentLinkUnknown'],
});
