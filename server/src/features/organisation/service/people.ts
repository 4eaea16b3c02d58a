import { defaultLocale, type Locale } from '@causeway/contract/locale.ts';
import { formatAmount } from '@causeway/contract/money.ts';
import type { MemberStatus } from '@causeway/contract/organisation-rules.ts';
import {
  type Permission,
  permissions,
  type SystemRole,
  systemRoleIds,
  systemRoleOf,
  systemRolePermissions,
  systemRoles,
  withImplied,
} from '@causeway/contract/permission.ts';
import type { RawBuilder } from 'kysely';
import type { Tx } from '../../../platform/database/database.ts';
import { translate } from '../../../platform/text/texts.ts';
import { memberName, permissionsOf } from '../../identity/index.ts';
import { type AuthorityChangeRow, findAuthorityChanges } from '../store/authority.ts';
import { findPeopleIds, findPersonRows, type PeopleJson, type PersonRow, peopleJson } from '../store/people.ts';
import { findRoles } from '../store/roles.ts';

/** A member who is not deleted, with what approvals must know. */
export interface Person {
  id: string;
  name: string;
  email: string;
  roleId: string;
  /** A system role's is in the language that was asked for. */
  roleName: string;
  departmentId: string | null;
  departmentName: string | null;
  status: MemberStatus;
  onLeave: boolean;
  deputyId: string | null;
  /** US dollars, exclusive (value < quota), with two decimals; null: unlimited. Of the role. */
  quotaUsd: string | null;
  /** Effective permissions: those of the role, none when the role is inactive or the person is not active. */
  permissions: readonly Permission[];
  /** The changes of what they can do that matter to pending tasks, the oldest first. */
  changes: readonly AuthorityChange[];
}

/** A change of what a member can do: by whom, what it was before, and whether they gained by it. */
export type AuthorityChange = Omit<AuthorityChangeRow, 'memberId'>;

/** Decimals of a quota: US cents. */
export const quotaDecimals = 2;

/** Everyone of the company who is not deleted, or those of them with these ids, ordered by id. */
export async function findPeople(tx: Tx, ids?: readonly string[], locale: Locale = defaultLocale): Promise<Person[]> {
  const rows = await findPersonRows(tx, ids ?? null);
  return withChanges(rows, await findAuthorityChanges(tx, ids ?? null), locale);
}

/** A member who is disabled, as they would be if they were not; null when there is none. */
export async function findAsActive(tx: Tx, id: string): Promise<Person | null> {
  const rows = await findPersonRows(tx, [id]);
  const active = rows.map((row) => ({ ...row, status: 'active' as const }));
  return withChanges(active, await findAuthorityChanges(tx, [id]), defaultLocale)[0] ?? null;
}

/**
 * The same as a column of another feature's statement, so that it needs no statement of its own: an expression whose value
 * `asPeople` reads. Members whose id or role is in these arrays, who are not deleted, with their deputies; of the transaction's
 * company, or of the one that `company` is in a statement about several (a column of a table called `request`, say).
 */
export function peopleColumn(
  ids: RawBuilder<unknown>,
  roleIds: RawBuilder<unknown>,
  company?: RawBuilder<unknown>,
): RawBuilder<unknown> {
  return peopleJson(ids, roleIds, company);
}

/** What a `peopleColumn` holds. */
export function asPeople(column: unknown, locale: Locale = defaultLocale): Person[] {
  const { people, changes } = column as PeopleJson;
  return withChanges(
    people.map((row) => ({ ...row, quotaUsdCents: row.quotaUsdCents === null ? null : BigInt(row.quotaUsdCents) })),
    changes.map((change) => ({ ...change, at: new Date(change.at) })),
    locale,
  );
}

function withChanges(rows: readonly PersonRow[], changes: readonly AuthorityChangeRow[], locale: Locale): Person[] {
  return rows.map((row) => ({
    ...asPerson(row, locale),
    changes: changes.filter(({ memberId }) => memberId === row.id),
  }));
}

/** Whom a page of work names: people, holders of roles or of a permission, and those with one of these deputies. */
export interface Named {
  ids: readonly string[];
  roleIds?: readonly string[];
  /** Those who hold one of these. */
  holding?: readonly Permission[];
  deputies?: readonly string[];
}

/** Those named who are not deleted, with their deputies: so that a page does not read the whole company. */
export async function findNamedPeople(tx: Tx, named: Named, locale: Locale = defaultLocale): Promise<Person[]> {
  const { ids, roleIds = [], holding: sought = [], deputies = [] } = named;
  const gives = (all: readonly Permission[]) => sought.some((permission) => all.includes(permission));
  const holding = systemRoles.filter((role) => gives(systemRolePermissions[role])).map((role) => systemRoleIds[role]);
  const given = permissions.filter((name) => gives(withImplied([name])));
  const wanted = { ids, roleIds: [...roleIds, ...holding], given, deputies };
  return findPeople(tx, await findPeopleIds(tx, wanted), locale);
}

function asPerson(row: PersonRow, locale: Locale): Omit<Person, 'changes'> {
  const works = row.status === 'active' && row.roleActive !== false;
  return {
    id: row.id,
    name: memberName(row),
    email: row.email,
    roleId: row.roleId,
    roleName: roleNameOf(row.roleId, row.roleName, locale),
    departmentId: row.departmentId,
    departmentName: row.departmentName,
    status: row.status,
    onLeave: row.onLeave,
    deputyId: row.deputyId,
    quotaUsd: quotaText(row.quotaUsdCents),
    permissions: works ? permissionsOf(row.roleId, row.given) : [],
  };
}

export function quotaText(cents: bigint | null): string | null {
  return cents === null ? null : formatAmount(cents, quotaDecimals);
}

/** The names of all roles by id, the system roles first: theirs are in the given language. */
export async function findRoleNames(
  tx: Tx,
  locale: Locale = defaultLocale,
): Promise<Map<string, { name: string; active: boolean; quotaUsd: string | null; approves: boolean }>> {
  const system = systemRoles.map(
    (role) =>
      [
        systemRoleIds[role],
        {
          name: systemRoleName(role, locale),
          active: true,
          quotaUsd: null,
          approves: systemRolePermissions[role].includes('approval.decide'),
        },
      ] as const,
  );
  const own = (await findRoles(tx)).map(
    ({ id, name, active, quotaUsdCents, permissions }) =>
      [
        id,
        { name, active, quotaUsd: quotaText(quotaUsdCents), approves: permissions.includes('approval.decide') },
      ] as const,
  );
  return new Map([...system, ...own]);
}

/** What a role is called: a system role in the reader's language, another as it was named. */
export function roleNameOf(roleId: string, ownName: string | null, locale: Locale): string {
  const system = systemRoleOf(roleId);
  return system ? systemRoleName(system, locale) : (ownName ?? '');
}

export function systemRoleName(role: SystemRole, locale: Locale): string {
  return translate(locale, `role.${role}`);
}
