import type { Tx } from '../../../platform/database/database.ts';
import { announce, live } from '../../../platform/database/outbox.ts';
import { outgoingEvents } from '../../outgoing/index.ts';
import { changeStage, type LifecycleRow } from '../../transactions/index.ts';
import { isSettlementType, settlementTypes } from './domain.ts';
import { settleWallet } from './making.ts';
import { coverageOf, deleteWait, insertWait, takeWaiting } from './store.ts';

/**
 * Just in time: a payment whose coins are not at the company's address yet, because the platform owes them, has them settled first, and waits.
 * Until it is signed it can be cancelled like any other.
 */

const reason = 'stage.reason.exchangedCoins';

/**
 * Settles what a locked payment lacks, if exchanges are why it lacks it, and lets the payment wait before its signature.
 * @returns whether it waits; false where its coins are there, or where no settlement could bring them
 */
export async function waitForCoins(tx: Tx, transfer: LifecycleRow): Promise<boolean> {
  const { id, walletId, quantityMinor, type, stage } = transfer;
  if (type === settlementTypes.in) return false;
  const { freeMinor, isWaiting } = await coverageOf(tx, transfer);
  const isCovered = freeMinor >= quantityMinor;
  const settling = isCovered ? 'nothing' : await settleWallet(tx, walletId, 'payment', 'in');
  // Read again once settlements of the wallet are locked: another worker may have made or ended one since.
  const now = isCovered || settling === 'made' ? null : await coverageOf(tx, transfer);
  const isLacking = now !== null && now.freeMinor < quantityMinor;
  const waits = settling === 'made' || (isLacking && (settling === 'forbidden' || now.isSettling));
  if (!waits) {
    if (isWaiting) await deleteWait(tx, id);
    return false;
  }
  const isNew = await insertWait(tx, id, walletId);
  if ((isNew || stage === 'signing') && !isSettlementType(type)) {
    await changeStage(tx, id, ['approved', 'signing'], { stage: 'approved', reason });
    await announce(tx, [live('transaction', id)]);
  }
  return true;
}

/** Coins of a wallet have arrived or left: what waited for that is taken up again. */
export async function resumeWaiting(tx: Tx, walletId: string): Promise<void> {
  const ids = await takeWaiting(tx, walletId);
  await announce(
    tx,
    ids.map((transactionId) => ({ name: outgoingEvents.resumed, payload: { transactionId } })),
  );
}
