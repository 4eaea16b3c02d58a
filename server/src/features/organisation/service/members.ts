import type { Body, OutputInput, Query } from '@causeway/contract/call.ts';
import { readMobile } from '@causeway/contract/calling-codes.ts';
import type { Effect } from '@causeway/contract/effect.ts';
import { defaultLocale, type Locale } from '@causeway/contract/locale.ts';
import type {
  addMember as addCall,
  editMember as editCall,
  listMembers,
  Member,
} from '@causeway/contract/organisation.ts';
import { systemRoleOf } from '@causeway/contract/permission.ts';
import { databaseError, type Tx } from '../../../platform/database.ts';
import { DomainError, invariant } from '../../../platform/domain-error.ts';
import { newId } from '../../../platform/ids.ts';
import { keyCursor, maxExactTotal, pageOf, sizeOf, totalOf } from '../../../platform/page.ts';
import type { SignedInContext } from '../../../platform/session.ts';
import { countEvent, eventsIn } from '../../../platform/throttle.ts';
import {
  changeEmail,
  claimEmail,
  findContacts,
  insertMember,
  type MemberForm,
  memberName,
  newIdentifier,
  refuseAlikeName,
  updateMember,
} from '../../identity/index.ts';
import { type Authority, difference, exceeds, refusedAt, tidyName } from '../domain.ts';
import { isDepartment } from '../store/departments.ts';
import {
  countMembers,
  findActiveAdministrators,
  findMemberRow,
  listMemberRows,
  type MemberRow,
} from '../store/members.ts';
import { tellOfMember, tellOfRole } from './control.ts';
import { memberState } from './control-state.ts';
import { type Changing, changeOrPropose, holdingOf, type OrganisationDeps, record } from './core.ts';
import { quotaText, roleNameOf } from './people.ts';
import { type AnyRole, findAnyRole } from './roles.ts';
import { managesRules } from './rule-managers.ts';

/** Who reads: a list marks the reader, and names roles in their language. */
interface Reader {
  userId: string;
  locale: Locale;
}

/** One page of members. @throws DomainError cursorInvalid */
export async function list(
  deps: OrganisationDeps,
  query: Query<typeof listMembers>,
  { session, locale }: SignedInContext,
): Promise<OutputInput<typeof listMembers>> {
  const { id = null, keyword, status = null, roleId = null, departmentId = null } = query;
  const { sort = 'name', order = 'asc' } = query;
  const unassigned = query.unassigned === 'true';
  const filter = { keyword: keyword?.trim() || null, status, roleId, departmentId, unassigned, id };
  const after = keyCursor(query.cursor);
  const size = sizeOf(query.size);
  return deps.database.withCompany(session.companyId, async (tx) => {
    const rows = await listMemberRows(tx, filter, { sort, descending: order === 'desc' }, after, size + 1);
    const { items, next } = pageOf(rows, size, (row) => [row.sortKey, row.id]);
    const total = totalOf(await countMembers(tx, filter, maxExactTotal + 1));
    const administrators = await findActiveAdministrators(tx);
    const reader = { userId: session.userId, locale };
    return { items: items.map((row) => asMember(row, administrators, reader)), ...total, next };
  });
}

/**
 * Adds a member and mails the link to set a password, in the language given or else the administrator's own.
 * @throws DomainError memberEmailTaken, nameAlike, roleNotFound, roleInactive, departmentNotFound, authorityExceeded, idTaken,
 * tooManyRequests
 */
export async function add(
  deps: OrganisationDeps,
  body: Body<typeof addCall>,
  context: SignedInContext,
): Promise<Member & Effect> {
  const adding = addingMember(deps, { ...body, id: body.id ?? newId() });
  return countingTaken(deps, context, () => changeOrPropose(deps, context, adding));
}

export function addingMember(deps: OrganisationDeps, body: Body<typeof addCall> & { id: string }): Changing<Member> {
  const { id } = body;
  return {
    kind: 'addMember',
    permission: 'member.manage',
    input: body,
    state: (tx) => memberState(tx, id, [body.roleId]),
    async make(tx, actor, context) {
      await requireRole(tx, actor, body.roleId);
      await requireDepartment(tx, body.departmentId);
      await refuseAlikeName(tx, id, formOf(body));
      if (!(await claimEmail(tx, body.email, id))) throw refusedAt('email', 'memberEmailTaken');
      const [author] = await findContacts(tx, context.session.userId);
      const made = {
        id,
        identifier: newIdentifier(),
        email: body.email,
        language: body.language ?? author?.language ?? 'en_US',
        ...formOf(body),
      };
      try {
        await insertMember(tx, made);
      } catch (error) {
        if (databaseError(error)?.constraint === 'member_pkey') throw new DomainError('idTaken');
        throw error;
      }
      await deps.issueActivation(tx, id, 'activation');
      const row = await requireRow(tx, id);
      if (managesRules(row)) await tellOfMember(tx, context, row, 'memberAdded');
      await record(tx, context, 'addMember', { kind: 'member', id }, { after: sayMember(row) });
      return readMember(tx, id, context);
    },
  };
}

/**
 * Changes a member's form. Another role takes effect with the member's next request.
 * @throws DomainError memberNotFound, authorityExceeded, memberIsSelf, lastAdministrator, memberEmailTaken, memberEmailFixed,
 * nameAlike, roleNotFound, roleInactive, departmentNotFound, tooManyRequests
 */
export async function edit(
  deps: OrganisationDeps,
  body: Body<typeof editCall>,
  context: SignedInContext,
): Promise<Member & Effect> {
  return countingTaken(deps, context, () => changeOrPropose(deps, context, editingMember(deps, body)));
}

export function editingMember(deps: OrganisationDeps, body: Body<typeof editCall>): Changing<Member> {
  return {
    kind: 'editMember',
    permission: 'member.manage',
    input: body,
    state: (tx) => memberState(tx, body.id, [body.roleId]),
    async make(tx, actor, context) {
      const row = await requireMember(tx, actor, body.id);
      if (body.roleId !== row.roleId) {
        if (row.id === context.session.userId) throw refusedAt('roleId', 'memberIsSelf');
        const role = await requireRole(tx, actor, body.roleId);
        await requireAnotherAdministrator(tx, row.id, 'roleId');
        await tellOfRole(tx, context, row, { ...role, id: body.roleId });
        const { permissions, quotaUsdCents } = role;
        const becoming = { roleId: body.roleId, permissions, quotaUsd: quotaText(quotaUsdCents) };
        for (const work of deps.openWork) await work.leaves(tx, row.id, becoming);
      }
      if (body.departmentId !== row.departmentId) await requireDepartment(tx, body.departmentId);
      const form = formOf(body);
      if (memberName({ ...row, ...form }) !== memberName(row)) await refuseAlikeName(tx, row.id, form);
      await updateMember(tx, row.id, form);
      if (body.email !== row.email) await changeAddress(deps, tx, row, body.email);
      const changed = difference(sayMember(row), sayMember(await requireRow(tx, row.id)));
      await record(tx, context, 'editMember', { kind: 'member', id: row.id }, changed);
      return readMember(tx, row.id, context);
    },
  };
}

async function changeAddress(deps: OrganisationDeps, tx: Tx, row: MemberRow, email: string): Promise<void> {
  if (row.activated) throw refusedAt('email', 'memberEmailFixed');
  if (!(await changeEmail(tx, row.id, email))) throw refusedAt('email', 'memberEmailTaken');
  // Links that went to the address before must not work any more.
  if (row.status === 'invited') await deps.issueActivation(tx, row.id, 'activation');
}

/** Refusals for a taken address that an hour of one company may see: it tells that somebody has an account here. */
const takenLimit = 30;
const takenWindowMs = 3_600_000;

async function countingTaken<T>(
  { database }: OrganisationDeps,
  { session }: SignedInContext,
  work: () => Promise<T>,
): Promise<T> {
  const bucket = `member:taken:${session.companyId}`;
  const seen = await database.withoutCompany((tx) => eventsIn(tx, bucket));
  if (seen >= takenLimit) throw new DomainError('tooManyRequests');
  try {
    return await work();
  } catch (error) {
    if (error instanceof DomainError && error.key === 'memberEmailTaken') {
      await database.withoutCompany((tx) => countEvent(tx, bucket, takenWindowMs));
    }
    throw error;
  }
}

/** A member whose role is not beyond the actor's own. @throws DomainError memberNotFound, authorityExceeded */
export async function requireMember(tx: Tx, actor: Authority, id: string): Promise<MemberRow> {
  const row = await requireRow(tx, id);
  if (exceeds(actor, holdingOf(row))) throw new DomainError('authorityExceeded');
  return row;
}

async function requireRow(tx: Tx, id: string): Promise<MemberRow> {
  const row = await findMemberRow(tx, id);
  if (!row) throw new DomainError('memberNotFound');
  return row;
}

/** @throws DomainError lastAdministrator when no active administrator but this one is left */
export async function requireAnotherAdministrator(tx: Tx, id: string, field?: string): Promise<void> {
  const administrators = await findActiveAdministrators(tx);
  if (administrators.length !== 1 || administrators[0] !== id) return;
  throw field === undefined ? new DomainError('lastAdministrator') : refusedAt(field, 'lastAdministrator');
}

async function requireRole(tx: Tx, actor: Authority, roleId: string): Promise<AnyRole> {
  const role = await findAnyRole(tx, roleId);
  if (!role) throw refusedAt('roleId', 'roleNotFound');
  if (!role.active) throw refusedAt('roleId', 'roleInactive');
  if (exceeds(actor, role)) throw refusedAt('roleId', 'authorityExceeded');
  return role;
}

async function requireDepartment(tx: Tx, departmentId: string): Promise<void> {
  if (!(await isDepartment(tx, departmentId))) throw refusedAt('departmentId', 'departmentNotFound');
}

function formOf(body: Omit<Body<typeof addCall>, 'id' | 'language' | 'email'>): MemberForm {
  const mobile = readMobile(body.mobileCountryCode, body.mobile);
  invariant(typeof mobile === 'object', 'the contract has checked the mobile number');
  return {
    firstName: tidyName(body.firstName),
    lastName: tidyName(body.lastName),
    roleId: body.roleId,
    departmentId: body.departmentId,
    mobileCountryCode: mobile.countryCode,
    mobile: mobile.number,
  };
}

/** A member as the audit trail says it: names beside the ids, which say nothing to its readers. */
export function sayMember(row: MemberRow) {
  const { firstName, lastName, email, language, roleId, departmentId } = row;
  return {
    firstName,
    lastName,
    email,
    mobile: row.mobile === null ? null : `+${row.mobileCountryCode} ${row.mobile}`,
    role: roleNameOf(roleId, row.roleName, defaultLocale),
    roleId,
    department: row.departmentName,
    departmentId,
    language,
  };
}

/** What a member's deputy is called; null when there is none. */
export function deputyName({ deputyId, deputyFirstName, deputyLastName, deputyEmail }: MemberRow): string | null {
  if (deputyId === null) return null;
  return memberName({ firstName: deputyFirstName ?? '', lastName: deputyLastName ?? '', email: deputyEmail ?? '' });
}

/** A member as the caller sees it. @throws DomainError memberNotFound */
export async function readMember(tx: Tx, id: string, { session, locale }: SignedInContext): Promise<Member> {
  const row = await requireRow(tx, id);
  return asMember(row, await findActiveAdministrators(tx), { userId: session.userId, locale });
}

function asMember(row: MemberRow, administrators: readonly string[], { userId, locale }: Reader): Member {
  const { departmentId, departmentName, deputyId } = row;
  return {
    id: row.id,
    identifierId: row.identifier,
    firstName: row.firstName,
    lastName: row.lastName,
    name: memberName(row),
    email: row.email,
    mobileCountryCode: row.mobileCountryCode,
    mobile: row.mobile,
    role: {
      id: row.roleId,
      name: roleNameOf(row.roleId, row.roleName, locale),
      system: systemRoleOf(row.roleId),
      active: row.roleActive ?? true,
    },
    department: departmentId === null || departmentName === null ? null : { id: departmentId, name: departmentName },
    status: row.status,
    onLeave: row.onLeave,
    deputy: deputyId === null ? null : { id: deputyId, name: deputyName(row) ?? '' },
    language: row.language,
    createdAt: row.createdAt.toISOString(),
    lastLoginAt: row.lastLoginAt?.toISOString() ?? null,
    activationExpiresAt: row.activationExpiresAt?.toISOString() ?? null,
    self: row.id === userId,
    lastAdministrator: administrators.length === 1 && administrators[0] === row.id,
  };
}
