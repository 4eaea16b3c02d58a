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
import { databaseError, type Tx } from '../../../platform/database/database.ts';
import { readPage } from '../../../platform/database/list.ts';
import { DomainError, invariant } from '../../../platform/domain-error.ts';
import { countEvent, eventsIn } from '../../../platform/http/throttle.ts';
import { newId } from '../../../platform/ids.ts';
import type { OpenContext, SignedInContext } from '../../../platform/session.ts';
import {
  changeEmail,
  claimEmail,
  findContacts,
  insertMember,
  type MemberForm,
  memberName,
  newIdentifier,
  refuseAlikeName,
  sayFreeze,
  updateMember,
} from '../../identity/index.ts';
import { type Authority, difference, exceeds, refusedAt, tidyName } from '../domain.ts';
import { isDepartment } from '../store/departments.ts';
import { findActiveAdministrators, findMemberRow, type MemberRow, memberList } from '../store/members.ts';
import {
  type Changing,
  changeOrPropose,
  holdingOf,
  type OrganisationContext,
  type OrganisationPorts,
  record,
} from './change.ts';
import { tellOfMember, tellOfRole } from './control.ts';
import { memberState } from './control-state.ts';
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
  tx: Tx,
  { session, locale }: OrganisationContext,
  query: Query<typeof listMembers>,
): Promise<OutputInput<typeof listMembers>> {
  const reader = { userId: session.userId, locale };
  const page = await readPage(tx, memberList, query, undefined);
  const administrators = await findActiveAdministrators(tx);
  return { ...page, items: page.items.map((row) => asMember(row, administrators, reader)) };
}

/**
 * Adds a member and mails the link to set a password, in the language given or else the administrator's own.
 * @throws DomainError memberEmailTaken, nameAlike, roleNotFound, roleInactive, departmentNotFound, authorityExceeded, idTaken,
 * tooManyRequests
 */
export async function add(
  context: OpenContext & OrganisationPorts,
  body: Body<typeof addCall>,
): Promise<Member & Effect> {
  return countingTaken(context, addingMember(context, { ...body, id: body.id ?? newId() }));
}

export function addingMember(ports: OrganisationPorts, body: Body<typeof addCall> & { id: string }): Changing<Member> {
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
      await ports.issueActivation(tx, id, 'activation', context.session.userName);
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
  context: OpenContext & OrganisationPorts,
  body: Body<typeof editCall>,
): Promise<Member & Effect> {
  return countingTaken(context, editingMember(context, body));
}

export function editingMember(ports: OrganisationPorts, body: Body<typeof editCall>): Changing<Member> {
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
        for (const work of ports.openWork) await work.leaves(tx, row.id, becoming);
      }
      if (body.departmentId !== row.departmentId) await requireDepartment(tx, body.departmentId);
      const form = formOf(body);
      if (memberName({ ...row, ...form }) !== memberName(row)) await refuseAlikeName(tx, row.id, form);
      await updateMember(tx, row.id, form);
      if (body.email !== row.email) await changeAddress(tx, { ports, by: context.session.userName }, row, body.email);
      const changed = difference(sayMember(row), sayMember(await requireRow(tx, row.id)));
      await record(tx, context, 'editMember', { kind: 'member', id: row.id }, changed);
      return readMember(tx, row.id, context);
    },
  };
}

async function changeAddress(
  tx: Tx,
  { ports, by }: { ports: OrganisationPorts; by: string },
  row: MemberRow,
  email: string,
): Promise<void> {
  if (row.activated) throw refusedAt('email', 'memberEmailFixed');
  if (!(await changeEmail(tx, row.id, email))) throw refusedAt('email', 'memberEmailTaken');
  // Links that went to the address before must not work any more.
  if (row.status === 'invited') await ports.issueActivation(tx, row.id, 'activation', by);
}

/** Refusals for a taken address that an hour of one company may see: it reveals that the address has an account here. */
const takenLimit = 30;
const takenWindowMs = 3_600_000;

/** Counts in a transaction of its own, since the change is rolled back. */
async function countingTaken(
  context: OpenContext & OrganisationPorts,
  changing: Changing<Member>,
): Promise<Member & Effect> {
  const { database, session } = context;
  const bucket = `member:taken:${session.companyId}`;
  const seen = await database.withoutCompany((tx) => eventsIn(tx, bucket));
  if (seen >= takenLimit) throw new DomainError('tooManyRequests');
  try {
    return await database.withCompany(session.companyId, (tx) => changeOrPropose(tx, context, changing));
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
    frozen: sayFreeze(row.freeze, locale),
  };
}
