import { type RawBuilder, sql } from 'kysely';
import type { CompaniesTx, Tx } from '../../../platform/database/database.ts';
import { uuids } from '../../../platform/database/sets.ts';

/** To what a member belongs, as policies and approval rules look at who submits. */
export interface Affiliation {
  /** Null for an unknown member. */
  roleId: string | null;
  /** Their department, then those above it; none without a department. */
  departmentIds: readonly string[];
}

/** Of each of these members, in order, in one statement; deleted members keep their role and belong to no department. */
export async function findAffiliations(
  tx: CompaniesTx,
  members: readonly { companyId: string; memberId: string }[],
): Promise<Affiliation[]> {
  const { rows } = await sql<Affiliation>`
    select m.role_id as "roleId", coalesce(${departmentsOf(sql`m`)}, '{}') as "departmentIds"
    from unnest(${uuids(members.map(({ companyId }) => companyId))}, ${members.map(({ memberId }) => memberId)}::uuid[])
      with ordinality as r (company_id, member_id, place)
    left join lateral (
      select company_id, role_id, department_id from member
      where company_id = r.company_id and id = r.member_id offset 0
    ) m on true
    order by r.place`.execute(tx);
  return rows;
}

/** Ids of the department of a row with `company_id` and `department_id` and of those above it, the nearest first; null without one. */
function departmentsOf(member: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`case when ${member}.department_id is not null then array(
    with recursive above (id, parent_id, distance) as (
      select d.id, d.parent_id, 0 from department d where d.company_id = ${member}.company_id and d.id = ${member}.department_id
      union all
      select d.id, d.parent_id, a.distance + 1 from above a
        join department d on d.company_id = ${member}.company_id and d.id = a.parent_id
    )
    select id from above order by distance
  ) end`;
}

/** Affiliations of all members of the company, deleted ones included, by the member's id. */
export async function findAllAffiliations(tx: Tx): Promise<Map<string, Affiliation>> {
  const { rows } = await sql<Affiliation & { id: string }>`
    select m.id, m.role_id as "roleId", coalesce(${departmentsOf(sql`m`)}, '{}') as "departmentIds"
    from member m where m.company_id = company_id()`.execute(tx);
  return new Map(rows.map(({ id, ...affiliation }) => [id, affiliation]));
}

/** What is named by an id: a member, a role or a department. */
export interface NamedRow {
  kind: 'member' | 'role' | 'department' | 'former';
  id: string;
  firstName: string;
  lastName: string;
  email: string;
  /** Of a role or a department. */
  name: string;
  gone: boolean;
}

/** Members, the company's own roles and departments by their ids, deleted ones included. */
export async function findNamedRows(tx: Tx, ids: readonly string[]): Promise<NamedRow[]> {
  const given = sql`${[...ids]}::uuid[]`;
  const { rows } = await sql<NamedRow>`
    select 'member' as kind, id, first_name as "firstName", last_name as "lastName", email, '' as name,
      deleted_at is not null as gone
    from member where company_id = company_id() and id = any (${given})
    union all select 'role', id, '', '', '', name, false from role where company_id = company_id() and id = any (${given})
    union all select 'department', id, '', '', '', name, false from department
      where company_id = company_id() and id = any (${given})
    union all select 'former', id, '', '', '', name, true from organisation_former
      where company_id = company_id() and id = any (${given})`.execute(tx);
  return rows;
}

/**
 * Keeps departments and roles of the company's own from being deleted until the transaction ends.
 * Their deletion locks the row before it counts what names it, so one of the two sees the other.
 */
export async function holdAffiliations(tx: Tx, ids: readonly string[]): Promise<void> {
  await sql`
    select from department where company_id = company_id() and id = any (${[...ids]}::uuid[]) order by id
    for key share`.execute(tx);
  await sql`
    select from role where company_id = company_id() and id = any (${[...ids]}::uuid[]) order by id for key share`.execute(
    tx,
  );
}
