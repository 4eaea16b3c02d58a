import { listAnnouncements } from '@causeway/contract/operator-announcements.ts';
import type { AnnouncementAudience, AnnouncementState } from '@causeway/contract/operator-prices-rules.ts';
import { type RawBuilder, sql } from 'kysely';
import type { PlatformTx, Tx } from '../../../platform/database/database.ts';
import { contains, defineList } from '../../../platform/database/list.ts';
import type { AnnouncementTexts } from '../../notices/index.ts';

export interface AnnouncementRow {
  id: string;
  texts: AnnouncementTexts;
  audience: AnnouncementAudience;
  toCompany: string | null;
  companyName: string | null;
  toAsset: string | null;
  state: AnnouncementState;
  sendAt: Date;
  sentAt: Date | null;
  companies: number | null;
  writtenBy: string;
  createdAt: Date;
  version: number;
  cancelledBy: string | null;
  cancelledAt: Date | null;
}

export const announcementList = defineList(listAnnouncements, {
  from: () => sql`operator_announcement n`,
  where: () => sql`true`,
  filters: {
    id: (id) => sql`n.id = ${id}`,
    state: (state) => sql`n.state = ${state}`,
    keyword: (keyword) => contains(sql`lower(n.texts::text)`, keyword),
  },
  columns: () =>
    sql<AnnouncementRow>`n.id, n.texts, n.audience, n.to_company as "toCompany",
      (select c.name from company c where c.company_id = n.to_company) as "companyName", n.to_asset as "toAsset", n.state,
      n.send_at as "sendAt", n.sent_at as "sentAt", n.created_at as "createdAt", n.version,
      case when n.state = 'sent' then (select count(*) from announcement_mailing m where m.announcement_id = n.announcement_id) end as companies,
      coalesce((select o.name from operator_account o where o.id = n.written_by), n.set_by) as "writtenBy",
      (select o.name from operator_account o where o.id = n.cancelled_by) as "cancelledBy",
      n.cancelled_at as "cancelledAt"` as RawBuilder<AnnouncementRow>,
  orders: { time: { by: sql`n.send_at`, kind: 'time' } },
  first: { sort: 'time', order: 'desc' },
  id: sql`n.id`,
});

export interface AnnouncementContent {
  texts: AnnouncementTexts;
  audience: AnnouncementAudience;
  toCompany: string | null;
  toAsset: string | null;
  /** ISO 8601; null: now. */
  sendAt: string | null;
}

/** False when its id is taken. */
export async function insertPlanned(
  tx: Tx,
  { id, by, texts, audience, toCompany, toAsset, sendAt }: AnnouncementContent & { id: string; by: string },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into operator_announcement (id, texts, audience, to_company, to_asset, send_at, written_by)
    values (${id}, ${JSON.stringify(texts)}::jsonb, ${audience}, ${toCompany}, ${toAsset}, coalesce(${sendAt}::timestamptz, now()), ${by})
    on conflict (id) do nothing`.execute(tx);
  return numAffectedRows === 1n;
}

/** What the command line published, which is sent already. */
export async function insertPublished(
  tx: PlatformTx,
  { id, texts, by }: { id: string; texts: AnnouncementTexts; by: string },
): Promise<void> {
  await sql`
    insert into operator_announcement (id, texts, audience, send_at, state, set_by, sent_at, announcement_id)
    values (${id}, ${JSON.stringify(texts)}::jsonb, 'all', now(), 'sent', ${by}, now(), ${id})`.execute(tx);
}

/** Its state, locked until the transaction ends; null when there is none. */
export async function lockAnnouncement(
  tx: Tx,
  id: string,
): Promise<{ state: AnnouncementState; version: number } | null> {
  const { rows } = await sql<{ state: AnnouncementState; version: number }>`
    select state, version from operator_announcement where id = ${id} for update`.execute(tx);
  return rows[0] ?? null;
}

export async function updatePlanned(
  tx: Tx,
  id: string,
  { texts, audience, toCompany, toAsset, sendAt }: AnnouncementContent,
): Promise<void> {
  await sql`
    update operator_announcement set texts = ${JSON.stringify(texts)}::jsonb, audience = ${audience}, to_company = ${toCompany},
      to_asset = ${toAsset}, send_at = coalesce(${sendAt}::timestamptz, now()), version = version + 1
    where id = ${id}`.execute(tx);
}

export async function cancelPlanned(tx: Tx, id: string, by: string): Promise<void> {
  await sql`
    update operator_announcement set state = 'cancelled', cancelled_by = ${by}, cancelled_at = now() where id = ${id}`.execute(
    tx,
  );
}

export interface DueAnnouncement {
  id: string;
  texts: AnnouncementTexts;
  audience: AnnouncementAudience;
  toCompany: string | null;
  toAsset: string | null;
  writtenBy: string | null;
}

/** The one that has been due for the longest, locked; null when none is, or others are sending them. */
export async function lockDue(tx: Tx): Promise<DueAnnouncement | null> {
  const { rows } = await sql<DueAnnouncement>`
    select id, texts, audience, to_company as "toCompany", to_asset as "toAsset", written_by as "writtenBy"
    from operator_announcement where state = 'planned' and send_at <= now()
    order by send_at, id limit 1 for update skip locked`.execute(tx);
  return rows[0] ?? null;
}

export async function markSent(tx: Tx, id: string, announcementId: string | null): Promise<void> {
  await sql`
    update operator_announcement set state = 'sent', sent_at = now(), announcement_id = ${announcementId} where id = ${id}`.execute(
    tx,
  );
}

/** Companies that hold some of an asset. */
export async function findHolders(tx: PlatformTx, asset: string): Promise<string[]> {
  const { rows } = await sql<{ companyId: string }>`
    select company_id as "companyId" from holders_of(${asset})`.execute(tx);
  return rows.map(({ companyId }) => companyId);
}

export async function isAsset(tx: PlatformTx, asset: string): Promise<boolean> {
  const { rows } = await sql`select from asset where id = ${asset}`.execute(tx);
  return rows.length === 1;
}

export async function isCompany(tx: PlatformTx, id: string): Promise<boolean> {
  const { rows } = await sql`select from company where company_id = ${id}`.execute(tx);
  return rows.length === 1;
}
