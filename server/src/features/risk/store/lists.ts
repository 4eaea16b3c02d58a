import { listNamelist } from '@causeway/contract/risk-lists.ts';
import type { ListAccountType, ListKind } from '@causeway/contract/risk-rules.ts';
import { sql } from 'kysely';
import type { Tx } from '../../../platform/database/database.ts';
import { contains, defineList } from '../../../platform/database/list.ts';
import type { Day } from '../calendar.ts';

/** Cents of a US dollar. */
export interface LimitCents {
  single: bigint;
  daily: bigint;
  cumulative: bigint;
}

/** An entry as it is kept. */
export interface EntryRow {
  id: string;
  kind: ListKind;
  payeeType: ListAccountType;
  account: string;
  remark: string;
  status: 'in_use' | 'deleted';
  singleCents: bigint | null;
  dailyCents: bigint | null;
  cumulativeCents: bigint | null;
  countedCents: bigint;
  /** Counted on the day asked for. */
  todayCents: bigint;
  hitCount: number;
  createdAt: Date;
  createdByName: string;
  deletedAt: Date | null;
  deletedByName: string | null;
}

function columns(today: Day) {
  return sql<EntryRow>`e.id, e.kind, e.payee_type as "payeeType", e.account, e.remark, e.status, e.single_cents as "singleCents",
    e.daily_cents as "dailyCents", e.cumulative_cents as "cumulativeCents", e.counted_cents as "countedCents",
    coalesce((select u.value_cents from risk_list_usage u
      where u.company_id = company_id() and u.entry_id = e.id and u.day = ${today}), 0) as "todayCents",
    e.hit_count as "hitCount", e.created_at as "createdAt", e.created_by_name as "createdByName",
    e.deleted_at as "deletedAt", e.deleted_by_name as "deletedByName"`;
}

/** The entries of a list; `today` says of which day the counted value is shown. */
export const entryList = defineList(listNamelist, {
  from: () => sql`risk_list_entry e`,
  where: (_: { today: Day }) => sql`e.company_id = company_id()`,
  filters: {
    kind: (kind) => sql`e.kind = ${kind}`,
    payeeType: (type) => sql`e.payee_type = ${type}`,
    status: (status) => sql`e.status = ${status}`,
    keyword: (keyword) => contains(sql`e.account || chr(10) || e.remark`, keyword),
  },
  columns: ({ today }) => columns(today),
  orders: { time: { by: sql`e.created_at`, kind: 'time' } },
  first: { sort: 'time', order: 'desc' },
  id: sql`e.id`,
});

/** An entry, deleted ones included. */
export async function findEntry(tx: Tx, id: string, today: Day): Promise<EntryRow | null> {
  const { rows } = await sql<EntryRow>`
    select ${columns(today)} from risk_list_entry e where e.company_id = company_id() and e.id = ${id}`.execute(tx);
  return rows[0] ?? null;
}

/** Which of these accounts are on a list now: key → list. */
export async function findListed(
  tx: Tx,
  accounts: readonly { type: ListAccountType; key: string }[],
): Promise<Map<string, ListKind>> {
  const { rows } = await sql<{ type: ListAccountType; key: string; kind: ListKind }>`
    select e.payee_type as type, e.account_key as key, e.kind
    from unnest(${accounts.map(({ type }) => type)}::text[], ${accounts.map(({ key }) => key)}::text[]) as a (type, key)
    join risk_list_entry e on e.company_id = company_id() and e.payee_type = a.type and e.account_key = a.key
      and e.status = 'in_use'`.execute(tx);
  return new Map(rows.map(({ type, key, kind }) => [`${type} ${key}`, kind]));
}

export interface NewEntry {
  id: string;
  payeeType: ListAccountType;
  account: string;
  key: string;
  remark: string;
  limits: LimitCents | null;
}

/** Adds entries of one list, with the log of it. */
export async function insertEntries(
  tx: Tx,
  kind: ListKind,
  entries: readonly NewEntry[],
  byName: string,
): Promise<void> {
  const cents = (of: keyof LimitCents) => entries.map(({ limits }) => limits?.[of] ?? null);
  await sql`
    insert into risk_list_entry (company_id, id, kind, payee_type, account, account_key, remark, single_cents, daily_cents,
      cumulative_cents, created_by_name)
    select company_id(), e.id, ${kind}, e.payee_type, e.account, e.key, e.remark, e.single, e.daily, e.cumulative, ${byName}
    from unnest(${entries.map(({ id }) => id)}::uuid[], ${entries.map(({ payeeType }) => payeeType)}::text[],
      ${entries.map(({ account }) => account)}::text[], ${entries.map(({ key }) => key)}::text[],
      ${entries.map(({ remark }) => remark)}::text[], ${cents('single')}::numeric[], ${cents('daily')}::numeric[],
      ${cents('cumulative')}::numeric[]) as e (id, payee_type, account, key, remark, single, daily, cumulative)`.execute(
    tx,
  );
}

/** Changes an entry in use; null leaves as it is. False when there is none. */
export async function updateEntry(
  tx: Tx,
  id: string,
  change: { remark: string | null; limits: LimitCents | null },
): Promise<boolean> {
  const { remark, limits } = change;
  const { rows } = await sql`
    update risk_list_entry set remark = coalesce(${remark}, remark),
      single_cents = coalesce(${limits?.single ?? null}::numeric, single_cents),
      daily_cents = coalesce(${limits?.daily ?? null}::numeric, daily_cents),
      cumulative_cents = coalesce(${limits?.cumulative ?? null}::numeric, cumulative_cents)
    where company_id = company_id() and id = ${id} and status = 'in_use' returning id`.execute(tx);
  return rows.length > 0;
}

export async function markEntryDeleted(tx: Tx, id: string, byName: string): Promise<boolean> {
  const { rows } = await sql`
    update risk_list_entry set status = 'deleted', deleted_at = now(), deleted_by_name = ${byName}
    where company_id = company_id() and id = ${id} and status = 'in_use' returning id`.execute(tx);
  return rows.length > 0;
}

/** Whether a chain's address is on the black list. */
export async function isOnBlacklist(tx: Tx, type: ListAccountType, key: string): Promise<boolean> {
  const { rows } = await sql`
    select from risk_list_entry where company_id = company_id() and payee_type = ${type} and account_key = ${key}
      and status = 'in_use' and kind = 'black'`.execute(tx);
  return rows.length > 0;
}

export interface Setting {
  onlyWhitelisted: boolean;
  updatedAt: Date | null;
  updatedBy: string | null;
}

export async function readSetting(tx: Tx): Promise<Setting> {
  const { rows } = await sql<Setting>`
    select only_whitelisted as "onlyWhitelisted", updated_at as "updatedAt", updated_by_name as "updatedBy"
    from risk_setting where company_id = company_id()`.execute(tx);
  return rows[0] ?? { onlyWhitelisted: false, updatedAt: null, updatedBy: null };
}

export async function saveSetting(tx: Tx, onlyWhitelisted: boolean, by: { id: string; name: string }): Promise<void> {
  await sql`
    insert into risk_setting (company_id, only_whitelisted, updated_by, updated_by_name)
    values (company_id(), ${onlyWhitelisted}, ${by.id}, ${by.name})
    on conflict (company_id) do update set only_whitelisted = excluded.only_whitelisted, updated_at = now(),
      updated_by = excluded.updated_by, updated_by_name = excluded.updated_by_name`.execute(tx);
}
