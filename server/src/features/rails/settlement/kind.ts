import { createHash } from 'node:crypto';
import type { OutgoingKind, PaymentContent } from '../../outgoing/index.ts';
import { type SettlementType, settlementTypes } from './domain.ts';

/** SHA-256, hex, of a settlement's content. The signer does not need it: it judges by the legs (signing/settlement.ts). */
export function settlementDigest(
  content: Pick<PaymentContent, 'companyId' | 'id' | 'walletId' | 'payeeAccount' | 'chainId' | 'coin' | 'amountMinor'>,
): string {
  const { companyId, id, walletId, payeeAccount, chainId, coin, amountMinor } = content;
  const parts = ['causeway.settlement.1', companyId, id, walletId, payeeAccount, chainId, coin, amountMinor.toString()];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

/**
 * A settlement as a kind of outgoing payment. It is no transaction of the company's: nothing is held for it, no code confirms it, and no call
 * submits or cancels it.
 */
function kindOfType(type: SettlementType): OutgoingKind {
  return {
    type,
    digest: settlementDigest,
    // Of its exchanges; a settlement has no seal of its own.
    seal: 'causeway-exchange',
    codeSubject: 'transfer',
    actions: {
      submit: 'settlement.make',
      cancel: 'settlement.fail',
      stop: 'settlement.fail',
      fail: 'settlement.fail',
    },
    refusals: { notOwn: 'notFound', notCancellable: 'notFound' },
    riskSubject: async () => null,
  };
}

export const settlementKinds: readonly OutgoingKind[] = [
  kindOfType(settlementTypes.in),
  kindOfType(settlementTypes.out),
];
