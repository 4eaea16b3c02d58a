import * as z from 'zod';
import { emptyKind } from '../signer/family.ts';

/** What the worker says of an EVM payment to the signer: the sender's nonce, and gas in units with fees in wei per gas. */
export interface EvmSigningPlan {
  nonce: number;
  gasLimit: bigint;
  maxFeePerGas: bigint;
  maxPriorityFeePerGas: bigint;
  /** Of an advance alone. */
  amountWei?: bigint;
}

/** Wei or gas units as decimal digits, since JSON has no integers of this size. */
const digits = z
  .string()
  .regex(/^(0|[1-9]\d{0,77})$/)
  .transform((text) => BigInt(text));

const pricing = {
  nonce: z.number().int().min(0),
  gasLimit: digits,
  maxFeePerGas: digits,
  maxPriorityFeePerGas: digits,
};

/** An advance of the gas tank to the company's own address, for the network fee of a transfer. */
export const advanceKind = 'gas';

/** What the signer takes as the gas of a plain transfer of the chain's own coin: advances, and empty transactions. */
export const plainGas = 21_000n;

export const evmSigningPlans: ReadonlyMap<string, z.ZodType<EvmSigningPlan>> = new Map<
  string,
  z.ZodType<EvmSigningPlan>
>([
  ['transfer', z.strictObject(pricing)],
  // The recipient is the sender, the value is 0 and there is no data: nothing of it is the worker's to say.
  [emptyKind, z.strictObject(pricing)],
  [advanceKind, z.strictObject({ ...pricing, amountWei: digits })],
]);

/** The plan of an attempt as the worker has stored it. */
export function evmSigningPlanOf(
  send: Omit<EvmSigningPlan, 'amountWei'> & { kind: string; amountMinor: bigint },
): Record<string, unknown> {
  const { kind, nonce, gasLimit, maxFeePerGas, maxPriorityFeePerGas, amountMinor } = send;
  const plan = { nonce, gasLimit, maxFeePerGas, maxPriorityFeePerGas };
  return kind === advanceKind ? { ...plan, amountWei: amountMinor } : plan;
}
