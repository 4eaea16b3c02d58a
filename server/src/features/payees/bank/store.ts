import { listBankPayees } from '@causeway/contract/bank-payees.ts';
import type { VerificationAnswer } from '@causeway/contract/bank-payees-rules.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../../platform/database/database.ts';
import { contains, defineList } from '../../../platform/database/list.ts';
import type { BankAccount } from './account.ts';

/** An account of a payee as it was saved. */
export interface VersionRow extends BankAccount {
  id: string;
  payeeId: string;
  verification: VerificationAnswer | null;
  verifiedName: string | null;
  verifiedAt: Date | null;
  createdByName: string;
  createdAt: Date;
}

/** A payee with its current account. */
export interface BankPayeeRow {
  id: string;
  number: number;
  label: string;
  remark: string;
  versionId: string;
  /** Computed by the database, as of coin payees. */
  status: 'usable' | 'unusable' | 'waiting' | 'rejected' | 'deleted';
  changedAt: Date | null;
  createdByName: string;
  createdAt: Date;
  version: VersionRow;
}

const versionColumns = sql<VersionRow>`v.id, v.payee_id as "payeeId", v.holder, v.name, v.first_name as "firstName",
  v.last_name as "lastName", v.country, v.currency, v.way, v.details, v.account, v.verification,
  v.verified_name as "verifiedName", v.verified_at as "verifiedAt", v.created_by_name as "createdByName",
  v.created_at as "createdAt"`;
const columns = sql<Flat>`p.id as "payeeKey", p.number, p.label, p.remark, p.version_id as "versionId", p.status,
  p.changed_at as "changedAt", p.created_by_name as "addedByName", p.created_at as "addedAt", ${versionColumns}`;
const from = sql`bank_payee p join bank_payee_version v on v.company_id = p.company_id and v.id = p.version_id`;

type Flat = VersionRow &
  Pick<BankPayeeRow, 'number' | 'label' | 'remark' | 'versionId' | 'status' | 'changedAt'> & {
    payeeKey: string;
    addedByName: string;
    addedAt: Date;
  };

export function payeeOf(flat: Flat): BankPayeeRow {
  const { payeeKey, number, label, remark, versionId, status, changedAt, addedByName, addedAt, ...version } = flat;
  const { id, ...own } = { id: payeeKey, number, label, remark, versionId, status, changedAt };
  return { id, ...own, createdByName: addedByName, createdAt: addedAt, version };
}

/** Payees that are not deleted, newest first. `off`: currencies that every bank has switched off. */
export const bankPayeeList = defineList(listBankPayees, {
  from: () => from,
  where: (_: { off: readonly string[]; changedDays: number }) =>
    sql`p.company_id = company_id() and p.deleted_at is null`,
  filters: {
    country: (country) => sql`p.country = ${country}`,
    currency: (currency) => sql`p.currency = ${currency}`,
    holder: (holder) => sql`v.holder = ${holder}`,
    status: (status, { off }) => {
      const isOff = sql`array_position(${[...off]}::text[], p.currency) is not null`;
      if (status === 'usable') return sql`(p.status = 'usable' and not ${isOff})`;
      if (status === 'unusable') return sql`(p.status = 'unusable' or p.status = 'usable' and ${isOff})`;
      return sql`p.status = ${status}`;
    },
    mark: (mark, { changedDays }) =>
      mark === 'address' ? sql`p.needs_address` : sql`p.changed_at > now() - make_interval(days => ${changedDays})`,
    keyword: (keyword) =>
      contains(
        sql`p.label || chr(10) || v.name || chr(10) || v.account || chr(10) || array_to_string(p.account_names, chr(10)) || chr(10) || p.remark`,
        keyword,
      ),
  },
  columns: () => columns,
  orders: { time: { by: sql`p.created_at`, kind: 'time' } },
  first: { sort: 'time', order: 'desc' },
  id: sql`p.id`,
});

async function findOne(tx: Tx, where: RawBuilder<unknown>): Promise<BankPayeeRow | null> {
  const { rows } =
    await sql<Flat>`select ${columns} from ${from} where p.company_id = company_id() and ${where}`.execute(tx);
  return rows[0] ? payeeOf(rows[0]) : null;
}

/** A payee that is not deleted. */
export function findBankPayee(tx: Tx, id: string): Promise<BankPayeeRow | null> {
  return findOne(tx, sql`p.id = ${id} and p.deleted_at is null`);
}

/** The payee of an account, deleted or not, while it is the payee's current one. */
export function findByCurrentVersion(tx: Tx, versionId: string): Promise<BankPayeeRow | null> {
  return findOne(tx, sql`p.version_id = ${versionId}`);
}

/** The same under its lock: two edits follow each other. */
export async function lockBankPayee(tx: Tx, id: string): Promise<BankPayeeRow | null> {
  await sql`select from bank_payee where company_id = company_id() and id = ${id} for update`.execute(tx);
  return findBankPayee(tx, id);
}

/** An account of any time, of deleted payees too: what was submitted names it. */
export async function findVersion(tx: Tx, id: string): Promise<VersionRow | null> {
  const { rows } = await sql<VersionRow>`
    select ${versionColumns} from bank_payee_version v where v.company_id = company_id() and v.id = ${id}`.execute(tx);
  return rows[0] ?? null;
}

/** Accounts that a payee had before its current one, newest first. */
export async function findEarlier(
  tx: Tx,
  { id, versionId }: Pick<BankPayeeRow, 'id' | 'versionId'>,
): Promise<VersionRow[]> {
  const { rows } = await sql<VersionRow>`
    select ${versionColumns} from bank_payee_version v
    where v.company_id = company_id() and v.payee_id = ${id} and v.id <> ${versionId} order by v.created_at desc, v.id desc`.execute(
    tx,
  );
  return rows;
}

/** The label of the other payee that has an account already. */
export async function findKnown(tx: Tx, key: string, currency: string, except: string | null): Promise<string | null> {
  const { rows } = await sql<{ label: string }>`
    select label from bank_payee where company_id = company_id() and account_key = ${key} and currency = ${currency}
      and deleted_at is null and approval <> 'rejected' and id is distinct from ${except}::uuid`.execute(tx);
  return rows[0]?.label ?? null;
}

export interface AlikeRow {
  payeeId: string;
  label: string;
  name: string;
  account: string;
}

const mostAlike = 5;

/** Payees in the book with a name that looks like this one and another account. */
export async function findAlike(
  tx: Tx,
  { likeness, key, except }: { likeness: string; key: string; except: string | null },
): Promise<AlikeRow[]> {
  const { rows } = await sql<AlikeRow>`
    select p.id as "payeeId", p.label, v.name, v.account from ${from}
    where p.company_id = company_id() and p.likeness = ${likeness} and p.account_key <> ${key} and p.deleted_at is null
      and p.id is distinct from ${except}::uuid order by p.created_at limit ${mostAlike}`.execute(tx);
  return rows;
}

/** What of an account is repeated at its payee. */
export interface AccountAtPayee {
  key: string;
  names: readonly string[];
  likeness: string;
  needsAddress: boolean;
  approval: 'none' | 'waiting';
}

interface Writing {
  payeeId: string;
  versionId: string;
  account: BankAccount;
  at: AccountAtPayee;
  by: { userId: string; userName: string };
}

async function insertVersion(tx: Tx, { payeeId, versionId, account, by }: Writing): Promise<void> {
  const { holder, name, firstName, lastName, country, currency, way, details } = account;
  await sql`
    insert into bank_payee_version (company_id, id, payee_id, holder, name, first_name, last_name, country, currency, way, details,
      account, created_by, created_by_name)
    values (company_id(), ${versionId}, ${payeeId}, ${holder}, ${name}, ${firstName}, ${lastName}, ${country}, ${currency}, ${way},
      ${JSON.stringify(details)}::jsonb, ${account.account}, ${by.userId}, ${by.userName})`.execute(tx);
}

/** Under the organisation's lock, which makes the numbers a sequence. */
export async function insertBankPayee(tx: Tx, writing: Writing & { label: string; remark: string }): Promise<void> {
  const { payeeId, versionId, account, at, by, label, remark } = writing;
  await sql`
    insert into bank_payee (company_id, id, number, label, remark, version_id, country, currency, account_key, account_names, likeness,
      approval, needs_address, created_by, created_by_name)
    select company_id(), ${payeeId}, coalesce(max(number), 0) + 1, ${label}, ${remark}, ${versionId}, ${account.country},
      ${account.currency}, ${at.key}, ${[...at.names]}::text[], ${at.likeness}, ${at.approval}, ${at.needsAddress}, ${by.userId},
      ${by.userName}
    from bank_payee where company_id = company_id()`.execute(tx);
  await insertVersion(tx, writing);
}

/** The next account of a payee takes effect. */
export async function changeAccount(tx: Tx, writing: Writing): Promise<void> {
  const { payeeId, versionId, account, at } = writing;
  await insertVersion(tx, writing);
  await sql`
    update bank_payee set version_id = ${versionId}, country = ${account.country}, currency = ${account.currency},
      account_key = ${at.key}, account_names = ${[...at.names]}::text[], likeness = ${at.likeness}, blocked_by = '{}',
      approval = ${at.approval}, needs_address = ${at.needsAddress}, changed_at = now()
    where company_id = company_id() and id = ${payeeId}`.execute(tx);
}

export async function setBankWords(
  tx: Tx,
  { id, label, remark }: Pick<BankPayeeRow, 'id' | 'label' | 'remark'>,
): Promise<void> {
  await sql`update bank_payee set label = ${label}, remark = ${remark} where company_id = company_id() and id = ${id}`.execute(
    tx,
  );
}

/** @returns whether it was in the book */
export async function markBankDeleted(tx: Tx, id: string): Promise<boolean> {
  const { rows } = await sql`
    update bank_payee set deleted_at = now() where company_id = company_id() and id = ${id} and deleted_at is null returning id`.execute(
    tx,
  );
  return rows.length > 0;
}

/** Ends the waiting of an account. @returns the id of its payee; null: it did not wait, or another account has taken its place */
export async function setBankApproval(
  tx: Tx,
  versionId: string,
  approval: 'approved' | 'rejected',
): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    update bank_payee set approval = ${approval}
    where company_id = company_id() and version_id = ${versionId} and approval = 'waiting' and deleted_at is null returning id`.execute(
    tx,
  );
  return rows[0]?.id ?? null;
}

/** Writes what the payee's bank said later, when the payee was paid. */
export async function renewVerification(
  tx: Tx,
  versionId: string,
  { answer, bankName }: { answer: VerificationAnswer; bankName: string | null },
): Promise<string | null> {
  const { rows } = await sql<{ payeeId: string }>`
    update bank_payee_version set verification = ${answer}, verified_name = ${bankName}, verified_at = now()
    where company_id = company_id() and id = ${versionId} returning payee_id as "payeeId"`.execute(tx);
  return rows[0]?.payeeId ?? null;
}

/** Writes what the payee's bank said when the account was saved; a later answer stays. */
export async function setVerification(
  tx: Tx,
  versionId: string,
  { answer, bankName }: { answer: VerificationAnswer; bankName: string | null },
): Promise<string | null> {
  const { rows } = await sql<{ payeeId: string }>`
    update bank_payee_version set verification = ${answer}, verified_name = ${bankName}, verified_at = now()
    where company_id = company_id() and id = ${versionId} and verification is null returning payee_id as "payeeId"`.execute(
    tx,
  );
  return rows[0]?.payeeId ?? null;
}

/**
 * Makes the payees of accounts unusable (they were blacklisted), or usable again as far as no other entry of the list names them.
 * @returns the ids of those that changed
 */
export async function setBankUsability(tx: Tx, accounts: readonly string[], usable: boolean): Promise<string[]> {
  const plain = accounts.map((account) => account.replaceAll(/\s/g, '').toUpperCase());
  const { rows } = await sql<{ id: string }>`
    update bank_payee set blocked_by = array(
      select name from unnest(account_names) as name
      where name = any (blocked_by) and not (${usable} and name = any (${plain}::text[]))
        or not ${usable} and name = any (${plain}::text[]))
    where company_id = company_id() and deleted_at is null and account_names && ${plain}::text[]
    returning id`.execute(tx);
  return rows.map(({ id }) => id);
}
