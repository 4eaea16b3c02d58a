import type { Stage } from '@causeway/contract/transactions.ts';
import { transactionLives } from '@causeway/contract/transactions-lives.ts';
import { audit } from '../../../platform/audit/record.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { announce, live } from '../../../platform/database/outbox.ts';
import { invariant } from '../../../platform/domain-error.ts';
import { newId } from '../../../platform/ids.ts';
import { accountsByKind, findPosting, type Leg, legsOf, move, post, postAll } from '../../ledger/index.ts';
import { forget, forgetAll } from '../../risk/index.ts';
import {
  changeStage,
  changeStages,
  insertRefund,
  insertRefunds,
  type LifecycleRow,
  reached,
} from '../../transactions/index.ts';
import { repayDeficit } from '../../wallets/index.ts';
import type { SubmittedKind } from '../kind.ts';
import { postings } from '../postings.ts';
import { leavingOf } from './leaving.ts';

export interface PaymentEnd {
  stage: 'failed' | 'cancelled' | 'refused';
  /** The id of a sentence, `stage.reason.*`. */
  reason: string;
  actor?: { id: string; name: string };
  hash?: string;
}

/**
 * Ends a payment that will not be made: failed or cancelled, the hold (amount and fee) back to available with a refund beside
 * it, and a shortfall of the wallet repaid from it. What was taken out of escrow goes back there (docs/adr/0113-…).
 * @returns the refund's id, the payment's own where nothing was held for it; null when the payment is no longer at one of `from` and nothing was done
 */
export async function release(
  tx: Tx,
  payment: LifecycleRow,
  from: readonly Stage[],
  end: PaymentEnd,
): Promise<string | null> {
  const moved = await changeStage(tx, payment.id, from, end);
  if (!moved) return null;
  if (transactionLives[payment.type].pays !== undefined) return payment.id;
  const refundId = newId();
  // While it waits nothing is bought for it: what is held is its own.
  const side = payment.stage === 'waiting_approval' ? payment : await leavingOf(tx, payment);
  const accounts = await accountsOfHold(tx, side.walletId, side.fromEscrowMinor > 0n);
  // The fee of what waits for a block may have been raised since it was held.
  const isOnChain = transactionLives[payment.type].road.includes('broadcast');
  const heldMinor =
    side === payment && !isOnChain
      ? await heldFor(tx, payment.id, accounts.outbound.id)
      : side.quantityMinor + side.feeMinor;
  await insertRefund(tx, side, refundId, heldMinor);
  // Before the ledger: locks are taken in one order.
  await forget(tx, payment.id);
  await post(tx, {
    id: newId(),
    kind: postings.release,
    sourceId: payment.id,
    description: `hold of a ${end.stage} payment given back`,
    legs: givenBack(accounts, heldMinor, side.fromEscrowMinor),
  });
  await announce(tx, [reached(payment.id, end.stage), live('transaction', payment.id), live('balance', side.walletId)]);
  await repayDeficit(tx, side.walletId, refundId);
  return refundId;
}

/**
 * As `release`, of several payments that no rail has begun, of each of which amount and fee are held; they are locked before.
 * @returns those that ended, each with its refund's id
 */
export async function releaseAll(
  tx: Tx,
  payments: readonly LifecycleRow[],
  from: readonly ('waiting_approval' | 'approved')[],
  end: PaymentEnd,
): Promise<{ failed: LifecycleRow; refundId: string }[]> {
  const moved = new Set(
    await changeStages(
      tx,
      payments.map(({ id }) => id),
      from,
      end,
    ),
  );
  const refunds = payments.filter(({ id }) => moved.has(id)).map((failed) => ({ failed, refundId: newId() }));
  if (refunds.length === 0) return [];
  for (const { failed } of refunds) {
    const { pays, leaves } = transactionLives[failed.type];
    invariant(pays === undefined && leaves !== 'bought', `of a ${failed.type} amount and fee are held`);
  }
  await insertRefunds(tx, refunds);
  // Before the ledger: locks are taken in one order.
  await forgetAll(tx, [...moved]);
  const lastOf = new Map(refunds.map(({ failed, refundId }) => [failed.walletId, refundId]));
  const accounts = new Map<string, AccountsOfHold>();
  for (const walletId of lastOf.keys()) {
    const isOutOfEscrow = refunds.some(({ failed }) => failed.walletId === walletId && failed.fromEscrowMinor > 0n);
    accounts.set(walletId, await accountsOfHold(tx, walletId, isOutOfEscrow));
  }
  await postAll(
    tx,
    refunds.map(({ failed }) => {
      const held = accounts.get(failed.walletId);
      invariant(held, 'the accounts of each wallet were read');
      return {
        companyId: tx.companyId,
        id: newId(),
        kind: postings.release,
        sourceId: failed.id,
        description: `hold of a ${end.stage} payment given back`,
        legs: givenBack(held, failed.quantityMinor + failed.feeMinor, failed.fromEscrowMinor),
      };
    }),
  );
  const events = refunds.map(({ failed }) => reached(failed.id, end.stage));
  await announce(tx, [...events, live('transaction', null), live('balance', null)]);
  for (const [walletId, refundId] of lastOf) await repayDeficit(tx, walletId, refundId);
  return refunds;
}

type AccountsOfHold = Record<'outbound' | 'available', { id: string }> & { escrow?: { id: string } };

const accountsOfHold = (tx: Tx, walletId: string, isOutOfEscrow: boolean): Promise<AccountsOfHold> =>
  accountsByKind(tx, walletId, ['outbound', 'available', ...(isOutOfEscrow ? (['escrow'] as const) : [])]);

/** Out of what is held; amounts in minor units. */
function givenBack({ outbound, available, escrow }: AccountsOfHold, heldMinor: bigint, fromEscrowMinor: bigint): Leg[] {
  if (fromEscrowMinor === 0n) return move(outbound.id, available.id, heldMinor);
  invariant(escrow, 'what was taken out of escrow has an account to go back to');
  return [
    { accountId: outbound.id, amountMinor: -heldMinor },
    { accountId: available.id, amountMinor: heldMinor - fromEscrowMinor },
    { accountId: escrow.id, amountMinor: fromEscrowMinor },
  ];
}

/** Minor units that were held for a payment. */
export async function heldFor(tx: Tx, id: string, outboundAccountId: string): Promise<bigint> {
  const hold = await findPosting(tx, id, postings.hold);
  invariant(hold !== null, `payment ${id} was held`);
  const leg = (await legsOf(tx, hold)).find(({ accountId }) => accountId === outboundAccountId);
  invariant(leg, `what was held for payment ${id} is in its wallet's account`);
  return leg.amountMinor;
}

/** Minor units of a payment's hold that were given back to this account, which is available or escrow; 0 while it is held. */
export async function givenBackTo(tx: Tx, id: string, accountId: string): Promise<bigint> {
  const posting = await findPosting(tx, id, postings.release);
  const legs = posting === null ? [] : await legsOf(tx, posting);
  return legs.find((leg) => leg.accountId === accountId)?.amountMinor ?? 0n;
}

/** Ends a payment that its rail will not make, with a line in the audit log. @returns as `release` */
export async function refuse(
  tx: Tx,
  kind: SubmittedKind,
  payment: LifecycleRow,
  from: readonly Stage[],
  end: Pick<PaymentEnd, 'reason'> & { stage: 'failed' | 'refused' },
): Promise<string | null> {
  const refundId = await release(tx, payment, from, end);
  if (refundId === null) return null;
  await audit(tx, {
    actor: { kind: 'system', id: 'transfers' },
    action: kind.actions.fail,
    subjectKind: 'transaction',
    subjectId: payment.id,
    detail: { stage: end.stage, reason: end.reason },
  });
  return refundId;
}
