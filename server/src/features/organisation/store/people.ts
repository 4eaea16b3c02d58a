import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../../platform/database/database.ts';
import { type AuthorityChangeRow, authorityChanges, ownCompany } from './authority.ts';

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
    ${personRows(sql`(${ids === null} or m.id = any (${[...(ids ?? [])]}::uuid[]))`)} order by m.id`.execute(tx);
  return rows;
}

function personRows(condition: RawBuilder<unknown>, company: RawBuilder<unknown> = ownCompany): RawBuilder<unknown> {
  return sql`
    select m.id, m.first_name as "firstName", m.last_name as "lastName", m.email, m.role_id as "roleId",
      r.name as "roleName", r.active as "roleActive", r.permissions as given, r.quota_usd_cents as "quotaUsdCents",
      m.department_id as "departmentId", d.name as "departmentName", ${memberStatus} as status,
      m.on_leave as "onLeave", m.deputy_id as "deputyId"
    from member m
    left join role r on r.company_id = m.company_id and r.id = m.role_id
    left join department d on d.company_id = m.company_id and d.id = m.department_id
    where m.company_id = ${company} and m.deleted_at is null and ${condition}`;
}

/** As `peopleColumn` has them; numbers beyond JSON's and times as text. */
export interface PeopleJson {
  people: (Omit<PersonRow, 'quotaUsdCents'> & { quotaUsdCents: string | null })[];
  changes: (Omit<AuthorityChangeRow, 'at'> & { at: string })[];
}

/**
 * Members by id or role, their deputies, and the changes of what they can do, as one value (`PeopleJson`). A column in `company` is
 * named with its table, which is called none of `wanted`, `found`, `given`, `one`, `authority_change`, `c`, `d`, `m`, `p`, `r`.
 */
export function peopleJson(
  ids: RawBuilder<unknown>,
  roleIds: RawBuilder<unknown>,
  company: RawBuilder<unknown> = ownCompany,
): RawBuilder<unknown> {
  const found = sql`array(select id from found)`;
  return sql`(
    with wanted as (
      ${wantedBy(sql`m.id`, ids, company)} union all ${wantedBy(sql`m.role_id`, roleIds, company)}
    ), found as (
      select id from wanted union select deputy_id from wanted where deputy_id is not null
    )
    select jsonb_build_object(
      'people', (select coalesce(jsonb_agg(to_jsonb(p) || jsonb_build_object('quotaUsdCents', p."quotaUsdCents"::text) order by p.id), '[]')
        from found cross join lateral (${personRows(sql`m.id = found.id`, company)} offset 0) p),
      'changes', (select coalesce(jsonb_agg(to_jsonb(c) order by c.at, c.id), '[]')
        from (${authorityChanges(sql`member_id = any (${found})`, company)}) c))
  )`;
}

/** Members by a column that has an index: a look-up for each value, and never all of the company. */
function wantedBy(column: RawBuilder<unknown>, values: RawBuilder<unknown>, company: RawBuilder<unknown>) {
  return sql`
    select one.id, one.deputy_id from unnest(${values}) as given (value) cross join lateral (
      select m.id, m.deputy_id from member m
      where m.company_id = ${company} and m.deleted_at is null and ${column} = given.value offset 0
    ) one`;
}

/** Those who are disabled or deleted. */
export async function findInactive(tx: Tx): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from member where company_id = company_id() and disabled_at is not null`.execute(tx);
  return rows.map(({ id }) => id);
}

/** Some of a company's people, as a page of work needs them. */
export interface PeopleWanted {
  ids: readonly string[];
  /** Holders of these roles. */
  roleIds: readonly string[];
  /** Holders of the company's own roles that give one of these permissions. */
  given: readonly string[];
  /** People on leave whose deputy is one of these. */
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
