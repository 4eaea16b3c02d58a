import { formatAmount } from '@causeway/contract/money.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { announce } from '../../../platform/database/outbox.ts';
import { invariant } from '../../../platform/domain-error.ts';
import { accountsByKind } from '../../ledger/index.ts';
import { readLifecycle } from '../../transactions/index.ts';
import { refreezableMinor, unfreezableMinor } from '../domain.ts';
import { walletOfConfirmation } from '../store/confirmations.ts';
import { addMessage } from '../store/messages.ts';
import { findRelease, findSaidEnd, type Release } from '../store/releases.ts';
import { addLine, lockTrade, setState, type TradeRow } from '../store/trades.ts';
import { giveBack, moved, refreeze } from './money.ts';

/**
 * Follows a payment to the seller that has come to an end (docs/adr/0107-…). One that came to nothing is reported to the platform, and what it took out of
 * escrow is frozen again, as far as it is still available. One that was made after it had been reported so is reported as well. It looks at the transaction as
 * it is now, so it does not matter which announcement came, or how often. @throws DomainError insufficientBalance where what came back was spent meanwhile:
 * the next try finds less
 */
export async function followRelease(tx: Tx, transactionId: string): Promise<void> {
  const release = await findRelease(tx, transactionId);
  if (!release) return;
  const trade = await lockTrade(tx, release.tradeId);
  const transaction = await readLifecycle(tx, transactionId);
  invariant(trade && transaction, 'a payment to a seller is a transaction, of a trade');
  const said = await findSaidEnd(tx, transactionId);
  const { status, stage } = transaction;
  if (status === 'failed' && said !== 'release_failed') await noteFailed(tx, trade, release, stage);
  if (status === 'completed' && said === 'release_failed') await notePaid(tx, trade, release);
}

async function noteFailed(tx: Tx, trade: TradeRow, release: Release, stage: string): Promise<void> {
  const { transactionId, amountMinor } = release;
  await addLine(tx, trade.id, { step: 'release_failed', amountMinor, transactionId });
  const backMinor = await freezeAgain(tx, trade, release);
  await addMessage(tx, trade.id, 'trade.release_failed', {
    ...contentOf(trade, release),
    reason: stage,
    frozen: formatAmount(trade.frozenMinor + backMinor, trade.decimals),
  });
  await announce(tx, moved(trade.id));
}

/** @returns what is frozen again, in minor units */
async function freezeAgain(tx: Tx, trade: TradeRow, { transactionId, amountMinor }: Release): Promise<bigint> {
  if (trade.state !== 'frozen') return 0n;
  const walletId = await walletOf(tx, trade);
  const { available } = await accountsByKind(tx, walletId, ['available']);
  const backMinor = refreezableMinor(trade, { amountMinor, availableMinor: available.balanceMinor });
  if (backMinor === 0n) return 0n;
  await setState(tx, trade.id, { state: trade.state, frozenMinor: trade.frozenMinor + backMinor });
  await refreeze(tx, trade, walletId, { amountMinor: backMinor, transactionId });
  return backMinor;
}

/** It had come to nothing, and was frozen again or even paid again: what is frozen beyond what can still be paid comes back. */
async function notePaid(tx: Tx, trade: TradeRow, release: Release): Promise<void> {
  const { transactionId, amountMinor } = release;
  await addLine(tx, trade.id, { step: 'release_paid', amountMinor, transactionId });
  const overMinor = unfreezableMinor(trade);
  if (overMinor > 0n) {
    await setState(tx, trade.id, { state: trade.state, frozenMinor: trade.frozenMinor - overMinor });
    await giveBack(tx, trade, await walletOf(tx, trade), { step: 'returned', amountMinor: overMinor, transactionId });
  }
  await addMessage(tx, trade.id, 'trade.release_paid', {
    ...contentOf(trade, release),
    frozen: formatAmount(trade.frozenMinor - overMinor, trade.decimals),
  });
  await announce(tx, moved(trade.id));
}

function walletOf(tx: Tx, { confirmationId }: TradeRow): Promise<string> {
  invariant(confirmationId, 'what was paid was confirmed');
  return walletOfConfirmation(tx, confirmationId);
}

function contentOf(trade: TradeRow, { transactionId, milestoneId, amountMinor }: Release) {
  const { number: tradeNumber, version, decimals } = trade;
  return { tradeNumber, version, transactionId, milestoneId, amount: formatAmount(amountMinor, decimals) };
}
