import type { Language } from '@causeway/contract/locale.ts';
import { listMembers } from '@causeway/contract/organisation.ts';
import { systemRoleIds } from '@causeway/contract/permission.ts';
import { sql } from 'kysely';
import type { CompaniesTx, Tx } from '../../../platform/database/database.ts';
import { defineList, readRows } from '../../../platform/database/list.ts';
import { type FreezeRow, freezeColumn } from '../../identity/index.ts';
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
  /** By the operator. */
  freeze: FreezeRow | null;
}

/** Members who are not deleted. */
export const memberList = defineList(listMembers, {
  from: () => sql`member m
    left join role r on r.company_id = m.company_id and r.id = m.role_id
    left join department d on d.company_id = m.company_id and d.id = m.department_id
    left join member deputy on deputy.company_id = m.company_id and deputy.id = m.deputy_id`,
  where: () => sql`m.company_id = company_id() and m.deleted_at is null`,
  filters: {
    id: (id) => sql`m.id = ${id}::uuid`,
    status: (status) => sql`${memberStatus} = ${status}`,
    roleId: (id) => sql`m.role_id = ${id}::uuid`,
    departmentId: (id) => sql`m.department_id = ${id}::uuid`,
    unassigned: (unassigned) => (unassigned === 'true' ? sql`m.department_id is null` : null),
    keyword: hasKeyword,
  },
  columns: () => sql<MemberRow>`
    m.id, m.identifier, m.first_name as "firstName", m.last_name as "lastName", m.email,
    m.mobile_country_code as "mobileCountryCode", m.mobile, m.activated_at is not null as activated, m.language,
    m.role_id as "roleId", r.name as "roleName", r.active as "roleActive", r.permissions as given,
    r.quota_usd_cents as "quotaUsdCents", m.department_id as "departmentId", d.name as "departmentName",
    ${memberStatus} as status, m.on_leave as "onLeave", m.deputy_id as "deputyId",
    deputy.first_name as "deputyFirstName", deputy.last_name as "deputyLastName", deputy.email as "deputyEmail",
    m.created_at as "createdAt", m.last_login_at as "lastLoginAt",
    ${freezeColumn('member', sql`m.id`)} as freeze,
    (select max(t.expires_at) from activation_token t where t.company_id = m.company_id and t.user_id = m.id
      and t.used_at is null and t.replaced_at is null and m.activated_at is null) as "activationExpiresAt"`,
  orders: {
    name: { by: sql`lower(coalesce(nullif(trim(m.first_name || ' ' || m.last_name), ''), m.email))`, kind: 'text' },
    email: { by: sql`lower(m.email)`, kind: 'text' },
    createdAt: { by: sql`m.created_at`, kind: 'time' },
    lastLoginAt: { by: sql`coalesce(m.last_login_at, 'epoch')`, kind: 'time' },
  },
  first: { sort: 'name', order: 'asc' },
  id: sql`m.id`,
});

/** In names, the email address and the mobile number; a number may be typed with spaces and hyphens. */
function hasKeyword(keyword: string) {
  const sought = keyword.trim();
  if (sought === '') return null;
  return sql`(strpos(lower(m.first_name || ' ' || m.last_name || ' ' || m.first_name || chr(10) || m.last_name
      || m.first_name || chr(10) || m.email), lower(${sought})) > 0
    or strpos('+' || m.mobile_country_code || m.mobile,
      nullif(regexp_replace(${sought}, '[[:space:]-]', '', 'g'), '')) > 0)`;
}

/** A member who is not deleted. */
export async function findMemberRow(tx: Tx, id: string): Promise<MemberRow | null> {
  return (await readRows(tx, memberList, { id }, undefined, 1)).items[0] ?? null;
}

/** The active administrators of the company. */
export async function findActiveAdministrators(tx: Tx): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select m.id from member m where m.company_id = company_id() and ${isActiveAdministrator} order by m.id`.execute(tx);
  return rows.map(({ id }) => id);
}

/** The same of those of these companies whose setting mails transfers' codes to administrators; a company without a row does not. */
export async function findCodeAdministrators(
  tx: CompaniesTx,
  companyIds: readonly string[],
): Promise<Map<string, string[]>> {
  const { rows } = await sql<{ companyId: string; ids: string[] }>`
    select s.company_id as "companyId", m.ids from company_setting s
    cross join lateral (
      select array_agg(m.id order by m.id) as ids from member m where m.company_id = s.company_id and ${isActiveAdministrator}
    ) m
    where s.company_id = any (${companyIds}::uuid[]) and s.code_recipient = 'administrator' and m.ids is not null`.execute(
    tx,
  );
  return new Map(rows.map(({ companyId, ids }) => [companyId, ids]));
}

const isActiveAdministrator = sql`m.role_id = ${systemRoleIds.administrator} and m.disabled_at is null and m.activated_at is not null`;

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
