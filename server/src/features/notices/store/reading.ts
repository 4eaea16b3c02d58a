import type { Locale } from '@causeway/contract/locale.ts';
import { listNotices, type NoticeType } from '@causeway/contract/notices.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../../platform/database/database.ts';
import { contains, defineList } from '../../../platform/database/list.ts';
import { timeZoneColumn } from '../../organisation/index.ts';
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
  /** The company's. */
  timeZone: string;
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

/** Whose notices, and in which language they are searched. */
interface Reader {
  userId: string;
  locale: Locale;
}

/** The company's notices and the announcements as one, newest first. */
export const noticeList = defineList(listNotices, {
  from: ({ userId, locale }: Reader) => [
    sql`(select n.id, 'system_message' as type, n.kind, n."values", null::jsonb as texts, n.link, n.created_at,
        n.search ->> ${locale} as words
      from notice n where n.company_id = company_id() and ${concerns(userId)}) as n`,
    sql`(select n.id, 'announcement' as type, null as kind, null::jsonb as "values", n.texts, null as link, n.created_at,
        lower((n.texts -> ${locale} ->> 'title') || chr(10) || (n.texts -> ${locale} ->> 'body')) as words
      from announcement n) as n`,
  ],
  page: { alias: 'n' },
  where: ({ userId }) => sql`n.id > ${userId}::uuid and not ${isHidden(sql`n.id`, userId)}`,
  filters: {
    read: (read, { userId }) => sql`${isRead(sql`n.id`, userId)} = ${read === 'true'}`,
    type: (type) => sql`n.type = ${type}`,
    keyword: (keyword) => contains(sql`n.words`, keyword),
  },
  columns: ({ userId }) => sql<NoticeRow>`
    n.id, n.type, n.kind, n."values", n.texts, n.link, ${isRead(sql`n.id`, userId)} as read, n.created_at as "createdAt",
    ${timeZoneColumn} as "timeZone"`,
  orders: { id: { by: sql`n.id`, kind: 'id' } },
  first: { sort: 'id', order: 'desc' },
});

/** Those of these notices that this person has. */
function visible(userId: string, ids: readonly string[]): RawBuilder<unknown> {
  const named = (id: RawBuilder<unknown>) =>
    sql`${id} = any (${[...ids]}::uuid[]) and ${id} > ${userId}::uuid and not ${isHidden(id, userId)}`;
  return sql`
    select n.id from notice n where n.company_id = company_id() and ${concerns(userId)} and ${named(sql`n.id`)}
    union select a.id from announcement a where ${named(sql`a.id`)}`;
}

/** Marks notices as read that this person can see; returns how many. */
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

/** Removes notices of this person; returns how many. */
export async function hide(tx: Tx, userId: string, ids: readonly string[]): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    with visible as (${visible(userId, ids)}), hidden as (
      insert into notice_hidden (company_id, user_id, notice_id) select company_id(), ${userId}, id from visible
      on conflict do nothing
    )
    select count(*) from visible`.execute(tx);
  return rows[0]?.count ?? 0;
}

/** Removes all notices that this person has read; returns how many. */
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
