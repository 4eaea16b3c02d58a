import type { Locale } from '@causeway/contract/locale.ts';
import { type Permission, systemRoleIds, systemRolePermissions } from '@causeway/contract/permission.ts';
import { sql } from 'kysely';
import type { Tx } from '../../../platform/database.ts';

/** Everybody of the company who is not deleted, with what approvals must know. */
export interface Person {
  id: string;
  name: string;
  email: string;
  roleId: string;
  roleName: string;
  departmentId: string | null;
  departmentName: string | null;
  status: 'invited' | 'active' | 'disabled';
  onLeave: boolean;
  deputyId: string | null;
  /** US dollars, exclusive (value < quota); null: unlimited. Of the role. */
  quotaUsd: string | null;
  permissions: readonly Permission[];
}

/** Everybody of the company, read from the members alone until organisation offers the same. */
export async function findPeople(tx: Tx, ids?: readonly string[], _locale?: Locale): Promise<Person[]> {
  const { rows } = await sql<{
    id: string;
    name: string;
    email: string;
    role: keyof typeof systemRoleIds;
    disabled: boolean;
  }>`
    select id, trim(first_name || ' ' || last_name) as name, email, role, disabled_at is not null as disabled from member
    where company_id = company_id() and (${ids ? [...ids] : null}::uuid[] is null or id = any (${ids ? [...ids] : null}::uuid[]))
    order by id`.execute(tx);
  return rows.map(({ id, name, email, role, disabled }) => ({
    id,
    name: name === '' ? email : name,
    email,
    roleId: systemRoleIds[role],
    roleName: role,
    departmentId: null,
    departmentName: null,
    status: disabled ? 'disabled' : 'active',
    onLeave: false,
    deputyId: null,
    quotaUsd: null,
    permissions: disabled ? [] : systemRolePermissions[role],
  }));
}

/** The company's roles by id, the system's included. */
export async function findRoleNames(
  _tx: Tx,
  _locale?: Locale,
): Promise<Map<string, { name: string; active: boolean; quotaUsd: string | null }>> {
  return new Map(Object.entries(systemRoleIds).map(([name, id]) => [id, { name, active: true, quotaUsd: null }]));
}
