import type { Language } from '@causeway/contract/locale.ts';
import type { MemberSort } from '@causeway/contract/organisation-rules.ts';
import { systemRoleIds } from '@causeway/contract/permission.ts';
import { sql } from 'kysely';
import type { Tx } from '../../../platform/database.ts';
import { memberStatus, type PersonRow } from './people.ts';

/** A member as the list shows it. */
export interface MemberRow extends PersonRow {
  identifier: string;
  mobileCountryCode: string | null;
  mobile: string | null;
  activated: boolean;
  language: Language;
  deputyFirstName: string | null;
  deputyLastName: string | null;
  deputyEmail: string | null;
  createdAt: Date;
  lastLoginAt: Date | null;
  /** Of the link that an invited member can still use. */
  activationExpiresAt: Date | null;
  /** What the list is sorted by, as text. */
  sortKey: string;
}

export interface MemberFilter {
  keyword: string | null;
  status: PersonRow['status'] | null;
  roleId: string | null;
  departmentId: string | null;
  unassigned: boolean;
  id: string | null;
}

const everybody: MemberFilter = {
  keyword: null,
  status: null,
  roleId: null,
  departmentId: null,
  unassigned: false,
  id: null,
};

const utc = (column: 'created_at' | 'last_login_at') =>
  sql`coalesce(to_char(m.${sql.ref(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), '')`;
const sortKeys = {
  name: sql`lower(coalesce(nullif(trim(m.first_name || ' ' || m.last_name), ''), m.email))`,
  email: sql`lower(m.email)`,
  createdAt: utc('created_at'),
  lastLoginAt: utc('last_login_at'),
} satisfies Record<MemberSort, unknown>;

function condition(filter: MemberFilter) {
  const { keyword, status, roleId, departmentId, unassigned, id } = filter;
  return sql`m.company_id = company_id() and m.deleted_at is null
    and (${id}::uuid is null or m.id = ${id}::uuid)
    and (${status}::text is null or ${memberStatus} = ${status})
    and (${roleId}::uuid is null or m.role_id = ${roleId}::uuid)
    and (${departmentId}::uuid is null or m.department_id = ${departmentId}::uuid)
    and (not ${unassigned} or m.department_id is null)
    and (${keyword}::text is null
      or strpos(lower(m.first_name || ' ' || m.last_name || ' ' || m.first_name || chr(10) || m.last_name || m.first_name
        || chr(10) || m.email), lower(${keyword})) > 0
      or strpos('+' || m.mobile_country_code || m.mobile, nullif(regexp_replace(${keyword}, '[[:space:]-]', '', 'g'), '')) > 0)`;
}

export interface MemberOrder {
  sort: MemberSort;
  descending: boolean;
}

/** Members who are not deleted, sorted, from after a cursor on. */
export async function listMemberRows(
  tx: Tx,
  filter: MemberFilter,
  { sort, descending }: MemberOrder,
  after: { key: string; id: string } | null,
  limit: number,
): Promise<MemberRow[]> {
  const key = sortKeys[sort];
  const from = after ?? { key: null, id: null };
  const direction = descending ? sql`desc` : sql`asc`;
  const beyond = descending ? sql`<` : sql`>`;
  const { rows } = await sql<MemberRow>`
    select m.id, m.identifier, m.first_name as "firstName", m.last_name as "lastName", m.email,
      m.mobile_country_code as "mobileCountryCode", m.mobile, m.activated_at is not null as activated, m.language,
      m.role_id as "roleId", r.name as "roleName", r.active as "roleActive", r.permissions as given,
      r.quota_usd_cents as "quotaUsdCents", m.department_id as "departmentId", d.name as "departmentName",
      ${memberStatus} as status, m.on_leave as "onLeave", m.deputy_id as "deputyId",
      deputy.first_name as "deputyFirstName", deputy.last_name as "deputyLastName", deputy.email as "deputyEmail",
      m.created_at as "createdAt", m.last_login_at as "lastLoginAt", ${key} as "sortKey",
      (select max(t.expires_at) from activation_token t where t.company_id = m.company_id and t.user_id = m.id
        and t.used_at is null and t.replaced_at is null and m.activated_at is null) as "activationExpiresAt"
    from member m
    left join role r on r.company_id = m.company_id and r.id = m.role_id
    left join department d on d.company_id = m.company_id and d.id = m.department_id
    left join member deputy on deputy.company_id = m.company_id and deputy.id = m.deputy_id
    where ${condition(filter)}
      and (${from.id}::uuid is null or (${key}, m.id) ${beyond} (${from.key}::text, ${from.id}::uuid))
    order by ${key} ${direction}, m.id ${direction} limit ${limit}`.execute(tx);
  return rows;
}

/** How many there are, counted no further than `most`. */
export async function countMembers(tx: Tx, filter: MemberFilter, most: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) from (select from member m where ${condition(filter)} limit ${most}) as matching`.execute(tx);
  return rows[0]?.count ?? 0;
}

/** A member who is not deleted. */
export async function findMemberRow(tx: Tx, id: string): Promise<MemberRow | null> {
  const order = { sort: 'name', descending: false } as const;
  return (await listMemberRows(tx, { ...everybody, id }, order, null, 1))[0] ?? null;
}

/** The active administrators of the company. */
export async function findActiveAdministrators(tx: Tx): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from member where company_id = company_id() and role_id = ${systemRoleIds.administrator}
      and disabled_at is null and activated_at is not null order by id`.execute(tx);
  return rows.map(({ id }) => id);
}

/** Members on leave who named this one as deputy. */
export async function countDeputyFor(tx: Tx, id: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) from member where company_id = company_id() and deputy_id = ${id} and on_leave
      and deleted_at is null`.execute(tx);
  return rows[0]?.count ?? 0;
}

/** How many members hold each role. */
export async function countByRole(tx: Tx): Promise<Map<string, number>> {
  const { rows } = await sql<{ roleId: string; count: number }>`
    select role_id as "roleId", count(*) from member where company_id = company_id() and deleted_at is null
    group by role_id`.execute(tx);
  return new Map(rows.map(({ roleId, count }) => [roleId, count]));
}
