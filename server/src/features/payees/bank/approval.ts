import { audit } from '../../../platform/audit/record.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { announce, live } from '../../../platform/database/outbox.ts';
import { actorOf, type SignedInContext } from '../../../platform/session.ts';
import type { PayeeApproval } from '../approval.ts';
import { type BankPayeeRow, markBankDeleted, setBankApproval, type VersionRow } from './store.ts';

/**
 * Accounts under approval: as for coin payees (`../approval.ts`), and what is approved is one account, so a changed one is approved like a
 * new one. Tasks are named by the account.
 */
export interface BankPayeeApprovalPort {
  /** Asks for a second person's approval, in the caller's name. `before`: the account that it takes the place of. @throws DomainError payeeNobodyApproves */
  ask(tx: Tx, context: SignedInContext, payee: BankPayeeRow, before: VersionRow | null): Promise<void>;
  /** Ends the pending task of an account whose payee is about to be deleted, if it has one; takes the task's lock. */
  withdraw(tx: Tx, context: SignedInContext, versionId: string): Promise<void>;
  /** For whom accounts wait, or why they were not approved; those that never had to be are left out. */
  describe(
    tx: Tx,
    context: SignedInContext,
    versionIds: readonly string[],
  ): Promise<ReadonlyMap<string, PayeeApproval>>;
}

/** It can be paid from now on, unless something else forbids it. Does nothing to an account that does not wait. */
export async function approveAccount(tx: Tx, versionId: string): Promise<void> {
  await decided(tx, versionId, 'approved');
}

/** The payee stays in the book and is not paid, until another account is approved. Does nothing to an account that does not wait. */
export async function rejectAccount(tx: Tx, versionId: string): Promise<void> {
  await decided(tx, versionId, 'rejected');
}

async function decided(tx: Tx, versionId: string, approval: 'approved' | 'rejected'): Promise<void> {
  const payeeId = await setBankApproval(tx, versionId, approval);
  if (payeeId !== null) await announce(tx, [live('payee', payeeId)]);
}

/** Takes a payee out of the book, under the lock of its task where it has one. @returns whether it was there */
export async function takeOutBank(tx: Tx, context: SignedInContext, payee: BankPayeeRow): Promise<boolean> {
  if (!(await markBankDeleted(tx, payee.id))) return false;
  await audit(tx, {
    actor: actorOf(context),
    action: 'payees.delete',
    subjectKind: 'payee',
    subjectId: payee.id,
    detail: { ...accountInLog(payee) },
  });
  await announce(tx, [live('payee', payee.id)]);
  return true;
}

/** How the audit log names a payee with a bank account. */
export function accountInLog({ label, version }: Pick<BankPayeeRow, 'label' | 'version'>) {
  const { name, country, currency, account } = version;
  return { label, name, country, currency, account };
}
