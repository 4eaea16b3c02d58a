import type { Body, OutputInput, Query } from '@causeway/contract/call.ts';
import type { listOperators, proposeStaff as proposeStaffCall } from '@causeway/contract/operator.ts';
import { type OperatorRole, proposalKinds, proposalPermissions } from '@causeway/contract/operator-rules.ts';
import { type AuditEntry, audit } from '../../../../platform/audit/record.ts';
import type { Tx } from '../../../../platform/database/database.ts';
import { readPage } from '../../../../platform/database/list.ts';
import { DomainError } from '../../../../platform/domain-error.ts';
import { actorOf } from '../../../../platform/session.ts';
import type { StaffContext } from '../dependencies.ts';
import { isNarrower, may } from '../domain.ts';
import {
  type AccountRow,
  countOtherAdministrators,
  disable,
  findAccount,
  findAccountByEmail,
  lockStaff,
  staffList,
  updateRole,
} from '../store/accounts.ts';
import { endLinks } from '../store/activations.ts';
import { hasOpenInvitation, withdrawAllOf } from '../store/proposals.ts';
import { endAccess } from '../store/sessions.ts';
import { shownOperator } from './own-account.ts';
import { propose, requireActing } from './proposals.ts';

/** The operator's people. What widens is proposed; what narrows is done at once. */

export async function listStaff(
  tx: Tx,
  _context: StaffContext,
  query: Query<typeof listOperators>,
): Promise<OutputInput<typeof listOperators>> {
  const page = await readPage(tx, staffList, query, undefined);
  return { ...page, items: page.items.map(shownOperator) };
}

/** @throws DomainError idTaken, operatorExists, proposalOpen */
export async function inviteStaff(
  tx: Tx,
  context: StaffContext,
  { id, reason, ...input }: Body<typeof proposeStaffCall>,
): Promise<{ proposalId: string }> {
  await lockStaff(tx);
  await requireActing(tx, context, 'operator.staff');
  if (await findAccount(tx, id)) throw new DomainError('idTaken');
  if (await findAccountByEmail(tx, input.email)) {
    throw new DomainError('operatorExists', {}, { email: 'error.operatorExists' });
  }
  if (await hasOpenInvitation(tx, input.email)) throw new DomainError('proposalOpen');
  const subject = { subjectId: id, subjectName: input.name };
  return { proposalId: await propose(tx, context, { kind: 'staff.invite', ...subject, input, reason }) };
}

/** @throws DomainError notFound, operatorSelf, operatorLastAdministrator, nothingChanges, proposalOpen */
export async function changeRole(
  tx: Tx,
  context: StaffContext,
  { id, role, reason }: { id: string; role: OperatorRole; reason: string },
): Promise<{ proposalId: string | null }> {
  const colleague = await lockColleague(tx, context, id);
  if (colleague.role === role) throw new DomainError('nothingChanges');
  if (!isNarrower(role, colleague.role)) {
    const subject = { subjectId: id, subjectName: colleague.name };
    return { proposalId: await propose(tx, context, { kind: 'staff.role', ...subject, input: { role }, reason }) };
  }
  await refuseLast(tx, colleague);
  await updateRole(tx, id, role);
  await record(tx, context, 'staff.role', id, { role: { before: colleague.role, after: role }, reason });
  const kept = proposalKinds.filter((kind) => may(role, proposalPermissions[kind]));
  await withdrawFor(tx, context, id, { reason, exceptKinds: kept });
  return { proposalId: null };
}

/** @throws DomainError notFound, operatorSelf, operatorLastAdministrator, nothingChanges */
export async function disableColleague(
  tx: Tx,
  context: StaffContext,
  { id, reason }: { id: string; reason: string },
): Promise<void> {
  const colleague = await lockColleague(tx, context, id);
  if (colleague.state === 'disabled') throw new DomainError('nothingChanges');
  await refuseLast(tx, colleague);
  await disable(tx, id);
  await endAccess(tx, id, null);
  await endLinks(tx, id);
  await record(tx, context, 'staff.disable', id, { name: colleague.name, reason });
  await withdrawFor(tx, context, id, { reason, exceptKinds: [] });
}

/** @throws DomainError notFound, operatorSelf, nothingChanges, proposalOpen */
export async function proposeReactivation(
  tx: Tx,
  context: StaffContext,
  { id, reason }: { id: string; reason: string },
): Promise<{ proposalId: string }> {
  const { state, name: subjectName } = await lockColleague(tx, context, id);
  if (state !== 'disabled') throw new DomainError('nothingChanges');
  const subject = { subjectId: id, subjectName };
  return { proposalId: await propose(tx, context, { kind: 'staff.reactivate', ...subject, input: {}, reason }) };
}

/** @throws DomainError notFound, operatorSelf, operatorDisabled, proposalOpen */
export async function proposeReset(
  tx: Tx,
  context: StaffContext,
  { id, reason }: { id: string; reason: string },
): Promise<{ proposalId: string }> {
  const { state, name: subjectName } = await lockColleague(tx, context, id);
  if (state === 'disabled') throw new DomainError('operatorDisabled');
  const subject = { subjectId: id, subjectName };
  return { proposalId: await propose(tx, context, { kind: 'staff.reset', ...subject, input: {}, reason }) };
}

/** The colleague that an administrator acts on, under the staff's lock; never the administrator's own account. */
async function lockColleague(tx: Tx, context: StaffContext, id: string): Promise<AccountRow> {
  await lockStaff(tx);
  await requireActing(tx, context, 'operator.staff');
  const colleague = await findAccount(tx, id);
  if (!colleague) throw new DomainError('notFound');
  if (id === context.session.userId) throw new DomainError('operatorSelf');
  return colleague;
}

/** There is always an active administrator. */
async function refuseLast(tx: Tx, { id, role, state }: AccountRow): Promise<void> {
  if (role !== 'administrator' || state !== 'active') return;
  if ((await countOtherAdministrators(tx, id)) === 0) throw new DomainError('operatorLastAdministrator');
}

/** What someone proposed who may no longer do so is withdrawn for them. */
async function withdrawFor(
  tx: Tx,
  context: StaffContext,
  operatorId: string,
  which: Parameters<typeof withdrawAllOf>[2],
): Promise<void> {
  for (const subjectId of await withdrawAllOf(tx, operatorId, which)) {
    const detail = { proposedBy: operatorId, reason: which.reason };
    await audit(tx, {
      actor: actorOf(context),
      action: 'proposal.withdraw',
      subjectKind: 'proposal',
      subjectId,
      detail,
    });
  }
}

async function record(
  tx: Tx,
  context: StaffContext,
  action: AuditEntry['action'],
  subjectId: string,
  detail: Record<string, unknown>,
): Promise<void> {
  await audit(tx, { actor: actorOf(context), action, subjectKind: 'operator', subjectId, detail });
}
