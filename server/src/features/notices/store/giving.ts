import { createHash } from 'node:crypto';
import type { Locale } from '@causeway/contract/locale.ts';
import { type RawBuilder, sql } from 'kysely';
import type { PlatformTx, Tx } from '../../../platform/database/database.ts';
import { announcing, type OutboxEvent } from '../../../platform/database/outbox.ts';
import type { AnnouncementTexts, NoticeFact, NoticeValues } from '../domain.ts';

export interface NewNotice {
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

/** The insertion of a notice, as part of a statement; inserts nothing when these people have had this kind of this source. */
export function insertingNotice(notice: NewNotice): RawBuilder<unknown> {
  return sql`
    insert into notice (company_id, id, kind, source_id, "values", link, recipients, recipients_key, facts, search)
    values (company_id(), ${notice.id}, ${notice.kind}, ${notice.sourceId}, ${JSON.stringify(notice.values)}::jsonb,
      ${notice.link}, ${notice.recipients && [...notice.recipients]}::uuid[], ${keyOf(notice.recipients)}, ${JSON.stringify(notice.facts)}::jsonb,
      ${JSON.stringify(notice.search)}::jsonb)
    on conflict (company_id, source_id, kind, recipients_key) do nothing returning 1`;
}

/** Writes a notice and announces its events; false, and nothing, when it had been given already. */
export async function insertNotice(
  tx: Tx,
  insert: RawBuilder<unknown>,
  events: readonly OutboxEvent[],
): Promise<boolean> {
  const { rows } = await sql`
    with given as (${insert}), announced as (${announcing(events)} where exists (select from given))
    select from given`.execute(tx);
  return rows.length === 1;
}

/** What tells the same notice to the same people from one to others. */
function keyOf(recipients: readonly string[] | null): Buffer {
  return recipients ? createHash('sha256').update(recipients.join()).digest() : Buffer.alloc(0);
}

export async function insertAnnouncement(tx: PlatformTx, id: string, texts: AnnouncementTexts): Promise<void> {
  await sql`insert into announcement (id, texts) values (${id}, ${JSON.stringify(texts)}::jsonb)`.execute(tx);
}

/** What a mail says: a notice's words by its kind and values, or an announcement's own. */
export type MailedNotice = (
  | { kind: string; values: NoticeValues; link: string | null; facts: readonly NoticeFact[]; texts: null }
  | { kind: null; values: null; link: null; facts: readonly NoticeFact[]; texts: AnnouncementTexts }
) & {
  /** It went to this person before. */
  sent: boolean;
};

/** What a mail about a notice or an announcement to this person says, and whether it is out already. */
export async function findMailed(tx: Tx, noticeId: string, userId: string): Promise<MailedNotice | null> {
  const { rows } = await sql<MailedNotice>`
    select found.*, exists (
      select from notice_mail m where m.company_id = company_id() and m.notice_id = ${noticeId} and m.user_id = ${userId}
    ) as sent
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
