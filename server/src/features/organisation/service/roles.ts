import type { Body, Query } from '@causeway/contract/call.ts';
import type { Effect } from '@causeway/contract/effect.ts';
import { type Locale, locales } from '@causeway/contract/locale.ts';
import { parseAmount } from '@causeway/contract/money.ts';
import type {
  addRole as addCall,
  copyRole as copyCall,
  editRole as editCall,
  listRoles,
  Role,
} from '@causeway/contract/organisation.ts';
import {
  type Permission,
  systemRoleIds,
  systemRoleOf,
  systemRolePermissions,
  systemRoles,
  withImplied,
} from '@causeway/contract/permission.ts';
import { databaseError, type Tx } from '../../../platform/database/database.ts';
import { DomainError, invariant } from '../../../platform/domain-error.ts';
import { newId } from '../../../platform/ids.ts';
import type { SignedInContext } from '../../../platform/session.ts';
import { alikeTo } from '../../../platform/text/names.ts';
import { type Authority, difference, exceeds, refusedAt, tidyName } from '../domain.ts';
import { countByRole } from '../store/members.ts';
import { findPersonRows } from '../store/people.ts';
import {
  deleteRoleRow,
  findRoles,
  insertRole,
  lockRoleRow,
  type RoleContent,
  type RoleRow,
  updateRole,
} from '../store/roles.ts';
import {
  type Changing,
  change,
  changeOrPropose,
  type OrganisationContext,
  record,
  refuseCardRules,
  usesOf,
} from './change.ts';
import { tellControl } from './control.ts';
import { roleState } from './control-state.ts';
import { quotaDecimals, quotaText, systemRoleName } from './people.ts';

/** Any role of a company, as rules see it: what it allows if it is active. */
export interface AnyRole extends Authority {
  active: boolean;
}

/** A system role or one of the company's own; null when there is none. */
export async function findAnyRole(tx: Tx, id: string): Promise<AnyRole | null> {
  const system = systemRoleOf(id);
  if (system) return { permissions: systemRolePermissions[system], quotaUsdCents: null, active: true };
  const row = (await findRoles(tx)).find((role) => role.id === id);
  return row ? asAuthority(row) : null;
}

/** The system roles, then the company's own by name. */
export async function list(tx: Tx, { locale }: OrganisationContext, query: Query<typeof listRoles>): Promise<Role[]> {
  const keyword = query.keyword?.trim().toLowerCase() ?? '';
  const roles = await readRoles(tx, locale);
  return roles.filter(
    ({ name, active }) =>
      name.toLowerCase().includes(keyword) && (query.active === undefined || active === (query.active === 'true')),
  );
}

/** The permissions of one role. @throws DomainError roleNotFound */
export async function permissionsOfRole(
  tx: Tx,
  _context: OrganisationContext,
  { id }: { id: string },
): Promise<{ roleId: string; permissions: Permission[] }> {
  const role = await findAnyRole(tx, id);
  if (!role) throw new DomainError('roleNotFound');
  return { roleId: id, permissions: [...role.permissions] };
}

/** @throws DomainError roleExists, authorityExceeded, idTaken */
export async function add(tx: Tx, context: OrganisationContext, body: Body<typeof addCall>): Promise<Role> {
  return change(tx, context, 'role.manage', async (actor) => {
    const made = contentOf({ ...body, id: body.id ?? newId() });
    requireWithin(actor, made);
    await insertNamed(tx, made);
    await record(tx, context, 'addRole', { kind: 'role', id: made.id }, { after: sayRole(made) });
    return readRole(tx, made.id, context.locale);
  });
}

/**
 * Changes a role. Its members get the new rights with their next request.
 * @throws DomainError roleNotFound, roleIsSystem, roleExists, authorityExceeded
 */
export async function edit(tx: Tx, context: OrganisationContext, body: Body<typeof editCall>): Promise<Role & Effect> {
  return changeOrPropose(tx, context, editingRole(body));
}

export function editingRole(body: Body<typeof editCall>): Changing<Role> {
  return {
    kind: 'editRole',
    permission: 'role.manage',
    input: body,
    state: (tx) => roleState(tx, body.id),
    async make(tx, actor, context) {
      const before = await requireOwn(tx, actor, body.id);
      const after = contentOf(body);
      requireWithin(actor, after);
      await refuseTakenName(tx, after);
      const changed = difference(sayRole(before), sayRole(after));
      await tellOfChange(tx, context, before, { ...after, isChanged: Object.keys(changed.after).length > 0 });
      await refusingTaken(() => updateRole(tx, after));
      const detail = { name: after.name, ...changed };
      await record(tx, context, 'editRole', { kind: 'role', id: body.id }, detail);
      return readRole(tx, body.id, context.locale);
    },
  };
}

/** A role that lets, or let, its holders change approval rules concerns all who may, and them. */
async function tellOfChange(
  tx: Tx,
  context: SignedInContext,
  before: RoleContent,
  after: RoleContent & { isChanged: boolean },
): Promise<void> {
  const carries = [before, after].some(({ permissions }) => withImplied(permissions).includes('rule.manage'));
  if (!carries || !after.isChanged) return;
  const holders = (await findPersonRows(tx, null)).filter((row) => row.roleId === after.id && row.status === 'active');
  await tellControl(tx, context, {
    what: 'roleChanged',
    values: { role: before.name },
    link: `/app/role-management/${after.id}`,
    also: holders.map(({ id }) => id),
  });
}

/** @throws DomainError roleNotFound, roleIsSystem, roleInUse, cardRuleNames, authorityExceeded */
export async function remove(tx: Tx, context: OrganisationContext, { id }: { id: string }): Promise<void> {
  return change(tx, context, 'role.manage', async (actor) => {
    const before = await requireOwn(tx, actor, id);
    await lockRoleRow(tx, id);
    const members = (await countByRole(tx)).get(id) ?? 0;
    const uses = await usesOf(tx, context, id);
    const { rules, policies } = uses;
    if (members + rules + policies > 0) throw new DomainError('roleInUse', { members, rules, policies });
    refuseCardRules(uses);
    await deleteRoleRow(tx, id);
    await record(tx, context, 'deleteRole', { kind: 'role', id }, { before: sayRole(before) });
  });
}

/** Another role like this one, under a new name. @throws DomainError roleNotFound, roleExists, authorityExceeded, idTaken */
export async function copy(tx: Tx, context: OrganisationContext, body: Body<typeof copyCall>): Promise<Role> {
  return change(tx, context, 'role.manage', async (actor) => {
    const from = await findAnyRole(tx, body.id);
    if (!from) throw new DomainError('roleNotFound');
    requireWithin(actor, from);
    const made: RoleContent = {
      id: body.newId ?? newId(),
      name: tidyName(body.name),
      permissions: [...from.permissions],
      quotaUsdCents: from.quotaUsdCents,
      active: from.active,
    };
    await insertNamed(tx, made);
    await record(tx, context, 'copyRole', { kind: 'role', id: made.id }, { from: body.id, after: sayRole(made) });
    return readRole(tx, made.id, context.locale);
  });
}

/** A role of the company's own that is not beyond the actor's. @throws DomainError roleNotFound, roleIsSystem, authorityExceeded */
async function requireOwn(tx: Tx, actor: Authority, id: string): Promise<RoleRow> {
  if (systemRoleOf(id)) throw new DomainError('roleIsSystem');
  const row = (await findRoles(tx)).find((role) => role.id === id);
  if (!row) throw new DomainError('roleNotFound');
  requireWithin(actor, row);
  return row;
}

/** An inactive role counts for what it would allow. @throws DomainError authorityExceeded */
function requireWithin(
  actor: Authority,
  { permissions, quotaUsdCents }: Pick<RoleContent, 'quotaUsdCents'> & { permissions: readonly string[] },
): void {
  if (exceeds(actor, { permissions: withImplied(permissions), quotaUsdCents }))
    throw new DomainError('authorityExceeded');
}

async function insertNamed(tx: Tx, made: RoleContent): Promise<void> {
  await refuseTakenName(tx, made);
  await refusingTaken(() => insertRole(tx, made));
}

async function refusingTaken(write: () => Promise<void>): Promise<void> {
  try {
    await write();
  } catch (error) {
    const { constraint } = databaseError(error) ?? {};
    if (constraint === 'role_name') throw refusedAt('name', 'roleExists');
    // Among the system roles' ids, or among the company's.
    if (constraint === 'role_pkey' || constraint === 'role_id_check') throw new DomainError('idTaken');
    throw error;
  }
}

/** A role must not pass for another of the company, or for a system role in any language. @throws DomainError roleExists */
async function refuseTakenName(tx: Tx, { id, name }: Pick<RoleContent, 'id' | 'name'>): Promise<void> {
  const system = locales.flatMap((locale) => systemRoles.map((role) => systemRoleName(role, locale)));
  const own = (await findRoles(tx)).filter((role) => role.id !== id).map((role) => role.name);
  if ([...system, ...own].some(alikeTo(name))) throw refusedAt('name', 'roleExists');
}

function contentOf(form: Body<typeof editCall>): RoleContent {
  const { id, quotaUsd, active } = form;
  return {
    id,
    name: tidyName(form.name),
    permissions: withImplied(form.permissions),
    quotaUsdCents: quotaUsd === null ? null : centsOf(quotaUsd),
    active,
  };
}

function centsOf(text: string): bigint {
  const parsed = parseAmount(text, quotaDecimals);
  invariant(parsed.ok, 'the contract has checked the quota');
  return parsed.minor;
}

/** A role as the audit trail says it: amounts as text. */
function sayRole({ name, permissions, quotaUsdCents, active }: Omit<RoleContent, 'id'>) {
  return { name, permissions, quotaUsd: quotaText(quotaUsdCents), active };
}

function asAuthority({ permissions, quotaUsdCents, active }: RoleRow): AnyRole {
  return { permissions: withImplied(permissions), quotaUsdCents, active };
}

async function readRole(tx: Tx, id: string, locale: Locale): Promise<Role> {
  const found = (await readRoles(tx, locale)).find((role) => role.id === id);
  if (!found) throw new DomainError('roleNotFound');
  return found;
}

async function readRoles(tx: Tx, locale: Locale): Promise<Role[]> {
  const counts = await countByRole(tx);
  const system = systemRoles.map((role) => ({
    id: systemRoleIds[role],
    name: systemRoleName(role, locale),
    system: role,
    active: true,
    quotaUsd: null,
    permissions: [...systemRolePermissions[role]],
    memberCount: counts.get(systemRoleIds[role]) ?? 0,
    createdAt: null,
  }));
  const own = (await findRoles(tx)).map((row) => ({
    id: row.id,
    name: row.name,
    system: null,
    active: row.active,
    quotaUsd: quotaText(row.quotaUsdCents),
    permissions: withImplied(row.permissions),
    memberCount: counts.get(row.id) ?? 0,
    createdAt: row.createdAt.toISOString(),
  }));
  return [...system, ...own];
}
