import type { Language } from '@causeway/contract/locale.ts';
import { systemRoleIds } from '@causeway/contract/permission.ts';
import { sql } from 'kysely';
import type { Tx } from '../../../platform/database/database.ts';

/** What organisation changes of a member; the row is identity's, so the writing is too. */

/** A member's form, checked and normalised. */
export interface MemberForm {
  firstName: string;
  lastName: string;
  roleId: string;
  departmentId: string;
  mobileCountryCode: string;
  mobile: string;
}

export interface NewMember extends MemberForm {
  id: string;
  identifier: string;
  email: string;
  language: Language;
}

/** A member who has no password yet. The email must have been claimed. */
export async function insertMember(tx: Tx, made: NewMember): Promise<void> {
  await sql`
    insert into member (company_id, id, identifier, email, first_name, last_name, language, role_id, department_id,
      mobile_country_code, mobile, activated_at)
    values (company_id(), ${made.id}, ${made.identifier}, ${made.email}, ${made.firstName}, ${made.lastName},
      ${made.language}, ${made.roleId}, ${made.departmentId}, ${made.mobileCountryCode}, ${made.mobile}, null)`.execute(
    tx,
  );
}

export async function updateMember(tx: Tx, id: string, form: MemberForm): Promise<void> {
  await sql`
    update member set first_name = ${form.firstName}, last_name = ${form.lastName}, role_id = ${form.roleId},
      department_id = ${form.departmentId}, mobile_country_code = ${form.mobileCountryCode}, mobile = ${form.mobile}
    where company_id = company_id() and id = ${id}`.execute(tx);
}

/** Another address for a member who has set no password; false when it is taken. */
export async function changeEmail(tx: Tx, id: string, email: string): Promise<boolean> {
  const { rows } = await sql<{ changed: boolean }>`
    select identity_change_email(${id}, ${email}) as changed`.execute(tx);
  return rows[0]?.changed ?? false;
}

export async function updateDisabled(tx: Tx, id: string, disabled: boolean): Promise<void> {
  await sql`
    update member set disabled_at = case when ${disabled} then coalesce(disabled_at, now()) end
    where company_id = company_id() and id = ${id}`.execute(tx);
}

/**
 * Takes a member out of every list; members who named them as deputy have none. The row stays for what it did, but is in the way of
 * no role's or department's deletion.
 */
export async function markMemberDeleted(tx: Tx, id: string): Promise<void> {
  await sql`
    update member set deputy_id = null where company_id = company_id() and deputy_id = ${id}`.execute(tx);
  await sql`
    update member set deleted_at = now(), disabled_at = coalesce(disabled_at, now()), department_id = null,
      on_leave = false, deputy_id = null, role_id = ${systemRoleIds.viewer}
    where company_id = company_id() and id = ${id}`.execute(tx);
}

export async function updateLeave(tx: Tx, id: string, onLeave: boolean, deputyId: string | null): Promise<void> {
  await sql`
    update member set on_leave = ${onLeave}, deputy_id = ${deputyId}
    where company_id = company_id() and id = ${id}`.execute(tx);
}

/** Puts members into a department, or into none. */
export async function updateDepartment(tx: Tx, ids: readonly string[], departmentId: string | null): Promise<void> {
  await sql`
    update member set department_id = ${departmentId}
    where company_id = company_id() and id = any (${[...ids]}::uuid[])`.execute(tx);
}
