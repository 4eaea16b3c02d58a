import * as z from 'zod';

/**
 * What the worker may ask of the signer: to sign the payment of a stored record, by a plan of the worker's choice in the form of
 * the chain's family (a nonce and fees, the outputs to spend). Never bytes, never a payee or an amount that no record has.
 */

/** No transaction makes more payments beside its first. */
const mostFurther = 999;

const payment = { companyId: z.uuid(), transferId: z.uuid(), paymentId: z.uuid() };

const again = z.strictObject({ kind: z.literal('again'), ...payment });

const request = z.strictObject({
  /** Which kinds there are, and what their plans are, is the family's to say. */
  kind: z.string().regex(/^(?!again$)[a-z][a-z-]{0,31}$/),
  ...payment,
  /** Further records of the same company, which the transaction pays as well, in the order of its outputs; each is paid under its own id. */
  joined: z.array(z.uuid()).min(1).max(mostFurther).optional(),
  plan: z.record(z.string(), z.unknown()),
});

export const signRequest = z.union([again, request]);

/** A request to sign what a stored record allows. */
export type PaymentRequest = z.output<typeof request>;
/** A request for what the journal has signed last for a payment, whose transfer a restored database may have lost. */
type AgainRequest = z.output<typeof again>;
export type SignRequest = PaymentRequest | AgainRequest;

export const signAnswer = z.discriminatedUnion('signed', [
  z.object({
    signed: z.literal(true),
    hash: z.string(),
    raw: z.string(),
  }),
  z.object({
    signed: z.literal(false),
    /** One of `Refusal`, or a word of the chain's family. */
    refusal: z.string().regex(/^[a-z-]{1,40}$/),
    /** The journal holds an intent for this payment already: what it uses may be on its way and is not free. */
    journaled: z.boolean(),
  }),
]);
export type SignAnswer = z.output<typeof signAnswer>;

/** The port to the signer. Rejects when it does not answer; asking again is harmless. */
export interface Signer {
  sign(request: SignRequest): Promise<SignAnswer>;
}
