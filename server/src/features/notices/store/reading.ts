import type { Locale } from '@causeway/contract/locale.ts';
import type { NoticeType } from '@causeway/contract/notices.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../../platform/database.ts';
import type { AnnouncementTexts, NoticeValues } from '../domain.ts';

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

/** The company's notices that concern this person. */
function concerns(userId: string): RawBuilder<unknown> {
  return sql`(n.recipients is null or ${userId}::uuid = any (n.recipients))`;
}

function isHidden(id: RawBuilder<unknown>, userId: string): RawBuilder<unknown> {
  return sql`exists (
    select from notice_hidden h where h.company_id = company_id() and h.user_id = ${userId} and h.notice_id = ${id})`;
}

function condition(id: RawBuilder<unknown>, words: RawBuilder<unknown>, filter: NoticeFilter, before: string | null) {
  const { userId, read, keyword } = filter;
  return sql`${id} > ${userId}::uuid and not ${isHidden(id, userId)} and (${before}::uuid is null or ${id} < ${before}::uuid)
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
        and ${concerns(filter.userId)} and ${condition(notice, said, filter, before)}
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

/** Those of these notices that this person has. */
function visible(userId: string, ids: readonly string[]): RawBuilder<unknown> {
  const named = (id: RawBuilder<unknown>) =>
    sql`${id} = any (${[...ids]}::uuid[]) and ${id} > ${userId}::uuid and not ${isHidden(id, userId)}`;
  return sql`
    select n.id from notice n where n.company_id = company_id() and ${concerns(userId)} and ${named(sql`n.id`)}
    union select a.id from announcement a where ${named(sql`a.id`)}`;
}

/** Marks notices as read that this person can see; answers how many of them there are. */
export async function markRead(tx: Tx, userId: string, ids: readonly string[]): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    with visible as (${visible(userId, ids)}), marked as (
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

/** Takes notices away that this person has; answers how many of them there are. */
export async function hide(tx: Tx, userId: string, ids: readonly string[]): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    with visible as (${visible(userId, ids)}), hidden as (
      insert into notice_hidden (company_id, user_id, notice_id) select company_id(), ${userId}, id from visible
      on conflict do nothing
    )
    select count(*) from visible`.execute(tx);
  return rows[0]?.count ?? 0;
}

/** Takes all away that this person has read; answers how many it were. */
export async function hideRead(tx: Tx, userId: string): Promise<number> {
  const read = (id: RawBuilder<unknown>) =>
    sql`${id} > ${userId}::uuid and not ${isHidden(id, userId)} and ${isRead(id, userId)}`;
  const result = await sql`
    insert into notice_hidden (company_id, user_id, notice_id)
    select company_id(), ${userId}, id from (
      select n.id from notice n where n.company_id = company_id() and ${concerns(userId)} and ${read(sql`n.id`)}
      union all select a.id from announcement a where ${read(sql`a.id`)}
    ) as gone on conflict do nothing`.execute(tx);
  return Number(result.numAffectedRows ?? 0n);
}
