import type { Refusal } from '../../chains/index.ts';

/** What the signer means to sign, as its journal keeps it. Amount in minor units, fees in wei per gas. */
export interface Intent {
  companyId: string;
  transferId: string;
  paymentId: string;
  kind: 'transfer' | 'gas';
  chainId: string;
  fromAddress: string;
  /** BIP32 index of the sender; null for the gas tank. */
  derivationIndex: number | null;
  nonce: number;
  toAddress: string;
  coin: string;
  amountMinor: bigint;
  gasLimit: bigint;
  maxFeePerGas: bigint;
  maxPriorityFeePerGas: bigint;
}

/** What must be the same in every entry of one payment, for ever; only the fees may differ. */
const fixed = [
  'companyId',
  'transferId',
  'kind',
  'chainId',
  'fromAddress',
  'nonce',
  'toAddress',
  'coin',
  'amountMinor',
] as const satisfies readonly (keyof Intent)[];

/**
 * Whether the journal forbids to sign: one payment has one nonce and one content for ever, and a nonce serves one payment.
 * @param related every entry of this payment, and of this sender and nonce
 */
export function refusalOf(intent: Intent, related: readonly Intent[]): Refusal | null {
  for (const known of related) {
    if (known.paymentId !== intent.paymentId) return 'nonce-taken';
    if (fixed.some((field) => known[field] !== intent[field])) return 'other-payment';
  }
  return null;
}

type Fees = Pick<Intent, 'gasLimit' | 'maxFeePerGas' | 'maxPriorityFeePerGas'>;

/** Whether two entries of one payment are the same attempt, and so give the same bytes. */
export function isSameAttempt(a: Fees, b: Fees): boolean {
  return (
    a.gasLimit === b.gasLimit && a.maxFeePerGas === b.maxFeePerGas && a.maxPriorityFeePerGas === b.maxPriorityFeePerGas
  );
}
