import { sayAmount } from '@causeway/contract/money.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { findWallets } from '../store.ts';
import type { NoticeRow } from './store.ts';

/** What the audit log says of an announced payment, whatever became of it. */
export async function recorded(
  tx: Tx,
  { id, walletId, amountMinor, paidAt }: Pick<NoticeRow, 'id' | 'walletId' | 'amountMinor' | 'paidAt'>,
): Promise<{ noticeId: string; amount: string; paidAt: string }> {
  const [wallet] = await findWallets(tx, walletId);
  const amount = wallet ? `${sayAmount(amountMinor, wallet.decimals)} ${wallet.asset}` : String(amountMinor);
  return { noticeId: id, amount, paidAt: paidAt.toISOString() };
}
