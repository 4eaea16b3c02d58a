import { createHash } from 'node:crypto';
import type { OutgoingKind, PaymentContent } from '../../outgoing/index.ts';
import { sweepType } from './domain.ts';

/** SHA-256, hex, of a sweep's content. The signer does not need it: it derives both addresses (signing/judge.ts). */
export function sweepDigest(
  content: Pick<PaymentContent, 'companyId' | 'id' | 'walletId' | 'payeeAccount' | 'chainId' | 'coin' | 'amountMinor'>,
): string {
  const { companyId, id, walletId, payeeAccount, chainId, coin, amountMinor } = content;
  const parts = ['causeway.sweep.1', companyId, id, walletId, payeeAccount, chainId, coin, amountMinor.toString()];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

/**
 * A sweep as a kind of outgoing payment. It is no transaction of the company's, whose money it leaves where it is: nothing is held for it, no
 * code confirms it, and no call submits or cancels it.
 */
export const sweepKind: OutgoingKind = {
  type: sweepType,
  digest: sweepDigest,
  // It has no seal, and the signer asks for none.
  seal: 'causeway-exchange',
  codeSubject: 'transfer',
  actions: { submit: 'sweep.make', cancel: 'sweep.fail', stop: 'sweep.fail', fail: 'sweep.fail' },
  refusals: { notOwn: 'notFound', notCancellable: 'notFound' },
  riskSubject: async () => null,
};
