import type { Language } from '@causeway/contract/locale.ts';
import { listOperators } from '@causeway/contract/operator.ts';
import type { OperatorRole, OperatorState } from '@causeway/contract/operator-rules.ts';
import { type RawBuilder, sql } from 'kysely';
import type { PlatformTx, Tx } from '../../../../platform/database/database.ts';
import { contains, defineList } from '../../../../platform/database/list.ts';

export interface AccountRow {
  id: string;
  email: string;
  name: string;
  role: OperatorRole;
  state: OperatorState;
  language: Language;
  createdAt: Date;
  /** Null until the link of the invitation, or of the last reset, was used. */
  activatedAt: Date | null;
  lastSignInAt: Date | null;
}

const columns: RawBuilder<AccountRow> = sql`o.id, o.email, o.name, o.role, o.state, o.language, o.created_at as "createdAt",
  o.activated_at as "activatedAt", o.last_sign_in_at as "lastSignInAt"`;

export const staffList = defineList(listOperators, {
  from: () => sql`operator_account o`,
  where: () => sql`true`,
  filters: {
    id: (id) => sql`o.id = ${id}`,
    state: (state) => sql`o.state = ${state}`,
    role: (role) => sql`o.role = ${role}`,
    keyword: (keyword) => contains(sql`o.name || chr(10) || o.email`, keyword),
  },
  columns: () => columns,
  orders: { name: { by: sql`lower(o.name)`, kind: 'text' } },
  first: { sort: 'name', order: 'asc' },
  id: sql`o.id`,
});

/** Every change of the staff takes this lock first, so that two of them never judge the same state. Arbitrary, and no other lock's. */
const staffLock = 5_402_150;

export async function lockStaff(tx: PlatformTx): Promise<void> {
  await sql`select pg_advisory_xact_lock(${staffLock}::bigint)`.execute(tx);
}

export async function findAccount(tx: PlatformTx, id: string): Promise<AccountRow | null> {
  const { rows } = await sql<AccountRow>`select ${columns} from operator_account o where o.id = ${id}`.execute(tx);
  return rows[0] ?? null;
}

export async function findAccountByEmail(tx: PlatformTx, email: string): Promise<AccountRow | null> {
  const { rows } = await sql<AccountRow>`
    select ${columns} from operator_account o where lower(o.email) = lower(${email})`.execute(tx);
  return rows[0] ?? null;
}

/** Everyone, by name: for the command line. */
export async function findAccounts(tx: PlatformTx): Promise<AccountRow[]> {
  const { rows } = await sql<AccountRow>`
    select ${columns} from operator_account o order by lower(o.name), o.id`.execute(tx);
  return rows;
}

/** The names of these operators, or of all (`null`), those who are disabled included. */
export async function findStaffNames(tx: PlatformTx, ids: readonly string[] | null): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; name: string }>`
    select id, name from operator_account
    where ${ids === null} or id = any (${[...(ids ?? [])]}::uuid[]) order by lower(name), id`.execute(tx);
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** How many may still administrate without this one. */
export async function countOtherAdministrators(tx: PlatformTx, id: string): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from operator_account
    where role = 'administrator' and state = 'active' and id <> ${id}`.execute(tx);
  return rows[0]?.n ?? 0;
}

/** How many operators of these roles can sign in. */
export async function countActive(tx: PlatformTx, roles: readonly OperatorRole[]): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from operator_account
    where state = 'active' and role = any (${[...roles]}::text[])`.execute(tx);
  return rows[0]?.n ?? 0;
}

export interface NewAccount {
  id: string;
  email: string;
  name: string;
  role: OperatorRole;
  language: Language;
}

/** False when the id or the email is taken. */
export async function insertAccount(tx: PlatformTx, account: NewAccount): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into operator_account (id, email, name, role, state, language)
    values (${account.id}, ${account.email}, ${account.name}, ${account.role}, 'invited', ${account.language})
    on conflict do nothing`.execute(tx);
  return numAffectedRows === 1n;
}

export async function updateRole(tx: Tx, id: string, role: OperatorRole): Promise<void> {
  await sql`update operator_account set role = ${role} where id = ${id}`.execute(tx);
}

export async function updateLanguage(tx: Tx, id: string, language: Language): Promise<void> {
  await sql`update operator_account set language = ${language} where id = ${id}`.execute(tx);
}

export async function disable(tx: PlatformTx, id: string): Promise<void> {
  await sql`update operator_account set state = 'disabled' where id = ${id}`.execute(tx);
}

/** Who has not used a link since the last reset waits for one. */
export async function enable(tx: Tx, id: string): Promise<void> {
  await sql`
    update operator_account set state = case when activated_at is null then 'invited' else 'active' end
    where id = ${id}`.execute(tx);
}

/** Password and authenticator count no more until a link is used. */
export async function awaitActivation(tx: PlatformTx, id: string): Promise<void> {
  await sql`update operator_account set state = 'invited', activated_at = null where id = ${id}`.execute(tx);
}

export interface CredentialRow extends AccountRow {
  passwordHash: string | null;
  totpSecret: Buffer | null;
  totpLastStep: number;
  /** Of passkeys that may still be used. */
  hasPasskey: boolean;
}

const withCredential = sql`${columns}, o.password_hash as "passwordHash", o.totp_secret as "totpSecret",
  o.totp_last_step as "totpLastStep",
  exists (select from operator_passkey p where p.operator_id = o.id and p.suspected_at is null) as "hasPasskey"`;

export async function findCredentialByEmail(tx: PlatformTx, email: string): Promise<CredentialRow | null> {
  const { rows } = await sql<CredentialRow>`
    select ${withCredential} from operator_account o where lower(o.email) = lower(${email})`.execute(tx);
  return rows[0] ?? null;
}

export async function findCredential(tx: PlatformTx, id: string): Promise<CredentialRow | null> {
  const { rows } = await sql<CredentialRow>`
    select ${withCredential} from operator_account o where o.id = ${id}`.execute(tx);
  return rows[0] ?? null;
}

/** The same, locked until the transaction's end, so that a code's step is compared by one request at a time. */
export async function lockCredential(tx: Tx, id: string): Promise<CredentialRow | null> {
  const { rows } = await sql<CredentialRow>`
    select ${withCredential} from operator_account o where o.id = ${id} for update of o`.execute(tx);
  return rows[0] ?? null;
}

/** The step is used up; `sealed`: the secret under a newer key, null to keep it. */
export async function useStep(
  tx: Tx,
  id: string,
  { step, sealed }: { step: number; sealed: Buffer | null },
): Promise<void> {
  await sql`
    update operator_account set totp_last_step = ${step}, totp_secret = coalesce(${sealed}::bytea, totp_secret)
    where id = ${id}`.execute(tx);
}

/** False when the password is not the one that was compared any more. */
export async function updatePassword(tx: Tx, id: string, hash: string, compared: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update operator_account set password_hash = ${hash} where id = ${id} and password_hash = ${compared}`.execute(tx);
  return numAffectedRows === 1n;
}

/** Password and authenticator are set, and its owner may sign in. */
export async function activateAccount(
  tx: Tx,
  id: string,
  made: { passwordHash: string; totpSecret: Buffer; step: number },
): Promise<void> {
  await sql`
    update operator_account set state = 'active', activated_at = now(), password_hash = ${made.passwordHash},
      totp_secret = ${made.totpSecret}, totp_last_step = ${made.step} where id = ${id}`.execute(tx);
}
