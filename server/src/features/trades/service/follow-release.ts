import { formatAmount } from '@causeway/contract/money.ts';
import { audit } from '../../../platform/audit/record.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { announce } from '../../../platform/database/outbox.ts';
import { invariant } from '../../../platform/domain-error.ts';
import { withdrawTask } from '../../approvals/index.ts';
import { accountsByKind } from '../../ledger/index.ts';
import { givenBackTo, release, subjectKindOf } from '../../outgoing/index.ts';
import { lockTransaction, readLifecycle } from '../../transactions/index.ts';
import { refrozen, unfreezableMinor } from '../domain.ts';
import { walletOfConfirmation } from '../store/confirmations.ts';
import { addMessage } from '../store/messages.ts';
import { findRelease, findSaidEnd, type Release } from '../store/releases.ts';
import { addLine, lockTrade, readReleases, setState, type TradeRow } from '../store/trades.ts';
import { giveBack, moved, refreeze } from './money.ts';

/**
 * Follows a payment to the seller that has come to an end (docs/adr/0107-…). One that came to nothing is reported to the platform, and what it took out of
 * escrow, where it has gone back already (docs/adr/0113-…), is the trade's again. One that was made after all is reported as well. It looks at the
 * transaction as it is now, so it does not matter which announcement came, or how often. @throws DomainError insufficientBalance where what is available was
 * spent at that moment: the next try finds less
 */
export async function followRelease(tx: Tx, transactionId: string): Promise<void> {
  const paying = await findRelease(tx, transactionId);
  if (!paying) return;
  const trade = await lockTrade(tx, paying.tradeId);
  const transaction = await readLifecycle(tx, transactionId);
  invariant(trade && transaction, 'a payment to a seller is a transaction, of a trade');
  const said = await findSaidEnd(tx, transactionId);
  const { status, stage } = transaction;
  const walletId = await walletOf(tx, trade);
  const { escrow } = await accountsByKind(tx, walletId, ['escrow']);
  // What came back is the trade's from the first line that says so on.
  const inEscrowMinor = said === null ? await givenBackTo(tx, transactionId, escrow.id) : 0n;
  const isMade = status === 'completed';
  if (said !== 'release_failed' && (status === 'failed' || (isMade && inEscrowMinor > 0n))) {
    await noteFailed(tx, trade, paying, { walletId, inEscrowMinor, stage: isMade ? 'failed' : stage });
    if (isMade) await notePaid(tx, await lockedTrade(tx, trade.id), paying);
  } else if (isMade && said === 'release_failed') await notePaid(tx, trade, paying);
}

interface Failed {
  walletId: string;
  /** What of it went back to escrow and is no trade's yet. */
  inEscrowMinor: bigint;
  stage: string;
}

async function noteFailed(tx: Tx, trade: TradeRow, failed: Release, { stage, ...back }: Failed): Promise<void> {
  const { transactionId, amountMinor } = failed;
  await addLine(tx, trade.id, { step: 'release_failed', amountMinor, transactionId });
  const backMinor = await freezeAgain(tx, trade, failed, back);
  await addMessage(tx, trade.id, 'trade.release_failed', {
    ...contentOf(trade, failed),
    reason: stage,
    frozen: formatAmount(trade.frozenMinor + backMinor, trade.decimals),
  });
  await announce(tx, moved(trade.id));
}

/** @returns what is frozen again, in minor units */
async function freezeAgain(
  tx: Tx,
  trade: TradeRow,
  { transactionId, amountMinor }: Release,
  { walletId, inEscrowMinor }: Omit<Failed, 'stage'>,
): Promise<bigint> {
  const { available } = await accountsByKind(tx, walletId, ['available']);
  const standing = { amountMinor, inEscrowMinor, availableMinor: available.balanceMinor };
  const { keptMinor, returnedMinor, takenMinor } = refrozen(trade, standing);
  const backMinor = keptMinor + takenMinor;
  if (backMinor > 0n) {
    await setState(tx, trade.id, { state: trade.state, frozenMinor: trade.frozenMinor + backMinor });
    await refreeze(tx, trade, walletId, { amountMinor: backMinor, takenMinor, transactionId });
  }
  if (returnedMinor > 0n)
    await giveBack(tx, trade, walletId, { step: 'returned', amountMinor: returnedMinor, transactionId });
  return backMinor;
}

async function lockedTrade(tx: Tx, tradeId: string): Promise<TradeRow> {
  const trade = await lockTrade(tx, tradeId);
  invariant(trade, 'a payment to a seller is of a trade');
  return trade;
}

/** It had come to nothing, and was frozen again or even paid again: what is frozen beyond what can still be paid comes back. */
async function notePaid(tx: Tx, trade: TradeRow, late: Release): Promise<void> {
  const { transactionId, amountMinor } = late;
  await addLine(tx, trade.id, { step: 'release_paid', amountMinor, transactionId });
  const overMinor = unfreezableMinor(trade);
  if (overMinor > 0n) {
    await setState(tx, trade.id, { state: trade.state, frozenMinor: trade.frozenMinor - overMinor });
    await giveBack(tx, trade, await walletOf(tx, trade), { step: 'returned', amountMinor: overMinor, transactionId });
  }
  await addMessage(tx, trade.id, 'trade.release_paid', {
    ...contentOf(trade, late),
    frozen: formatAmount(trade.frozenMinor - overMinor, trade.decimals),
  });
  await announce(tx, moved(trade.id));
  await stopOthers(tx, trade, transactionId);
}

const paidBefore = 'stage.reason.tradePaidBefore';

/** Stops what no rail has begun of payments that the trade no longer needs, the latest first. */
async function stopOthers(tx: Tx, trade: TradeRow, paidId: string): Promise<void> {
  let overMinor = trade.releasedMinor + trade.refundedMinor - trade.quantityMinor;
  const others = (await readReleases(tx, trade.id)).filter(({ transactionId }) => transactionId !== paidId);
  for (const { transactionId: id, amountMinor } of others.toReversed()) {
    if (overMinor <= 0n) return;
    // The task before the transaction, everywhere.
    if (!(await withdrawTask(tx, subjectKindOf('chain_withdraw'), id, { end: 'stopped', reason: paidBefore })))
      continue;
    const payment = await lockTransaction(tx, id);
    invariant(payment, 'a payment to a seller is a transaction');
    const end = { stage: 'refused', reason: paidBefore } as const;
    if ((await release(tx, payment, ['waiting_approval', 'approved'], end)) === null) continue;
    overMinor -= amountMinor;
    await audit(tx, {
      actor: { kind: 'system', id: 'trades' },
      action: 'transfers.stop',
      subjectKind: 'transaction',
      subjectId: id,
      detail: { reason: paidBefore },
    });
  }
}

function walletOf(tx: Tx, { confirmationId }: TradeRow): Promise<string> {
  invariant(confirmationId, 'what was paid was confirmed');
  return walletOfConfirmation(tx, confirmationId);
}

function contentOf(trade: TradeRow, { transactionId, milestoneId, amountMinor }: Release) {
  const { number: tradeNumber, version, decimals } = trade;
  return { tradeNumber, version, transactionId, milestoneId, amount: formatAmount(amountMinor, decimals) };
}
