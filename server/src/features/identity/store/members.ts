import type { Language } from '@causeway/contract/locale.ts';
import { systemRoleIds } from '@causeway/contract/permission.ts';
import { sql } from 'kysely';
import type { Tx } from '../../../platform/database/database.ts';
import { memberName } from '../domain.ts';
import { type FreezeRow, freezeColumn } from '../freeze.ts';

export interface NewCompany {
  companyName: string;
  userId: string;
  identifier: string;
  email: string;
  language: Language;
  firstName: string;
  lastName: string;
  passwordHash: string;
}

/** The company of this transaction with its first member, an administrator. */
export async function insertCompany(tx: Tx, made: NewCompany): Promise<void> {
  await sql`insert into company (company_id, name) values (company_id(), ${made.companyName})`.execute(tx);
  await sql`
    insert into member (company_id, id, identifier, email, language, first_name, last_name, role_id)
    values (company_id(), ${made.userId}, ${made.identifier}, ${made.email}, ${made.language}, ${made.firstName},
      ${made.lastName}, ${systemRoleIds.administrator})`.execute(tx);
  await sql`
    insert into credential (company_id, user_id, password_hash)
    values (company_id(), ${made.userId}, ${made.passwordHash})`.execute(tx);
}

export interface MemberRow {
  id: string;
  identifier: string;
  email: string;
  firstName: string;
  lastName: string;
  companyName: string;
  language: Language;
  roleId: string;
  mobileCountryCode: string | null;
  mobile: string | null;
  hasOtp: boolean;
  createdAt: Date;
  lastLoginAt: Date | null;
  companyFreeze: FreezeRow | null;
}

export async function findMember(tx: Tx, userId: string): Promise<MemberRow | null> {
  const { rows } = await sql<MemberRow>`
    select m.id, m.identifier, m.email, m.first_name as "firstName", m.last_name as "lastName",
      company.name as "companyName", m.language, m.role_id as "roleId",
      m.mobile_country_code as "mobileCountryCode", m.mobile, c.totp_bound_at is not null as "hasOtp",
      m.created_at as "createdAt", m.last_login_at as "lastLoginAt",
      ${freezeColumn('company', sql`m.company_id`)} as "companyFreeze"
    from member m
    join company on company.company_id = m.company_id
    join credential c on c.company_id = m.company_id and c.user_id = m.id
    where m.company_id = company_id() and m.id = ${userId} and m.disabled_at is null`.execute(tx);
  return rows[0] ?? null;
}

export async function updateLanguage(tx: Tx, userId: string, language: Language): Promise<void> {
  await sql`
    update member set language = ${language} where company_id = company_id() and id = ${userId}`.execute(tx);
}

/** What a member may change of their own entry; the mobile number as `readMobile` gives it, or null. */
export interface Profile {
  firstName: string;
  lastName: string;
  mobileCountryCode: string | null;
  mobile: string | null;
}

/** Sets it and returns the previous value; null when there is no such member. */
export async function updateProfile(tx: Tx, userId: string, profile: Profile): Promise<Profile | null> {
  const { rows } = await sql<Profile>`
    update member set first_name = ${profile.firstName}, last_name = ${profile.lastName},
      mobile_country_code = ${profile.mobileCountryCode}, mobile = ${profile.mobile}
    from (select first_name, last_name, mobile_country_code, mobile from member
      where company_id = company_id() and id = ${userId} for update) as old
    where company_id = company_id() and id = ${userId}
    returning old.first_name as "firstName", old.last_name as "lastName",
      old.mobile_country_code as "mobileCountryCode", old.mobile`.execute(tx);
  return rows[0] ?? null;
}

/** Where and in which language a member is written to. */
export interface Contact {
  userId: string;
  email: string;
  language: Language;
}

/** Members who ever set a password, disabled and deleted ones included: for notices that must reach even those who were removed. */
export async function findFormerContact(tx: Tx, userId: string): Promise<Contact | null> {
  const { rows } = await sql<Contact>`
    select id as "userId", email, language from member
    where company_id = company_id() and id = ${userId} and activated_at is not null`.execute(tx);
  return rows[0] ?? null;
}

/** The active members; one of them when `userId` is given. */
export async function findContacts(tx: Tx, userId: string | null = null): Promise<Contact[]> {
  const { rows } = await sql<Contact>`
    select id as "userId", email, language from member
    where company_id = company_id() and disabled_at is null and activated_at is not null
      and (${userId}::uuid is null or id = ${userId}::uuid)
    order by id`.execute(tx);
  return rows;
}

/** A member who is to be mailed a link, with a password or without; null when disabled. */
export async function findInvitee(
  tx: Tx,
  userId: string,
): Promise<(Contact & { firstName: string; lastName: string; companyName: string }) | null> {
  const { rows } = await sql<Contact & { firstName: string; lastName: string; companyName: string }>`
    select m.id as "userId", m.email, m.language, m.first_name as "firstName", m.last_name as "lastName",
      company.name as "companyName"
    from member m join company on company.company_id = m.company_id
    where m.company_id = company_id() and m.id = ${userId} and m.disabled_at is null`.execute(tx);
  return rows[0] ?? null;
}

/** What members are called, those who are disabled included; all of the company for `null`. */
export async function findMemberNames(tx: Tx, ids: readonly string[] | null): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; firstName: string; lastName: string; email: string }>`
    select id, first_name as "firstName", last_name as "lastName", email from member
    where company_id = company_id() and (${ids === null} or id = any (${ids === null ? [] : [...ids]}::uuid[]))`.execute(
    tx,
  );
  return new Map(rows.map((row) => [row.id, memberName(row)]));
}

/** The name of this transaction's company. */
export async function findCompanyName(tx: Tx): Promise<string> {
  const { rows } = await sql<{ name: string }>`select name from company where company_id = company_id()`.execute(tx);
  return rows[0]?.name ?? '';
}

export interface CredentialRow {
  email: string;
  passwordHash: string;
  hasOtp: boolean;
  /** One that is not suspected to be a copy. */
  hasPasskey: boolean;
}

/** What a sign-in compares with; null when there is no such member, or a disabled one. */
export async function findCredential(tx: Tx, userId: string): Promise<CredentialRow | null> {
  const { rows } = await sql<CredentialRow>`
    select m.email, c.password_hash as "passwordHash", c.totp_bound_at is not null as "hasOtp",
      exists (select from passkey p
        where p.company_id = c.company_id and p.user_id = c.user_id and p.suspected_at is null) as "hasPasskey"
    from credential c join member m on m.company_id = c.company_id and m.id = c.user_id
    where c.company_id = company_id() and c.user_id = ${userId} and m.disabled_at is null`.execute(tx);
  return rows[0] ?? null;
}

/** Sets a password; with `unlessChanged`, only if the hash is still that one. False when nothing was changed. */
export async function updatePassword(
  tx: Tx,
  userId: string,
  passwordHash: string,
  unlessChanged: string | null = null,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update credential set password_hash = ${passwordHash}, password_changed_at = now()
    where company_id = company_id() and user_id = ${userId}
      and (${unlessChanged}::text is null or password_hash = ${unlessChanged}::text)`.execute(tx);
  return numAffectedRows === 1n;
}
