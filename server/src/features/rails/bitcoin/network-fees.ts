import type { Tx } from '../../../platform/database/database.ts';
import { newId } from '../../../platform/ids.ts';
import { accountsByKind, post } from '../../ledger/index.ts';
import type { ChainPayment } from '../service/payment.ts';

/**
 * Posts what the miner got: out of the fees that the company paid, which a payment's own is among. What they do not cover the wallet is short
 * of (`deficit`): a replacement that operators wanted may cost more than was promised.
 */
export async function postNetworkFee(
  tx: Tx,
  { nativeWalletId }: Pick<ChainPayment, 'nativeWalletId'>,
  source: { kind: string; sourceId: string },
  feeMinor: bigint,
): Promise<void> {
  const { chain, fee, deficit } = await accountsByKind(tx, nativeWalletId, ['chain', 'fee', 'deficit']);
  const covered = feeMinor > fee.balanceMinor ? fee.balanceMinor : feeMinor;
  await post(tx, {
    id: newId(),
    ...source,
    description: 'network fee',
    legs: [
      { accountId: fee.id, amountMinor: -covered },
      { accountId: deficit.id, amountMinor: covered - feeMinor },
      { accountId: chain.id, amountMinor: feeMinor },
    ].filter(({ amountMinor }) => amountMinor !== 0n),
  });
}
