import { invariant } from '../../platform/domain-error.ts';
import type { ChainFamilies } from '../chains/index.ts';
import type { OutgoingKind } from '../outgoing/index.ts';
import { type AssessedSubject, accountKey } from '../risk/index.ts';
import { transferDigest } from './domain.ts';
import { type ReviewedTransfer, readReviewed } from './store/reviewing.ts';

/** What risk looks at of a transfer. Quantity in minor units, value in US cents. */
export function riskSubjectOf(
  families: ChainFamilies,
  transfer: Pick<
    ReviewedTransfer,
    'id' | 'chainId' | 'coin' | 'decimals' | 'quantityMinor' | 'payeeAccount' | 'initiatorId'
  > & { valueUsdCents: bigint },
): AssessedSubject {
  const { id, chainId, coin, quantityMinor, decimals, valueUsdCents, payeeAccount, initiatorId } = transfer;
  return {
    id,
    business: 'crypto_withdrawal',
    chainId,
    coin,
    quantityMinor,
    decimals,
    valueUsdCents,
    currency: null,
    region: null,
    accountKind: 'crypto_address',
    account: payeeAccount,
    accountKey: accountKey(families, 'crypto_address', payeeAccount),
    initiatorId,
  };
}

/** A transfer out, as a kind of outgoing payment. */
export function createTransferKind(families: ChainFamilies): OutgoingKind {
  return {
    type: 'chain_withdraw',
    seal: 'causeway-transfer',
    codeSubject: 'transfer',
    digest({ id, payeeAccount, chainId, ...content }) {
      invariant(chainId !== null, 'a transfer goes over a chain');
      return transferDigest({ ...content, transferId: id, payeeAddress: payeeAccount, chainId });
    },
    actions: {
      submit: 'transfers.submit',
      cancel: 'transfers.cancel',
      stop: 'transfers.stop',
      fail: 'transfers.fail',
    },
    refusals: { notOwn: 'transferNotOwn', notCancellable: 'transferNotCancellable' },
    async riskSubject(tx, id) {
      const transfer = await readReviewed(tx, id);
      invariant(transfer, `transfer ${id} can be judged`);
      if (transfer.valueUsdCents === null) return null;
      return riskSubjectOf(families, { ...transfer, valueUsdCents: transfer.valueUsdCents });
    },
  };
}
