import { createHash } from 'node:crypto';
import type { OutgoingKind } from '../outgoing/index.ts';
import { accelerationType } from '../rails/index.ts';

/**
 * The acceleration of a deposit, as a kind of outgoing payment (docs/adr/0091). It pays no one: no code confirms it, no list or rule judges it,
 * and it cannot be cancelled. The signer judges it by seals of its own.
 */
export const accelerationKind: OutgoingKind = {
  type: accelerationType,
  digest({ companyId, id, walletId, payeeAccount, chainId, coin }) {
    const parts = ['causeway.acceleration.1', companyId, id, walletId, payeeAccount, chainId, coin];
    return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
  },
  seal: 'causeway-acceleration',
  codeSubject: 'transfer',
  actions: {
    submit: 'transfers.accelerate',
    cancel: 'transfers.fail',
    stop: 'transfers.fail',
    fail: 'transfers.fail',
  },
  refusals: { notOwn: 'notFound', notCancellable: 'notFound' },
  riskSubject: async () => null,
};
