import { createHash } from 'node:crypto';
import { invariant } from '../../platform/domain-error.ts';
import type { OutgoingKind, PaymentContent } from '../outgoing/index.ts';

/** What the seal over a payment of collected fees is bound to: SHA-256, hex, of its content in one fixed form. */
export function feeDigest(content: PaymentContent): string {
  const { companyId, id, walletId, payeeId, payeeAccount, chainId, coin, amountMinor } = content;
  invariant(chainId !== null, 'fees are collected over a chain');
  const parts = [
    'causeway.fees.1',
    companyId,
    id,
    walletId,
    payeeId,
    payeeAccount,
    chainId,
    coin,
    amountMinor.toString(),
  ];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

/**
 * Fees that the operator collects from a company's address, as a kind of outgoing payment: two operators agreed on it, and the operator's
 * process sealed it. It is no transaction of the company's, which holds nothing for it and cannot cancel it, and its risk rules do not judge it.
 */
export const feeKind: OutgoingKind = {
  type: 'fee_withdraw',
  digest: feeDigest,
  seal: 'causeway-fees',
  // No code and no member: no call submits or cancels one.
  codeSubject: 'transfer',
  actions: { submit: 'fees.collect', cancel: 'fees.fail', stop: 'fees.fail', fail: 'fees.fail' },
  refusals: { notOwn: 'notFound', notCancellable: 'notFound' },
  riskSubject: async () => null,
};
