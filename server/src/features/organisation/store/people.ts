import { sql } from 'kysely';
import type { Tx } from '../../../platform/database.ts';

/** A member who is not deleted, with role and department as they are now. */
export interface PersonRow {
  id: string;
  firstName: string;
  lastName: string;
  email: string;
  roleId: string;
  /** Of a role of the company's own; null for a system role. */
  roleName: string | null;
  roleActive: boolean | null;
  given: string[] | null;
  quotaUsdCents: bigint | null;
  departmentId: string | null;
  departmentName: string | null;
  status: 'invited' | 'active' | 'disabled';
  onLeave: boolean;
  deputyId: string | null;
}

/** Of a member `m`; a deleted one has none. */
export const memberStatus = sql<PersonRow['status']>`case when m.disabled_at is not null then 'disabled'
  when m.activated_at is null then 'invited' else 'active' end`;

/** All of the company, or those with these ids, in the order of their ids. */
export async function findPersonRows(tx: Tx, ids: readonly string[] | null): Promise<PersonRow[]> {
  const { rows } = await sql<PersonRow>`
    select m.id, m.first_name as "firstName", m.last_name as "lastName", m.email, m.role_id as "roleId",
      r.name as "roleName", r.active as "roleActive", r.permissions as given, r.quota_usd_cents as "quotaUsdCents",
      m.department_id as "departmentId", d.name as "departmentName", ${memberStatus} as status,
      m.on_leave as "onLeave", m.deputy_id as "deputyId"
    from member m
    left join role r on r.company_id = m.company_id and r.id = m.role_id
    left join department d on d.company_id = m.company_id and d.id = m.department_id
    where m.company_id = company_id() and m.deleted_at is null
      and (${ids === null} or m.id = any (${[...(ids ?? [])]}::uuid[]))
    order by m.id`.execute(tx);
  return rows;
}

/** Those who are disabled or deleted. */
export async function findInactive(tx: Tx): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from member where company_id = company_id() and disabled_at is not null`.execute(tx);
  return rows.map(({ id }) => id);
}

/** Some of a company's people, as whoever shows a page of work asks for them. */
export interface PeopleWanted {
  ids: readonly string[];
  /** Whoever holds one of these roles. */
  roleIds: readonly string[];
  /** Whoever's role, one of the company's own, gives one of these. */
  given: readonly string[];
  /** People on leave for whom one of these stands in. */
  deputies: readonly string[];
}

/** The ids of those wanted who are not deleted, and of the deputies of all of them. */
export async function findPeopleIds(tx: Tx, wanted: PeopleWanted): Promise<string[]> {
  const { ids, roleIds, given, deputies } = wanted;
  const { rows } = await sql<{ id: string }>`
    with wanted as (
      select m.id, m.deputy_id from member m
      where m.company_id = company_id() and m.deleted_at is null
        and (m.id = any (${[...ids]}::uuid[]) or m.role_id = any (${[...roleIds]}::uuid[])
          or (m.on_leave and m.deputy_id = any (${[...deputies]}::uuid[]))
          or m.role_id in (
            select r.id from role r where r.company_id = company_id() and r.permissions && ${[...given]}::text[]))
    )
    select id from wanted union select deputy_id from wanted where deputy_id is not null`.execute(tx);
  return rows.map(({ id }) => id);
}
