import type { Stage } from '@causeway/contract/transactions.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { announce } from '../../../platform/database/outbox.ts';
import { invariant } from '../../../platform/domain-error.ts';
import { newId } from '../../../platform/ids.ts';
import { type AccountKind, accountsByKind, findPosting, type Leg, legsOf, post, reversed } from '../../ledger/index.ts';
import { changeStage, type LifecycleRow, reached } from '../../transactions/index.ts';
import { takeFromWallet } from '../../wallets/index.ts';
import { stagesUnderWay } from '../domain.ts';
import { postings } from '../postings.ts';
import { release } from './release.ts';

/** How a rail knows that a payment has ended. */
export interface RailEvidence {
  /** The account of the wallet that represents what the rail holds: where the amount goes when it has left. */
  contra: AccountKind;
  /** How often the payment was final before; a payment that is final again has postings of its own. */
  finals: number;
  hash: string | null;
}

/** The payment has left for good: what was held goes to the rail's side of the books, the fee to the fee account. */
export async function settle(tx: Tx, payment: LifecycleRow, { contra, finals, hash }: RailEvidence): Promise<void> {
  const { id, walletId, quantityMinor, feeMinor, type } = payment;
  const accounts = await accountsByKind(tx, walletId, ['outbound', 'fee', contra]);
  const arrived: Leg[] = [
    { accountId: accounts[contra].id, amountMinor: quantityMinor },
    { accountId: accounts.fee.id, amountMinor: feeMinor },
  ];
  const posting = { kind: finalKind(postings.settle, finals), sourceId: id, description: 'payment settled' };
  if (payment.status === 'failed') {
    // Its hold was given back, and it was paid after all: by a deep reorganisation, or before the database was restored.
    await takeFromWallet(tx, walletId, quantityMinor + feeMinor, posting, arrived);
  } else {
    const held = { accountId: accounts.outbound.id, amountMinor: -quantityMinor - feeMinor };
    await post(tx, { ...posting, id: newId(), legs: [held, ...arrived] });
  }
  const isMoved = await changeStage(tx, id, [...stagesUnderWay(type), 'failed', 'refused', 'cancelled'], {
    stage: 'completed',
    ...(hash === null ? {} : { hash }),
  });
  invariant(isMoved, `payment ${id} is settled once, and after it was handed over`);
  await announce(tx, [reached(id, 'completed')]);
}

/** The payment came to nothing at its rail: its hold is given back, unless it has been already. */
export async function fail(
  tx: Tx,
  payment: LifecycleRow,
  { reason, hash }: { reason: string; hash: string | null },
): Promise<void> {
  const refundId = await release(tx, payment, stagesUnderWay(payment.type), {
    stage: 'failed',
    reason,
    ...(hash === null ? {} : { hash }),
  });
  invariant(refundId !== null || payment.status === 'failed', `payment ${payment.id} fails after it was handed over`);
}

/** Takes a completed payment back to a stage before its end: what made it final is gone. `finals` as `settle` was given it. */
export async function reopen(
  tx: Tx,
  id: string,
  { finals, stage, reason }: { finals: number; stage: Stage; reason: string },
): Promise<void> {
  await takeBack(tx, id, finalKind(postings.settle, finals));
  await changeStage(tx, id, ['completed'], { stage, reason });
}

/** Reverses a posting of a source, if there is one. */
export async function takeBack(tx: Tx, sourceId: string, kind: string): Promise<void> {
  const postingId = await findPosting(tx, sourceId, kind);
  if (postingId === null) return;
  await post(tx, {
    id: newId(),
    kind: `${kind}.undone`,
    sourceId,
    description: 'taken back after a reorganisation',
    correctsId: postingId,
    legs: reversed(await legsOf(tx, postingId)),
  });
}

/** A payment that is final for the second time has postings of its own. */
export function finalKind(kind: string, finals: number): string {
  return finals === 0 ? kind : `${kind}.${finals + 1}`;
}
