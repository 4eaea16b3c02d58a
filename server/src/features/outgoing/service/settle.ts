import type { Stage } from '@causeway/contract/transactions.ts';
import { transactionLives } from '@causeway/contract/transactions-lives.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { announce } from '../../../platform/database/outbox.ts';
import { invariant } from '../../../platform/domain-error.ts';
import { newId } from '../../../platform/ids.ts';
import {
  type Account,
  type AccountKind,
  accountsByKind,
  findPosting,
  type Leg,
  legsOf,
  move,
  post,
  reversed,
} from '../../ledger/index.ts';
import { changeStage, type LifecycleRow, reached } from '../../transactions/index.ts';
import { takeFromWallet } from '../../wallets/index.ts';
import { stagesUnderWay } from '../domain.ts';
import { postings } from '../postings.ts';
import { leavingOf } from './leaving.ts';
import { release } from './release.ts';

/** How a rail knows that a payment has ended. */
export interface RailEvidence {
  /** The account of the wallet that represents what the rail holds: where the amount goes when it has left. */
  contra: AccountKind;
  /** How often the payment was final before; a payment that is final again has postings of its own. */
  finals: number;
  hash: string | null;
}

/**
 * The payment has left for good: what was held goes to the rail's side of the books, the fee to the fee account. One of collected fees has
 * no hold: the fee account pays. A settlement has none either: it changes what company and platform owe each other. Of a sweep nothing is posted:
 * its wallet has the coins before and after.
 */
export async function settle(tx: Tx, payment: LifecycleRow, { contra, finals, hash }: RailEvidence): Promise<void> {
  const { id, walletId, quantityMinor, feeMinor, type } = await leavingOf(tx, payment);
  const { pays, direction } = transactionLives[type];
  const posting = { kind: finalKind(postings.settle, finals), sourceId: id, description: 'payment settled' };
  if (pays === 'fx') {
    const accounts = await accountsByKind(tx, walletId, ['fx', contra]);
    const [from, to] = direction === 'in' ? [accounts[contra], accounts.fx] : [accounts.fx, accounts[contra]];
    const legs = move(from.id, to.id, quantityMinor);
    await post(tx, { ...posting, id: newId(), description: 'exchanged coins settled', legs });
  } else if (pays === 'fees') {
    const accounts = await accountsByKind(tx, walletId, ['fee', 'deficit', contra]);
    const legs = [
      { accountId: accounts[contra].id, amountMinor: quantityMinor },
      ...takenFromFees(accounts.fee, accounts.deficit, quantityMinor),
    ];
    await post(tx, { ...posting, id: newId(), description: 'fees collected', legs });
  } else if (pays === undefined) {
    const accounts = await accountsByKind(tx, walletId, ['outbound', 'fee', 'deficit', contra]);
    const lacking = await lackingFees(tx, { id, feeMinor }, finals, accounts.fee.id);
    const arrived: Leg[] = [
      { accountId: accounts[contra].id, amountMinor: quantityMinor },
      { accountId: accounts.fee.id, amountMinor: feeMinor - lacking },
      { accountId: accounts.deficit.id, amountMinor: lacking },
    ];
    if (payment.status === 'failed') {
      // Its hold was given back, and it was paid after all: by a deep reorganisation, or before the database was restored.
      await takeFromWallet(tx, walletId, quantityMinor + feeMinor, posting, arrived);
    } else {
      const held = { accountId: accounts.outbound.id, amountMinor: -quantityMinor - feeMinor };
      await post(tx, { ...posting, id: newId(), legs: [held, ...arrived] });
    }
  }
  const isMoved = await changeStage(tx, id, [...stagesUnderWay(type), 'failed', 'refused', 'cancelled'], {
    stage: 'completed',
    ...(hash === null ? {} : { hash }),
  });
  invariant(isMoved, `payment ${id} is settled once, and after it was handed over`);
  if (pays === undefined) await announce(tx, [reached(id, 'completed')]);
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

/**
 * Takes a completed payment back to a stage before its end: what made it final is gone. One that was paid after its hold had been given
 * back has failed again. `finals` as `settle` was given it.
 */
export async function reopen(
  tx: Tx,
  id: string,
  { finals, stage, reason, walletId }: { finals: number; stage: Stage; reason: string; walletId: string },
): Promise<void> {
  await takeBack(tx, id, finalKind(postings.settle, finals), walletId);
  const isReleased = (await findPosting(tx, id, postings.release)) !== null;
  await changeStage(tx, id, ['completed'], { stage: isReleased ? 'failed' : stage, reason });
  if (isReleased) await announce(tx, [reached(id, 'failed')]);
}

/** Reverses a posting of a source, if there is one. A fee that the operator has collected since is missing: it goes to `deficit`. */
export async function takeBack(tx: Tx, sourceId: string, kind: string, walletId?: string): Promise<void> {
  const postingId = await findPosting(tx, sourceId, kind);
  if (postingId === null) return;
  const legs = reversed(await legsOf(tx, postingId));
  await post(tx, {
    id: newId(),
    kind: `${kind}.undone`,
    sourceId,
    description: 'taken back after a reorganisation',
    correctsId: postingId,
    legs: walletId === undefined ? legs : await withoutCollected(tx, walletId, legs),
  });
}

async function withoutCollected(tx: Tx, walletId: string, legs: readonly Leg[]): Promise<readonly Leg[]> {
  const { fee, deficit } = await accountsByKind(tx, walletId, ['fee', 'deficit']);
  const taken = legs.find(({ accountId }) => accountId === fee.id)?.amountMinor ?? 0n;
  return [...legs.filter(({ accountId }) => accountId !== fee.id), ...takenFromFees(fee, deficit, -taken)];
}

/** What of an amount the fee account no longer has is a shortfall, so that the books can follow the chain in any case. */
function takenFromFees(fee: Account, deficit: Account, amountMinor: bigint): Leg[] {
  const covered = amountMinor > fee.balanceMinor ? fee.balanceMinor : amountMinor;
  return [
    { accountId: fee.id, amountMinor: -covered },
    { accountId: deficit.id, amountMinor: covered - amountMinor },
  ];
}

/** What of this payment's fee was missing when its last end was taken back: this end makes it good. */
async function lackingFees(
  tx: Tx,
  { id, feeMinor }: Pick<LifecycleRow, 'id' | 'feeMinor'>,
  finals: number,
  feeId: string,
): Promise<bigint> {
  if (finals === 0) return 0n;
  const undone = await findPosting(tx, id, `${finalKind(postings.settle, finals - 1)}.undone`);
  if (undone === null) return 0n;
  const legs = await legsOf(tx, undone);
  return feeMinor + (legs.find(({ accountId }) => accountId === feeId)?.amountMinor ?? 0n);
}

/** A payment that is final for the second time has postings of its own. */
export function finalKind(kind: string, finals: number): string {
  return finals === 0 ? kind : `${kind}.${finals + 1}`;
}
