import type { Language } from '@causeway/contract/locale.ts';
import type { OperatorRole } from '@causeway/contract/operator-rules.ts';
import { type AuditEntry, audit } from '../../platform/audit/record.ts';
import type { Tx } from '../../platform/database/database.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { newId } from '../../platform/ids.ts';
import { nilCompany } from '../identity/index.ts';
import { makeLink } from './console/service/activation.ts';
import {
  type AccountRow,
  awaitActivation,
  countOtherAdministrators,
  disable,
  findAccountByEmail,
  findAccounts,
  insertAccount,
  lockStaff,
} from './console/store/accounts.ts';
import { endLinks } from './console/store/activations.ts';
import { deletePasskeys } from './console/store/passkeys.ts';
import { withdrawAllOf } from './console/store/proposals.ts';
import { endAccess } from './console/store/sessions.ts';
import type { CommandContext } from './service.ts';

/**
 * The people of the operator's console, from the command line: the first ones are made here, and who has lost password and
 * authenticator gets in again when no colleague can confirm a reset. Each act is in the operator's audit log.
 */

export interface NewStaff {
  name: string;
  email: string;
  role: OperatorRole;
  language: Language;
}

/** Makes an account and the link that opens it, which is shown this once. @throws DomainError operatorExists */
export function addStaff(context: CommandContext, url: string, { name, email, role, language }: NewStaff) {
  return context.database.withCompany(nilCompany, async (tx) => {
    await lockStaff(tx);
    const id = newId();
    if (!(await insertAccount(tx, { id, email, name, role, language }))) throw new DomainError('operatorExists');
    await record(tx, context, 'staff.invite', id, { name, email, role, language });
    const link = await makeLink(tx, url, id, 'invitation');
    return { name, email, role, link: link.url, expires: link.expiresAt };
  });
}

export async function showStaff({ database }: CommandContext) {
  const rows = await database.withoutCompany(findAccounts);
  return rows.map(({ name, email, role, state, lastSignInAt }) => ({
    name,
    email,
    role,
    state,
    lastSignIn: lastSignInAt,
  }));
}

/**
 * A new link in place of password, authenticator and passkeys; sessions end. Also for the only administrator: this is how one who has
 * lost the authenticator gets in again.
 * @throws DomainError notFound, operatorDisabled
 */
export function resetStaff(context: CommandContext, url: string, email: string) {
  return context.database.withCompany(nilCompany, async (tx) => {
    const { id, name, state, activatedAt } = await lockByEmail(tx, email);
    if (state === 'disabled') throw new DomainError('operatorDisabled');
    await awaitActivation(tx, id);
    await deletePasskeys(tx, id, null);
    await endAccess(tx, id, null);
    await record(tx, context, 'staff.reset', id, { name });
    const link = await makeLink(tx, url, id, activatedAt === null ? 'invitation' : 'reset');
    return { name, email, link: link.url, expires: link.expiresAt };
  });
}

/** @throws DomainError notFound, nothingChanges, operatorLastAdministrator */
export function disableStaff(context: CommandContext, email: string, reason: string) {
  return context.database.withCompany(nilCompany, async (tx) => {
    const { id, name, role, state } = await lockByEmail(tx, email);
    if (state === 'disabled') throw new DomainError('nothingChanges');
    const isLast = role === 'administrator' && state === 'active' && (await countOtherAdministrators(tx, id)) === 0;
    if (isLast) throw new DomainError('operatorLastAdministrator');
    await disable(tx, id);
    await endAccess(tx, id, null);
    await endLinks(tx, id);
    await record(tx, context, 'staff.disable', id, { name, reason });
    for (const proposalId of await withdrawAllOf(tx, id, { reason, exceptKinds: [] })) {
      await record(tx, context, 'proposal.withdraw', proposalId, { proposedBy: id, reason }, 'proposal');
    }
    return { name, email, state: 'disabled' };
  });
}

async function lockByEmail(tx: Tx, email: string): Promise<AccountRow> {
  await lockStaff(tx);
  const account = await findAccountByEmail(tx, email);
  if (!account) throw new DomainError('notFound');
  return account;
}

async function record(
  tx: Tx,
  { operator }: CommandContext,
  action: AuditEntry['action'],
  subjectId: string,
  detail: AuditEntry['detail'] & object,
  subjectKind: AuditEntry['subjectKind'] = 'operator',
): Promise<void> {
  await audit(tx, { actor: { kind: 'operator', id: operator }, action, subjectKind, subjectId, detail });
}
