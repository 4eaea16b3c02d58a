import type { TradeStep } from '@causeway/contract/trades-rules.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { live } from '../../../platform/database/outbox.ts';
import { newId } from '../../../platform/ids.ts';
import { accountsByKind, move, openAccounts, post } from '../../ledger/index.ts';
import { repayDeficit } from '../../wallets/index.ts';
import { addLine, type NewLine, type TradeRow } from '../store/trades.ts';

/** Kinds of postings of trades; the source of each is a line of the trade's timeline. */
export const tradePostings = {
  /** Available to escrow. */
  freeze: 'trade.freeze',
  /** Escrow to available: it came to nothing, or was refunded. */
  giveBack: 'trade.return',
  /** Escrow to available, from which a payment to the seller takes it in the same transaction. */
  release: 'trade.release',
} as const;

/** Freezes an amount of the wallet under a new line. @throws DomainError insufficientBalance */
export async function freeze(
  tx: Tx,
  trade: Pick<TradeRow, 'id' | 'asset'>,
  walletId: string,
  line: NewLine & { amountMinor: bigint },
) {
  await openAccounts(tx, walletId, trade.asset, ['escrow']);
  const { available, escrow } = await accountsByKind(tx, walletId, ['available', 'escrow']);
  const sourceId = await addLine(tx, trade.id, line);
  await post(tx, {
    id: newId(),
    kind: tradePostings.freeze,
    sourceId,
    description: 'frozen for a trade',
    legs: move(available.id, escrow.id, line.amountMinor),
  });
}

/**
 * Freezes again, under a new line, what came back from a payment to the seller: `amountMinor` in all, of which `takenMinor` is available and the rest
 * in escrow. @throws DomainError insufficientBalance
 */
export async function refreeze(
  tx: Tx,
  trade: Pick<TradeRow, 'id'>,
  walletId: string,
  { takenMinor, ...line }: { amountMinor: bigint; takenMinor: bigint; transactionId: string },
): Promise<void> {
  const sourceId = await addLine(tx, trade.id, { ...line, step: 'refrozen' });
  if (takenMinor === 0n) return;
  const { available, escrow } = await accountsByKind(tx, walletId, ['available', 'escrow']);
  await post(tx, {
    id: newId(),
    kind: tradePostings.freeze,
    sourceId,
    description: 'frozen for a trade again',
    legs: move(available.id, escrow.id, takenMinor),
  });
}

/** Gives frozen money back to what is available, under a new line; a shortfall of the wallet is repaid from it. */
export async function giveBack(
  tx: Tx,
  trade: Pick<TradeRow, 'id'>,
  walletId: string,
  line: Omit<NewLine, 'step'> & { amountMinor: bigint; step: TradeStep },
): Promise<void> {
  const { available, escrow } = await accountsByKind(tx, walletId, ['available', 'escrow']);
  const sourceId = await addLine(tx, trade.id, line);
  await post(tx, {
    id: newId(),
    kind: tradePostings.giveBack,
    sourceId,
    description: 'frozen for a trade, given back',
    legs: move(escrow.id, available.id, line.amountMinor),
  });
  await repayDeficit(tx, walletId, sourceId);
}

/** What pages show of a trade whose money moved. */
export const moved = (id: string) => [live('trade', id), live('balance', null)];
