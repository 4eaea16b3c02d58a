import type { Locale } from '@causeway/contract/locale.ts';
import { listQueue } from '@causeway/contract/operator-queue.ts';
import type { QueueKind, queueStates } from '@causeway/contract/operator-queue-rules.ts';
import { type RawBuilder, sql } from 'kysely';
import type { PlatformTx, Tx } from '../../../platform/database/database.ts';
import { contains, defineList } from '../../../platform/database/list.ts';
import { newId } from '../../../platform/ids.ts';
import { nilCompany } from '../../identity/index.ts';
import type { Facts } from './cause.ts';

/** The queue as operators read and work on it. Amounts in minor units, values in US cents. */

export interface ItemRow {
  id: string;
  kind: QueueKind;
  subject: string;
  companyId: string | null;
  companyName: string | null;
  asset: string | null;
  decimals: number | null;
  amountMinor: bigint | null;
  usdCents: bigint | null;
  facts: Facts;
  /** Of the chain or the bank that the facts name. */
  chainName: string | null;
  bankNames: Record<Locale, string | null> | null;
  openedAt: Date;
  ownerId: string | null;
  ownerName: string | null;
  state: (typeof queueStates)[number];
  resolvedAt: Date | null;
  /** Null where it ended with its cause. */
  resolvedBy: string | null;
  comments: number;
}

const columns: RawBuilder<ItemRow> = sql`i.id, i.kind, i.subject, i.company_id as "companyId", c.name as "companyName",
  i.asset_id as asset, a.decimals, i.amount as "amountMinor", i.usd_cents as "usdCents", i.facts, h.name as "chainName",
  case when b.id is not null then jsonb_build_object('en-us', b.name, 'zh-hk', b.name_zh_hk, 'zh-cn', b.name_zh_cn) end as "bankNames",
  i.opened_at as "openedAt",
  i.owner_id as "ownerId", o.name as "ownerName", i.state, i.resolved_at as "resolvedAt", i.resolved_by as "resolvedBy",
  (select count(*) from operator_item_event e where e.item_id = i.id and e.act = 'commented') as comments`;
const joins = sql`left join company c on c.company_id = i.company_id left join asset a on a.id = i.asset_id
  left join operator_account o on o.id = i.owner_id
  left join chain h on h.id = coalesce(i.facts ->> 'chain', i.facts ->> 'place')
  left join bank b on b.id = coalesce(i.facts ->> 'bank', i.facts ->> 'place')`;

/** The reader, for "mine". */
interface Reader {
  operatorId: string;
}

/** What a keyword is looked for in. */
const searched = sql`i.subject || chr(10) || i.facts::text || chr(10) || coalesce(i.asset_id, '') || chr(10) ||
  coalesce((select k.name from company k where k.company_id = i.company_id), '')`;

const base = {
  from: () => sql`operator_item i`,
  filters: {
    // Each list is of one state.
    state: () => null,
    kind: (kind: string) => sql`i.kind = ${kind}`,
    owner: (owner: string, { operatorId }: Reader) =>
      owner === 'none' ? sql`i.owner_id is null` : sql`i.owner_id = ${owner === 'me' ? operatorId : owner}`,
    companyId: (companyId: string) => sql`i.company_id = ${companyId}`,
    keyword: (keyword: string) => contains(searched, keyword),
  },
  columns: () => columns,
  page: { alias: 'i', joins },
  id: sql`i.id`,
};

/** Open items, the most urgent first, then the oldest. */
export const openItems = defineList(listQueue, {
  ...base,
  where: (_: Reader) => sql`i.state = 'open'`,
  orders: { place: { by: sql`i.place`, kind: 'number' } },
  first: { sort: 'place', order: 'asc' },
});

/** Resolved items, the last first. */
export const resolvedItems = defineList(listQueue, {
  ...base,
  where: (_: Reader) => sql`i.state = 'resolved'`,
  orders: { time: { by: sql`i.resolved_at`, kind: 'time' } },
  first: { sort: 'time', order: 'desc' },
});

export interface KindCount {
  kind: QueueKind;
  open: number;
  unowned: number;
  mine: number;
  /** Null where none of them is valued. */
  usdCents: bigint | null;
  oldestAt: Date;
}

/** Open items by kind, from kept counts. */
export async function countByKind(tx: PlatformTx, operatorId: string): Promise<KindCount[]> {
  const { rows } = await sql<KindCount>`
    select n.kind, n.open, n.unowned, n.mine, case when n.valued > 0 then n.cents end as "usdCents", first.opened_at as "oldestAt"
    from (
      select kind, sum(open)::bigint as open, sum(valued)::bigint as valued, sum(usd_cents) as cents,
        coalesce(sum(open) filter (where owner_id = ${nilCompany}), 0)::bigint as unowned,
        coalesce(sum(open) filter (where owner_id = ${operatorId}), 0)::bigint as mine
      from operator_item_count group by kind
    ) n
    join lateral (select i.opened_at from operator_item i
      where i.kind = n.kind and i.state = 'open' order by i.place, i.id limit 1) first on true
    where n.open > 0`.execute(tx);
  return rows;
}

const mostCompanies = 100;

/** Open items by company, from the index of open items by company. */
export async function countByCompany(tx: PlatformTx): Promise<{ id: string; name: string; open: number }[]> {
  const { rows } = await sql<{ id: string; name: string; open: number }>`
    select n.company_id as id, c.name, n.open
    from (
      select company_id, count(*) as open from operator_item
      where state = 'open' and company_id is not null group by company_id order by 2 desc, 1 limit ${mostCompanies}
    ) n join company c on c.company_id = n.company_id
    order by n.open desc, c.name, n.company_id`.execute(tx);
  return rows;
}

export async function countOpen(tx: PlatformTx): Promise<number> {
  const { rows } = await sql<{ open: number }>`
    select coalesce(sum(open), 0)::bigint as open from operator_item_count`.execute(tx);
  return rows[0]?.open ?? 0;
}

export async function findItem(tx: PlatformTx, id: string): Promise<ItemRow | null> {
  const { rows } = await sql<ItemRow>`select ${columns} from operator_item i ${joins} where i.id = ${id}`.execute(tx);
  return rows[0] ?? null;
}

/** The item as it is, locked until the transaction ends. */
export async function lockItem(tx: Tx, id: string): Promise<ItemRow | null> {
  const { rows } = await sql`select from operator_item where id = ${id} for update`.execute(tx);
  return rows.length === 0 ? null : findItem(tx, id);
}

export async function setOwner(tx: Tx, id: string, ownerId: string | null): Promise<void> {
  await sql`update operator_item set owner_id = ${ownerId} where id = ${id}`.execute(tx);
}

export async function markResolved(tx: Tx, id: string, by: string): Promise<void> {
  await sql`update operator_item set state = 'resolved', resolved_at = now(), resolved_by = ${by} where id = ${id}`.execute(
    tx,
  );
}

/** False where its cause has another open item already. */
export async function markReopened(tx: Tx, { id, kind, subject }: ItemRow): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update operator_item set state = 'open', resolved_at = null, resolved_by = null
    where id = ${id} and not exists (
      select from operator_item o where o.kind = ${kind} and o.subject = ${subject} and o.state = 'open')`.execute(tx);
  return numAffectedRows === 1n;
}

export type Act = 'opened' | 'taken' | 'handedOver' | 'released' | 'commented' | 'resolved' | 'reopened';

export interface NewEvent {
  itemId: string;
  act: Act;
  operatorId: string;
  toId?: string | null;
  text?: string | null;
}

export async function insertEvent(
  tx: Tx,
  { itemId, act, operatorId, toId = null, text = null }: NewEvent,
): Promise<void> {
  await sql`
    insert into operator_item_event (id, item_id, operator_id, act, to_id, text)
    values (${newId()}, ${itemId}, ${operatorId}, ${act}, ${toId}, ${text})`.execute(tx);
}

export interface EventRow {
  at: Date;
  act: Act;
  operatorId: string | null;
  operatorName: string | null;
  toId: string | null;
  toName: string | null;
  text: string | null;
}

/** What was done about an item, in order. */
export async function findEvents(tx: PlatformTx, itemId: string): Promise<EventRow[]> {
  const { rows } = await sql<EventRow>`
    select e.at, e.act, e.operator_id as "operatorId", o.name as "operatorName", e.to_id as "toId", t.name as "toName", e.text
    from operator_item_event e
    left join operator_account o on o.id = e.operator_id
    left join operator_account t on t.id = e.to_id
    where e.item_id = ${itemId} order by e.at, e.id`.execute(tx);
  return rows;
}

/** A colleague's role while active; null for anyone else. */
export async function findActiveRole(tx: PlatformTx, id: string): Promise<string | null> {
  const { rows } = await sql<{ role: string }>`
    select role from operator_account where id = ${id} and state = 'active' for share`.execute(tx);
  return rows[0]?.role ?? null;
}
