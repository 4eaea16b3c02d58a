import type { Hex } from 'viem';
import * as z from 'zod';

/**
 * What the worker may ask of the signer: to sign the payment of a stored record, under a nonce and fees of the worker's
 * choice. Never bytes, never a payee, never an amount but a gas top-up's.
 */

const id = z.uuid();
/** Wei or gas units as decimal digits, since JSON has no integers of this size. */
const digits = z
  .string()
  .regex(/^(0|[1-9]\d{0,77})$/)
  .transform((text) => BigInt(text));

const pricing = {
  companyId: id,
  transferId: id,
  nonce: z.number().int().min(0),
  gasLimit: digits,
  maxFeePerGas: digits,
  maxPriorityFeePerGas: digits,
};

export const signRequest = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('transfer'), ...pricing }),
  /** From the gas tank to the company's own address, for the network fee of this transfer. */
  z.strictObject({ kind: z.literal('gas'), ...pricing, paymentId: id, amountWei: digits }),
  /** What the journal has signed last for a payment, whose transfer a restored database may have lost. */
  z.strictObject({ kind: z.literal('again'), companyId: id, transferId: id, paymentId: id }),
]);
export type SignRequest = z.output<typeof signRequest>;
/** A request to sign what a stored record allows. */
export type PaymentRequest = Exclude<SignRequest, { kind: 'again' }>;

const refusals = [
  'unknown',
  'forged',
  'ended',
  'frozen',
  'other-coin',
  'foreign-address',
  'nonce-taken',
  'other-payment',
  'cost-cap',
  'top-up-cap',
  'top-up-rate',
  /** Restore mode holds, or the journal and the database disagree. */
  'restoring',
  /** The disk does not take the signer's journal. */
  'journal-unwritable',
] as const;
export type Refusal = (typeof refusals)[number];

export const signAnswer = z.discriminatedUnion('signed', [
  z.object({
    signed: z.literal(true),
    hash: z.string().transform((text) => text as Hex),
    raw: z.string().transform((text) => text as Hex),
  }),
  z.object({
    signed: z.literal(false),
    refusal: z.enum(refusals),
    /** The journal holds an intent for this payment already: its nonce may be on its way and is not free. */
    journaled: z.boolean(),
  }),
]);
export type SignAnswer = z.output<typeof signAnswer>;

/** The port to the signer. Rejects when it does not answer; asking again is harmless. */
export interface Signer {
  sign(request: SignRequest): Promise<SignAnswer>;
}
