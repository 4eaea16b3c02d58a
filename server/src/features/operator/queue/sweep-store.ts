import type { QueueKind } from '@causeway/contract/operator-queue-rules.ts';
import { sql } from 'kysely';
import type { PlatformTx } from '../../../platform/database/database.ts';
import { uuids } from '../../../platform/database/sets.ts';
import { newId } from '../../../platform/ids.ts';
import type { Facts } from './cause.ts';
import { reopenWithinMinutes } from './domain.ts';

/** What the sweep writes, in sets. */

export interface FoundItem {
  id: string;
  subject: string;
  companyId: string | null;
  asset: string | null;
  amountMinor: bigint | null;
  usdCents: bigint | null;
  facts: Facts;
  openedAt: Date;
  place: number;
}

/** Until the transaction ends, no other sweep and no one who resolves an item of this kind comes between. */
export async function lockKind(tx: PlatformTx, kind: QueueKind): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`operator.queue ${kind}`}, 0))`.execute(tx);
}

/** The causes of one kind as rows; `asset` and `amount` are null together. */
function rowsOf(found: readonly FoundItem[]) {
  const column = <T>(of: (item: FoundItem) => T) => found.map(of);
  return sql`
    select * from unnest(${uuids(column(({ id }) => id))}, ${column(({ subject }) => subject)}::text[],
      ${column(({ companyId }) => companyId)}::uuid[], ${column(({ asset }) => asset)}::text[],
      ${column(({ amountMinor }) => amountMinor?.toString() ?? null)}::numeric[],
      ${column(({ usdCents }) => usdCents?.toString() ?? null)}::numeric[],
      ${column(({ facts }) => JSON.stringify(facts))}::jsonb[], ${column(({ openedAt }) => openedAt)}::timestamptz[],
      ${column(({ place }) => place)}::bigint[])
      as f (id, subject, company_id, asset_id, amount, usd_cents, facts, opened_at, place)`;
}

/**
 * Writes what is new about open items: amounts and facts. The value in US dollars is that of the day when the amount became what it is,
 * so that a price that moves does not write every item again.
 */
export async function updateKnown(tx: PlatformTx, kind: QueueKind, found: readonly FoundItem[]): Promise<void> {
  await sql`
    update operator_item i set facts = f.facts, asset_id = f.asset_id, amount = f.amount,
      usd_cents = case when i.amount is distinct from f.amount or i.usd_cents is null then f.usd_cents else i.usd_cents end
    from (${rowsOf(found)}) f
    where i.kind = ${kind} and i.subject = f.subject and i.state = 'open'
      and (i.facts <> f.facts or i.amount is distinct from f.amount or i.usd_cents is null and f.usd_cents is not null)`.execute(
    tx,
  );
}

/** Reopens what ended with its cause a short while ago and is back. @returns the ids */
export async function reopen(tx: PlatformTx, kind: QueueKind, found: readonly FoundItem[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update operator_item i set state = 'open', resolved_at = null, resolved_by = null, facts = f.facts, asset_id = f.asset_id,
      amount = f.amount, usd_cents = f.usd_cents
    from (${rowsOf(found)}) f
    where i.id = (
        select r.id from operator_item r
        where r.kind = ${kind} and r.subject = f.subject and r.state = 'resolved' and r.resolved_by is null
          and r.resolved_at > now() - make_interval(mins => ${reopenWithinMinutes})
        order by r.resolved_at desc limit 1)
      and not exists (select from operator_item o where o.kind = ${kind} and o.subject = f.subject and o.state = 'open')
    returning i.id`.execute(tx);
  return rows.map(({ id }) => id);
}

/** Opens an item for each cause that has none. @returns the ids */
export async function open(tx: PlatformTx, kind: QueueKind, found: readonly FoundItem[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    insert into operator_item (id, kind, subject, company_id, asset_id, amount, usd_cents, facts, opened_at, place)
    select id, ${kind}, subject, company_id, asset_id, amount, usd_cents, facts, opened_at, place from (${rowsOf(found)}) f
    on conflict (kind, subject) where state = 'open' do nothing
    returning id`.execute(tx);
  return rows.map(({ id }) => id);
}

/** Ends the open items of a kind whose subjects are not among these. @returns the ids */
export async function endOthers(tx: PlatformTx, kind: QueueKind, subjects: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update operator_item set state = 'resolved', resolved_at = now()
    where kind = ${kind} and state = 'open' and subject not in (select unnest(${[...subjects]}::text[]))
    returning id`.execute(tx);
  return rows.map(({ id }) => id);
}

/** In each item's history, by the queue itself. */
export async function noteAll(
  tx: PlatformTx,
  itemIds: readonly string[],
  act: 'opened' | 'reopened' | 'resolved',
): Promise<void> {
  if (itemIds.length === 0) return;
  await sql`
    insert into operator_item_event (id, item_id, act)
    select id, item_id, ${act} from unnest(${uuids(itemIds.map(() => newId()))}, ${[...itemIds]}::uuid[]) as e (id, item_id)`.execute(
    tx,
  );
}
