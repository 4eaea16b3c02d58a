import type { CryptoPayee } from '@causeway/contract/payees.ts';
import { audit } from '../../platform/audit/record.ts';
import type { Tx } from '../../platform/database/database.ts';
import { announce, live } from '../../platform/database/outbox.ts';
import { actorOf, type SignedInContext } from '../../platform/session.ts';
import { markDeleted, type PayeeRow, setApproval } from './store.ts';

/**
 * New payees under approval (docs/adr/0064-…): what the payee book asks of approvals, to the right, and what approvals does to a payee when
 * its task ends. Wherever both are locked, the task comes before the payee.
 */

/** A payee that has been added, with the name of its chain. */
export type PayeeToApprove = PayeeRow & { chainName: string };

/** What is shown of the approval of a payee. */
export type PayeeApproval = NonNullable<CryptoPayee['approval']>;

export interface PayeeApprovalPort {
  /** Asks for a second person's approval, in the caller's name. @throws DomainError payeeNobodyApproves */
  ask(tx: Tx, context: SignedInContext, payee: PayeeToApprove): Promise<void>;
  /** Ends the pending task of a payee that is about to be deleted, if it has one; takes the task's lock. */
  withdraw(tx: Tx, context: SignedInContext, payeeId: string): Promise<void>;
  /** For whom payees wait, or why they were not approved; those that never had to be are left out. */
  describe(tx: Tx, context: SignedInContext, payeeIds: readonly string[]): Promise<ReadonlyMap<string, PayeeApproval>>;
}

/** It can be sent to from now on, unless something else forbids it. Does nothing to a payee that does not wait. */
export async function approvePayee(tx: Tx, id: string): Promise<void> {
  if (await setApproval(tx, id, 'approved')) await announce(tx, [live('payee', id)]);
}

/** It stays in the book, with the reason that its task keeps. Does nothing to a payee that does not wait. */
export async function rejectPayee(tx: Tx, id: string): Promise<void> {
  if (await setApproval(tx, id, 'rejected')) await announce(tx, [live('payee', id)]);
}

/** Takes a payee out of the book, under the lock of its task where it has one. @returns what it was; null when it is not there */
export async function takeOut(tx: Tx, context: SignedInContext, id: string): Promise<PayeeRow | null> {
  const row = await markDeleted(tx, id);
  if (!row) return null;
  await audit(tx, {
    actor: actorOf(context),
    action: 'payees.delete',
    subjectKind: 'payee',
    subjectId: id,
    detail: { label: row.label, chain: row.chainId, coin: row.coin, address: row.address },
  });
  await announce(tx, [live('payee', id)]);
  return row;
}
