import type { Intent, JournalFamily } from '../signer/family.ts';

/** What the signer signs on an EVM chain. Fees in wei per gas. */
export interface EvmIntent extends Intent {
  kind: 'transfer' | 'gas';
  fromAddress: string;
  /** BIP32 index of the sender; null for the gas tank. */
  derivationIndex: number | null;
  nonce: number;
  gasLimit: bigint;
  maxFeePerGas: bigint;
  maxPriorityFeePerGas: bigint;
}

/** EVM entries of the journal: a nonce of a sender serves one payment, and only the fees of its attempts differ. */
export const evmJournal: JournalFamily<EvmIntent> = {
  name: 'evm',
  // The form in which the journal began.
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
  ],
  planOf: ({ fromAddress, derivationIndex, nonce, gasLimit, maxFeePerGas, maxPriorityFeePerGas }) => ({
    fromAddress,
    derivationIndex,
    nonce,
    gasLimit: gasLimit.toString(),
    maxFeePerGas: maxFeePerGas.toString(),
    maxPriorityFeePerGas: maxPriorityFeePerGas.toString(),
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
  }),
  resourcesOf: ({ fromAddress, nonce }) => [`${fromAddress}/${nonce}`],
  isSamePayment: (a, b) => a.fromAddress === b.fromAddress && a.nonce === b.nonce,
  isSameAttempt,
};

type Pricing = Pick<EvmIntent, 'gasLimit' | 'maxFeePerGas' | 'maxPriorityFeePerGas'>;

/** Whether two entries of one payment are the same attempt, and so give the same bytes. */
export function isSameAttempt(a: Pricing, b: Pricing): boolean {
  return (
    a.gasLimit === b.gasLimit && a.maxFeePerGas === b.maxFeePerGas && a.maxPriorityFeePerGas === b.maxPriorityFeePerGas
  );
}
