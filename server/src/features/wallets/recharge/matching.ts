import { audit } from '../../../platform/audit/record.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { announce, live } from '../../../platform/database/outbox.ts';
import { recorded } from './recorded.ts';
import { type NoticeRow, readNotice, readWaiting, settleNotice } from './store.ts';

/** An announced payment that has not been matched, as matching of what the bank has booked reads it. */
export type OpenRechargeNotice = Pick<
  NoticeRow,
  'id' | 'walletId' | 'amountMinor' | 'paidAt' | 'remark' | 'expectedFrom' | 'expectedBy' | 'createdAt'
>;

/** The announced payments of a wallet that wait for their deposit, the earliest payment first; amounts in minor units. */
export function findOpenRechargeNotices(tx: Tx, { walletId }: { walletId: string }): Promise<OpenRechargeNotice[]> {
  return readWaiting(tx, walletId);
}

/**
 * Ends an announced payment by the deposit that it announced; called by the worker in the transaction that books the deposit. Again for
 * the same deposit it changes nothing.
 * @returns false when it does not wait any more: withdrawn, or matched with another deposit. The deposit is credited all the same.
 */
export async function matchRechargeNotice(
  tx: Tx,
  { noticeId, transactionId }: { noticeId: string; transactionId: string },
): Promise<boolean> {
  const settled = await settleNotice(tx, noticeId, transactionId);
  const notice = await readNotice(tx, noticeId);
  if (!settled || notice === null) return notice?.transactionId === transactionId;
  await audit(tx, {
    actor: { kind: 'system', id: 'banks' },
    action: 'wallets.matchRecharge',
    subjectKind: 'wallet',
    subjectId: notice.walletId,
    detail: { ...(await recorded(tx, notice)), transactionId },
  });
  await announce(tx, [live('recharge', noticeId)]);
  return true;
}
