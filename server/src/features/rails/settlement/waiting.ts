import type { Tx } from '../../../platform/database/database.ts';
import { announce, live } from '../../../platform/database/outbox.ts';
import { outgoingEvents } from '../../outgoing/index.ts';
import { changeStage, type LifecycleRow } from '../../transactions/index.ts';
import { sweepType } from '../sweeps/domain.ts';
import { sweepWallet } from '../sweeps/making.ts';
import { isSettlementType, settlementTypes } from './domain.ts';
import { settleWallet } from './making.ts';
import { coverageOf, deleteWait, insertWait, takeWaiting } from './store.ts';

/**
 * Just in time: a payment whose coins are not at the company's account yet, because they are at its further addresses or the platform owes them, has them
 * swept or settled first, and waits.
 * Until it is signed it can be cancelled like any other.
 */

const reasons = { exchanged: 'stage.reason.exchangedCoins', swept: 'stage.reason.sweptCoins' } as const;

/**
 * Sweeps and settles what a locked payment lacks, if that can bring it, and lets the payment wait before its signature.
 * @returns whether it waits; false where its coins are there, or where neither could bring them
 */
export async function waitForCoins(tx: Tx, transfer: LifecycleRow): Promise<boolean> {
  const { id, walletId, quantityMinor, type, stage } = transfer;
  if (type === settlementTypes.in || type === sweepType) return false;
  const { freeMinor, apartMinor, isWaiting } = await coverageOf(tx, transfer);
  const isCovered = freeMinor >= quantityMinor;
  // Before settlements: what is the company's already comes sooner, and a settlement may bring what is lacking beside it.
  if (!isCovered && apartMinor > 0n) await sweepWallet(tx, walletId, true);
  const settling = isCovered ? 'nothing' : await settleWallet(tx, walletId, 'payment', 'in');
  // Read again once settlements of the wallet are locked: another worker may have made or ended one since.
  const now = isCovered || settling === 'made' ? null : await coverageOf(tx, transfer);
  const isLacking = now !== null && now.freeMinor < quantityMinor;
  const isApart = isLacking && now.apartMinor > 0n;
  const waits = settling === 'made' || isApart || (isLacking && (settling === 'forbidden' || now.isSettling));
  if (!waits) {
    if (isWaiting) await deleteWait(tx, id);
    return false;
  }
  const cause = isApart ? 'swept' : 'exchanged';
  const isNew = await insertWait(tx, id, walletId, cause);
  if ((isNew || stage === 'signing') && !isSettlementType(type)) {
    await changeStage(tx, id, ['approved', 'signing'], { stage: 'approved', reason: reasons[cause] });
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
