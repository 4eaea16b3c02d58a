import type { Tx } from '../../../platform/database/database.ts';
import { newId } from '../../../platform/ids.ts';
import { accountsByKind, post } from '../../ledger/index.ts';

/** From the tank's advance; what a chain took beyond every reservation is the company's shortfall. */
export async function postNetworkFee(
  tx: Tx,
  source: { kind: string; sourceId: string },
  nativeWalletId: string,
  networkFeeMinor: bigint,
): Promise<void> {
  const { chain, gas, deficit } = await accountsByKind(tx, nativeWalletId, ['chain', 'gas', 'deficit']);
  const covered = networkFeeMinor > gas.balanceMinor ? gas.balanceMinor : networkFeeMinor;
  await post(tx, {
    id: newId(),
    ...source,
    description: 'network fee',
    legs: [
      { accountId: gas.id, amountMinor: -covered },
      { accountId: deficit.id, amountMinor: covered - networkFeeMinor },
      { accountId: chain.id, amountMinor: networkFeeMinor },
    ],
  });
}
