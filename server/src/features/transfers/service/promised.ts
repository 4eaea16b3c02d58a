import { formatAmount } from '@causeway/contract/money.ts';
import type { TransactionDetail } from '@causeway/contract/transactions.ts';
import type { Tx } from '../../../platform/database/database.ts';
import type { Session } from '../../../platform/session.ts';
import { accelerationType, findJoined } from '../../rails/index.ts';
import type { TransactionRow } from '../../transactions/index.ts';
import { findPromised } from '../store/network-fees.ts';
import { blocksOf } from './network-fees.ts';

/** Types whose network fee may be a choice. */
const choosesFee: ReadonlySet<string> = new Set(['chain_withdraw', accelerationType]);

/** The network fee that was chosen for a transfer, and whether the reader can raise it; null where it was no choice. */
export async function networkFeeOf(
  tx: Tx,
  row: TransactionRow,
  { userId, permissions }: Pick<Session, 'userId' | 'permissions'>,
): Promise<TransactionDetail['networkFee']> {
  if (!choosesFee.has(row.type) || row.chainId === null) return null;
  const promised = await findPromised(tx, row.id);
  if (promised === null) return null;
  const { level, networkFeeMinor } = promised;
  const joined = await findJoined(tx, row.id);
  // Of one that shares a transaction the promise is no measure of what that pays.
  const paid = joined ?? { feeMinor: networkFeeMinor, vsize: promised.vsize };
  return {
    level,
    amount: formatAmount(networkFeeMinor, row.decimals),
    joinedWith: joined?.others ?? 0,
    feeRate: formatAmount((paid.feeMinor * 1000n) / BigInt(paid.vsize), 3),
    expectedSeconds: Math.round((blocksOf[level] * (row.blockTimeMs ?? 0)) / 1000),
    canSpeedUp:
      row.stage === 'broadcast' &&
      row.blockNumber === null &&
      row.initiatorId === userId &&
      permissions.includes('transfer.create'),
  };
}
