import * as z from 'zod/mini';
import { feeLevels } from './transfers-rules.ts';

/** The network fee that was chosen for a transfer, raised since if it was sped up. */
export const chosenFee = z.object({
  level: z.enum(feeLevels),
  /** What the network takes; with the operator's part it is the transaction's fee. */
  amount: z.string(),
  /** How many other payments of the company its transaction makes: they share its fee. 0 where it makes none, and until it is made. */
  joinedWith: z.number(),
  /** Of the transaction, in satoshis per virtual byte, at most three decimals. */
  feeRate: z.string(),
  /** About how long a transfer of this level waits for a block. */
  expectedSeconds: z.number(),
  /** The reader may raise it now (`quoteSpeedUp`). */
  canSpeedUp: z.boolean(),
});
export type ChosenFee = z.output<typeof chosenFee>;

/** What may still happen to a deposit that waits for a block, and how soon one takes it. */
export const depositTerms = z.object({
  /** Its payer has kept the right to replace it (BIP 125). */
  replaceable: z.boolean(),
  /** What it pays for a block, in satoshis per virtual byte; null while that is not known. */
  feeRate: z.nullable(z.string()),
  /** It pays less than the cheapest rate that is published now: it may wait for long. */
  isLow: z.boolean(),
  /** The transaction that accelerates it; null while there is none. */
  accelerationId: z.nullable(z.string()),
  /** The reader may accelerate it now (`quoteAcceleration`). */
  canAccelerate: z.boolean(),
});
export type DepositTerms = z.output<typeof depositTerms>;
