import type { Locale } from '@causeway/contract/locale.ts';
import type { NoticeType } from '@causeway/contract/notices.ts';
import { type RawBuilder, sql } from 'kysely';
import type { PlatformTx, Tx } from '../../platform/database.ts';
import type { AnnouncementTexts, NoticeValues } from './domain.ts';

/** A notice as one person has it: the company's (kind and values), or an announcement (its own texts). */
export interface NoticeRow {
  id: string;
  type: NoticeType;
  kind: string | null;
  values: NoticeValues | null;
  texts: AnnouncementTexts | null;
  link: string | null;
  read: boolean;
  createdAt: Date;
}

export interface NoticeFilter {
  userId: string;
  locale: Locale;
  read: boolean | null;
  type: NoticeType | null;
  keyword: string | null;
}

/** Up to which id a person has read everything: their last "mark all read", else the moment they joined (their own id). */
function readThrough(userId: string): RawBuilder<unknown> {
  return sql`coalesce((select read_through from notice_reader where company_id = company_id() and user_id = ${userId}),
    ${userId}::uuid)`;
}

function isRead(id: RawBuilder<unknown>, userId: string): RawBuilder<unknown> {
  return sql`(${id} <= ${readThrough(userId)} or exists (
    select from notice_read r where r.company_id = company_id() and r.user_id = ${userId} and r.notice_id = ${id}))`;
}

function condition(id: RawBuilder<unknown>, words: RawBuilder<unknown>, filter: NoticeFilter, before: string | null) {
  const { userId, read, keyword } = filter;
  return sql`${id} > ${userId}::uuid and (${before}::uuid is null or ${id} < ${before}::uuid)
    and (${read}::boolean is null or ${isRead(id, userId)} = ${read})
    and (${keyword}::text is null or strpos(${words}, lower(${keyword})) > 0)`;
}

/** The company's notices and the announcements as one, newest first; each side stops at the limit by itself. */
function matching(filter: NoticeFilter, before: string | null, limit: number): RawBuilder<NoticeRow> {
  const notice = sql`n.id`;
  const announcement = sql`a.id`;
  const said = sql`n.search ->> ${filter.locale}`;
  const told = sql`lower((a.texts -> ${filter.locale} ->> 'title') || chr(10) || (a.texts -> ${filter.locale} ->> 'body'))`;
  return sql<NoticeRow>`
    select * from (
      (select n.id, 'system_message' as type, n.kind, n."values", null::jsonb as texts, n.link,
        ${isRead(notice, filter.userId)} as read, n.created_at as "createdAt"
      from notice n
      where n.company_id = company_id() and ${filter.type}::text is distinct from 'announcement'
        and ${condition(notice, said, filter, before)}
      order by n.id desc limit ${limit})
      union all
      (select a.id, 'announcement', null, null, a.texts, null, ${isRead(announcement, filter.userId)}, a.created_at
      from announcement a
      where ${filter.type}::text is distinct from 'system_message' and ${condition(announcement, told, filter, before)}
      order by a.id desc limit ${limit})
    ) as both_kinds order by id desc limit ${limit}`;
}

/** Notices newest first, from below `before` (exclusive) on. */
export async function findNotices(
  tx: Tx,
  filter: NoticeFilter,
  before: string | null,
  limit: number,
): Promise<NoticeRow[]> {
  return (await matching(filter, before, limit).execute(tx)).rows;
}

/** How many there are, counted no further than `most`. */
export async function countNotices(tx: Tx, filter: NoticeFilter, most: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) from (${matching(filter, null, most)}) as counted`.execute(tx);
  return rows[0]?.count ?? 0;
}

/** Marks notices as read that this person can see; answers how many of them there are. */
export async function markRead(tx: Tx, userId: string, ids: readonly string[]): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    with visible as (
      select id from notice where company_id = company_id() and id = any (${[...ids]}::uuid[]) and id > ${userId}::uuid
      union
      select id from announcement where id = any (${[...ids]}::uuid[]) and id > ${userId}::uuid
    ), marked as (
      insert into notice_read (company_id, user_id, notice_id) select company_id(), ${userId}, id from visible
      on conflict do nothing
    )
    select count(*) from visible`.execute(tx);
  return rows[0]?.count ?? 0;
}

/** Marks everything that there is as read; single marks below it are no longer needed. */
export async function markAllRead(tx: Tx, userId: string): Promise<void> {
  await sql`
    with newest as (
      select id from (
        (select id from notice where company_id = company_id() order by id desc limit 1)
        union all (select id from announcement order by id desc limit 1)
      ) as ends order by id desc limit 1
    )
    insert into notice_reader as r (company_id, user_id, read_through) select company_id(), ${userId}, id from newest
    on conflict (company_id, user_id) do update set read_through = greatest(r.read_through, excluded.read_through)`.execute(
    tx,
  );
  await sql`
    delete from notice_read where company_id = company_id() and user_id = ${userId}
      and notice_id <= ${readThrough(userId)}`.execute(tx);
}

export interface NewNotice {
  id: string;
  kind: string;
  sourceId: string;
  values: NoticeValues;
  link: string | null;
  search: Record<Locale, string>;
}

/** Writes a notice; false when this source has had this kind of notice already. */
export async function insertNotice(tx: Tx, notice: NewNotice): Promise<boolean> {
  const { rows } = await sql`
    insert into notice (company_id, id, kind, source_id, "values", link, search)
    values (company_id(), ${notice.id}, ${notice.kind}, ${notice.sourceId}, ${JSON.stringify(notice.values)}::jsonb,
      ${notice.link}, ${JSON.stringify(notice.search)}::jsonb)
    on conflict (company_id, source_id, kind) do nothing returning 1`.execute(tx);
  return rows.length === 1;
}

export async function insertAnnouncement(tx: PlatformTx, id: string, texts: AnnouncementTexts): Promise<void> {
  await sql`insert into announcement (id, texts) values (${id}, ${JSON.stringify(texts)}::jsonb)`.execute(tx);
}
