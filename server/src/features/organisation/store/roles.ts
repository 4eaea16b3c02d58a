import { sql } from 'kysely';
import type { Tx } from '../../../platform/database/database.ts';

/** A role of the company's own. */
export interface RoleRow {
  id: string;
  name: string;
  permissions: string[];
  /** US cents, exclusive; null: unlimited. */
  quotaUsdCents: bigint | null;
  active: boolean;
  createdAt: Date;
}

export async function findRoles(tx: Tx): Promise<RoleRow[]> {
  const { rows } = await sql<RoleRow>`
    select id, name, permissions, quota_usd_cents as "quotaUsdCents", active, created_at as "createdAt" from role
    where company_id = company_id() order by lower(name), id`.execute(tx);
  return rows;
}

export type RoleContent = Omit<RoleRow, 'createdAt'>;

/** @throws a database error of the constraint `role_name` or `role_pkey` when that is taken */
export async function insertRole(tx: Tx, made: RoleContent): Promise<void> {
  await sql`
    insert into role (company_id, id, name, permissions, quota_usd_cents, active)
    values (company_id(), ${made.id}, ${made.name}, ${made.permissions}::text[], ${made.quotaUsdCents}::numeric,
      ${made.active})`.execute(tx);
}

/** @throws a database error of the constraint `role_name` when the name is taken */
export async function updateRole(tx: Tx, role: RoleContent): Promise<void> {
  await sql`
    update role set name = ${role.name}, permissions = ${role.permissions}::text[],
      quota_usd_cents = ${role.quotaUsdCents}::numeric, active = ${role.active}
    where company_id = company_id() and id = ${role.id}`.execute(tx);
}

/** Waits for what names it at this moment (`holdAffiliations`). */
export async function lockRoleRow(tx: Tx, id: string): Promise<void> {
  await sql`select from role where company_id = company_id() and id = ${id} for update`.execute(tx);
}

/** Its name is kept: policies and rules of the past name it. */
export async function deleteRoleRow(tx: Tx, id: string): Promise<void> {
  await sql`
    with gone as (delete from role where company_id = company_id() and id = ${id} returning id, name)
    insert into organisation_former (company_id, id, name) select company_id(), id, name from gone
    on conflict (company_id, id) do nothing`.execute(tx);
}
