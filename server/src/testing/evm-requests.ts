import type { PaymentRequest } from '../features/chains/index.ts';

/** Requests to the signer for payments on EVM chains, as the worker makes them. */

export interface Pricing {
  gasLimit: bigint;
  maxFeePerGas: bigint;
  maxPriorityFeePerGas: bigint;
}

const usual: Pricing = { gasLimit: 80_000n, maxFeePerGas: 3_000_000_000n, maxPriorityFeePerGas: 1_000_000_000n };

export interface EvmRequest extends PaymentRequest {
  plan: Pricing & { nonce: number } & Record<string, unknown>;
}

export function transferRequest(
  companyId: string,
  transferId: string,
  nonce: number,
  pricing: Partial<Pricing> = {},
): EvmRequest {
  const plan = { nonce, ...usual, ...pricing };
  return { kind: 'transfer', companyId, transferId, paymentId: transferId, plan };
}

export function withNonce(request: EvmRequest, nonce: number): EvmRequest {
  return { ...request, plan: { ...request.plan, nonce } };
}
