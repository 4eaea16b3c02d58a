import { createHash } from 'node:crypto';
import type { Locale } from '@causeway/contract/locale.ts';
import { type RawBuilder, sql } from 'kysely';
import type { CompaniesTx, PlatformTx, Tx } from '../../../platform/database/database.ts';
import { announcing, type OutboxEvent } from '../../../platform/database/outbox.ts';
import { uuids } from '../../../platform/database/sets.ts';
import { timeZoneColumn } from '../../organisation/index.ts';
import type { AnnouncementTexts, NoticeFact, NoticeValues } from '../domain.ts';

export interface NewNotice {
  companyId: string;
  id: string;
  kind: string;
  sourceId: string;
  values: NoticeValues;
  link: string | null;
  /** Sorted; null: the whole company. */
  recipients: readonly string[] | null;
  facts: readonly NoticeFact[];
  search: Record<Locale, string>;
}

/** Inserts notices, each in its company, but for those of a kind and a source that the same people have had. */
function insertingNotices(notices: readonly NewNotice[]): RawBuilder<unknown> {
  const column = <T>(of: (notice: NewNotice) => T) => notices.map(of);
  return sql`
    insert into notice (company_id, id, kind, source_id, "values", link, recipients, recipients_key, facts, search)
    select n.company_id, n.id, n.kind, n.source_id, n."values", n.link, n.recipients::uuid[], n.recipients_key, n.facts, n.search
    from unnest(${uuids(column(({ companyId }) => companyId))}, ${column(({ id }) => id)}::uuid[],
      ${column(({ kind }) => kind)}::text[], ${column(({ sourceId }) => sourceId)}::uuid[],
      ${column(({ values }) => JSON.stringify(values))}::jsonb[], ${column(({ link }) => link)}::text[],
      ${column(({ recipients }) => recipients && `{${recipients.join()}}`)}::text[],
      ${column(({ recipients }) => keyOf(recipients))}::bytea[], ${column(({ facts }) => JSON.stringify(facts))}::jsonb[],
      ${column(({ search }) => JSON.stringify(search))}::jsonb[]
    ) as n (company_id, id, kind, source_id, "values", link, recipients, recipients_key, facts, search)
    on conflict (company_id, source_id, kind, recipients_key) do nothing returning 1`;
}

/** Writes notices, each in its company. Their events are the caller's to announce, so none may have been given before. */
export async function insertNotices(tx: CompaniesTx, notices: readonly NewNotice[]): Promise<void> {
  if (notices.length > 0) await insertingNotices(notices).execute(tx);
}

/** Writes a notice and announces its events; false, and nothing, when it had been given already. */
export async function insertNotice(tx: Tx, notice: NewNotice, events: readonly OutboxEvent[]): Promise<boolean> {
  const { rows } = await sql`
    with given as (${insertingNotices([notice])}), announced as (${announcing(events)} where exists (select from given))
    select from given`.execute(tx);
  return rows.length === 1;
}

/** Returns the ids of those that were given. */
export async function updateNotice(
  tx: Tx,
  { kind, sourceId, values, search }: Pick<NewNotice, 'kind' | 'sourceId' | 'values' | 'search'>,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update notice set "values" = ${JSON.stringify(values)}::jsonb, search = ${JSON.stringify(search)}::jsonb
    where company_id = company_id() and source_id = ${sourceId} and kind = ${kind} returning id`.execute(tx);
  return rows.map(({ id }) => id);
}

/** What tells the same notice to the same people from one to others. */
function keyOf(recipients: readonly string[] | null): Buffer {
  return recipients ? createHash('sha256').update(recipients.join()).digest() : Buffer.alloc(0);
}

/** For every company, or for these. */
export async function insertAnnouncement(
  tx: PlatformTx,
  { id, texts, companies }: { id: string; texts: AnnouncementTexts; companies: readonly string[] | null },
): Promise<void> {
  await sql`
    insert into announcement (id, texts, addressed)
    values (${id}, ${JSON.stringify(texts)}::jsonb, ${companies !== null})`.execute(tx);
  if (companies === null) return;
  await sql`
    insert into announcement_company (company_id, announcement_id)
    select company_id, ${id} from unnest(${[...companies]}::uuid[]) as company_id`.execute(tx);
}

/** What a mail says: a notice's words by its kind and values, or an announcement's own. */
export type MailedNotice = (
  | { kind: string; values: NoticeValues; link: string | null; facts: readonly NoticeFact[]; texts: null }
  | { kind: null; values: null; link: null; facts: readonly NoticeFact[]; texts: AnnouncementTexts }
) & {
  /** It went to this person before. */
  sent: boolean;
  /** The company's. */
  timeZone: string;
};

/** What a mail about a notice or an announcement to this person says, and whether it is out already. */
export async function findMailed(tx: Tx, noticeId: string, userId: string): Promise<MailedNotice | null> {
  const { rows } = await sql<MailedNotice>`
    select found.*, exists (
      select from notice_mail m where m.company_id = company_id() and m.notice_id = ${noticeId} and m.user_id = ${userId}
    ) as sent, ${timeZoneColumn} as "timeZone"
    from (
      select n.kind, n."values", n.link, n.facts, null::jsonb as texts
      from notice n where n.company_id = company_id() and n.id = ${noticeId}
      union all select null, null, null, '[]'::jsonb, a.texts from announcement a where a.id = ${noticeId}
    ) as found`.execute(tx);
  return rows[0] ?? null;
}

export async function markMailed(tx: Tx, noticeId: string, userId: string): Promise<void> {
  await sql`
    insert into notice_mail (company_id, notice_id, user_id) values (company_id(), ${noticeId}, ${userId})
    on conflict do nothing`.execute(tx);
}
