import type { Body, OutputInput } from '@causeway/contract/call.ts';
import type {
  changeOperatorPassword,
  getOperator,
  listOperatorSessions,
  setOperatorLanguage,
} from '@causeway/contract/operator.ts';
import { operatorPermissionsOf } from '@causeway/contract/operator-rules.ts';
import { audit } from '../../../../platform/audit/record.ts';
import { sha256 } from '../../../../platform/crypto/secrets.ts';
import type { Database, Tx } from '../../../../platform/database/database.ts';
import { DomainError } from '../../../../platform/domain-error.ts';
import { type Authenticate, actorOf, type OperatorSession } from '../../../../platform/session.ts';
import { deviceOf, nilCompany, openNewPassword, wordsOf } from '../../../identity/index.ts';
import type { OpenStaffContext, StaffContext } from '../dependencies.ts';
import { recordSecurity } from '../post.ts';
import { type AccountRow, findAccount, updateLanguage, updatePassword } from '../store/accounts.ts';
import { countDecidable } from '../store/proposals.ts';
import { endAccess, endSession, findLiveSessions, findSession } from '../store/sessions.ts';
import { decidableKinds } from './kinds.ts';
import { requirePassword, withCode } from './own-proof.ts';

/** The account of the operator signed in, and where it is signed in. */

/** Every call looks its session up; its role is the account's of now. */
export function authenticateOperator(database: Database): Authenticate<OperatorSession> {
  return async (token, active) => {
    const found = await database.withoutCompany((tx) => findSession(tx, sha256(token), active));
    if (!found) return null;
    const { id, operatorId: userId, name: userName, role } = found;
    return { id, companyId: nilCompany, userId, userName, role, permissions: operatorPermissionsOf[role] };
  };
}

export function shownOperator({ createdAt, lastSignInAt, activatedAt: _activatedAt, ...row }: AccountRow) {
  return { ...row, createdAt: createdAt.toISOString(), lastSignInAt: lastSignInAt?.toISOString() ?? null };
}

export async function me(tx: Tx, { session }: StaffContext): Promise<OutputInput<typeof getOperator>> {
  const { userId, role } = session;
  const account = await findAccount(tx, userId);
  if (!account) throw new DomainError('sessionEnded');
  const openProposals = await countDecidable(tx, { operatorId: userId, kinds: decidableKinds(role) });
  return { ...shownOperator(account), permissions: [...operatorPermissionsOf[role]], openProposals };
}

export async function logout(tx: Tx, context: StaffContext): Promise<void> {
  const { id, userId } = context.session;
  await endSession(tx, userId, id);
  await audit(tx, { actor: actorOf(context), action: 'staff.signOut', subjectKind: 'session', subjectId: id });
}

export async function setLanguage(
  tx: Tx,
  context: StaffContext,
  { language }: Body<typeof setOperatorLanguage>,
): Promise<void> {
  const { userId } = context.session;
  const before = (await findAccount(tx, userId))?.language;
  if (before === language) return;
  await updateLanguage(tx, userId, language);
  await audit(tx, {
    actor: actorOf(context),
    action: 'staff.setLanguage',
    subjectKind: 'operator',
    subjectId: userId,
    detail: { language: { before, after: language } },
  });
}

/**
 * Changes the password and ends every other session.
 * @throws DomainError passwordWrong, passwordSame, passwordRule, passwordCommon, passwordPersonal, passwordUndecipherable, codeBurnt,
 * tooManyRequests; RememberedError codeWrong
 */
export async function changePassword(
  context: OpenStaffContext,
  { currentPassword, newPassword, code }: Body<typeof changeOperatorPassword>,
): Promise<void> {
  const { userId, id } = context.session;
  const comparedHash = await requirePassword(context, currentPassword);
  const owner = await context.database.withoutCompany((tx) => findAccount(tx, userId));
  const personal = wordsOf({ email: owner?.email ?? '', firstName: owner?.name ?? '' });
  const password = await openNewPassword(context, { jwe: newPassword, field: 'newPassword', personal });
  if (await context.passwords.matches(comparedHash, password)) {
    throw new DomainError('passwordSame', {}, { newPassword: 'error.passwordSame' });
  }
  const hash = await context.passwords.hash(password);
  await withCode(context, code, async (tx, useCode) => {
    const account = await useCode();
    // Another request changed it after the comparison.
    if (!(await updatePassword(tx, userId, hash, comparedHash))) {
      throw new DomainError('passwordWrong', {}, { currentPassword: 'error.passwordWrong' });
    }
    await endAccess(tx, userId, id);
    await recordSecurity(tx, context, account, {
      what: 'passwordChanged',
      action: 'staff.changePassword',
      actor: actorOf(context),
    });
  });
}

/** The asking one first, then the most recently active. */
export async function listSessions(
  tx: Tx,
  { session }: StaffContext,
): Promise<OutputInput<typeof listOperatorSessions>> {
  const rows = await findLiveSessions(tx, session.userId);
  return rows
    .map(({ createdAt, lastSeenAt, userAgent, ...row }) => ({
      ...row,
      ...deviceOf(userAgent),
      isCurrent: row.id === session.id,
      createdAt: createdAt.toISOString(),
      lastSeenAt: lastSeenAt.toISOString(),
    }))
    .sort((one, other) => Number(other.isCurrent) - Number(one.isCurrent));
}

/** @throws DomainError notFound */
export async function endOneSession(tx: Tx, context: StaffContext, { id }: { id: string }): Promise<void> {
  if (!(await endSession(tx, context.session.userId, id))) throw new DomainError('notFound');
  await audit(tx, { actor: actorOf(context), action: 'staff.endSession', subjectKind: 'session', subjectId: id });
}
