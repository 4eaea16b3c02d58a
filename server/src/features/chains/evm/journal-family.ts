import { type Intent, type JournalFamily, legResources } from '../signer/family.ts';

/** What the signer signs on an EVM chain. Fees in wei per gas. */
export interface EvmIntent extends Intent {
  kind: 'transfer' | 'empty' | 'gas';
  fromAddress: string;
  /** BIP32 index of the sender; null for the gas tank and the treasury. */
  derivationIndex: number | null;
  /** Which of the company's further addresses pays; absent where it is its account. */
  ordinal?: number | undefined;
  nonce: number;
  gasLimit: bigint;
  maxFeePerGas: bigint;
  maxPriorityFeePerGas: bigint;
}

/** EVM entries of the journal: a nonce of a sender serves one payment, and only the fees of its attempts differ. */
export const evmJournal: JournalFamily<EvmIntent> = {
  name: 'evm',
  // The form in which the journal began; only settlements have legs and only sweeps an ordinal, which others leave out.
  flatFields: [
    'fromAddress',
    'derivationIndex',
    'nonce',
    'toAddress',
    'coin',
    'amountMinor',
    'gasLimit',
    'maxFeePerGas',
    'maxPriorityFeePerGas',
    'legs',
    'ordinal',
  ],
  planOf: ({ fromAddress, derivationIndex, ordinal, nonce, gasLimit, maxFeePerGas, maxPriorityFeePerGas, legs }) => ({
    fromAddress,
    derivationIndex,
    nonce,
    gasLimit: gasLimit.toString(),
    maxFeePerGas: maxFeePerGas.toString(),
    maxPriorityFeePerGas: maxPriorityFeePerGas.toString(),
    ...(legs === undefined ? {} : { legs }),
    ...(ordinal === undefined ? {} : { ordinal }),
  }),
  withPlan: (payment, plan) => ({
    ...payment,
    kind: payment.kind as EvmIntent['kind'],
    fromAddress: plan['fromAddress'] as string,
    derivationIndex: (plan['derivationIndex'] ?? null) as number | null,
    nonce: plan['nonce'] as number,
    gasLimit: BigInt(plan['gasLimit'] as string),
    maxFeePerGas: BigInt(plan['maxFeePerGas'] as string),
    maxPriorityFeePerGas: BigInt(plan['maxPriorityFeePerGas'] as string),
    ...(Array.isArray(plan['legs']) ? { legs: plan['legs'] as string[] } : {}),
    ...(typeof plan['ordinal'] === 'number' ? { ordinal: plan['ordinal'] } : {}),
  }),
  // A leg is used up like a nonce, but of every chain.
  resourcesOf: (intent) => [nonceOf(intent.fromAddress, intent.nonce), ...legResources(intent)],
  // The gas tank's advances have no index either.
  isFromTreasury: ({ kind, derivationIndex }) => kind === 'transfer' && derivationIndex === null,
  isSamePayment: (a, b) => a.fromAddress === b.fromAddress && a.nonce === b.nonce && isSameList(a.legs, b.legs),
  isSameAttempt: (a, b) => a.kind === b.kind && isSamePricing(a, b),
};

/** The nonce of an address as a resource of the journal. */
export function nonceOf(fromAddress: string, nonce: number): string {
  return `${fromAddress}/${nonce}`;
}

type Pricing = Pick<EvmIntent, 'gasLimit' | 'maxFeePerGas' | 'maxPriorityFeePerGas'>;

/** Whether two attempts of one payment that pay the same have the same fees, and so the same bytes. */
export function isSamePricing(a: Pricing, b: Pricing): boolean {
  return (
    a.gasLimit === b.gasLimit && a.maxFeePerGas === b.maxFeePerGas && a.maxPriorityFeePerGas === b.maxPriorityFeePerGas
  );
}

function isSameList(a: readonly string[] = [], b: readonly string[] = []): boolean {
  return a.length === b.length && a.every((leg, index) => leg === b[index]);
}
