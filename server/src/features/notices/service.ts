import type { OutputInput, Query } from '@causeway/contract/call.ts';
import type { Locale } from '@causeway/contract/locale.ts';
import type { listNotices, Notice, readNotices } from '@causeway/contract/notices.ts';
import { audit } from '../../platform/audit.ts';
import type { Tx } from '../../platform/database.ts';
import { DomainError, invariant } from '../../platform/domain-error.ts';
import { newId } from '../../platform/ids.ts';
import { announce, live } from '../../platform/outbox.ts';
import { decodeCursor, maxExactTotal, pageOf, sizeOf, totalOf } from '../../platform/page.ts';
import { type AnnouncementTexts, type NoticeValues, render, searchTexts } from './domain.ts';
import {
  countNotices,
  findNotices,
  insertAnnouncement,
  insertNotice,
  markAllRead,
  markRead,
  type NoticeRow,
} from './store.ts';

const idPattern = /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/;

/** One page of a person's notices, in their language, with the number unread. @throws DomainError cursorInvalid */
export async function list(
  tx: Tx,
  userId: string,
  query: Query<typeof listNotices>,
  locale: Locale,
): Promise<OutputInput<typeof listNotices>> {
  const filter = {
    userId,
    locale,
    read: query.read === undefined ? null : query.read === 'true',
    type: query.type ?? null,
    keyword: query.keyword?.trim() || null,
  };
  const before = decodeCursor(query.cursor, ['string'])?.[0] ?? null;
  if (before !== null && !idPattern.test(before)) throw new DomainError('cursorInvalid');
  const size = sizeOf(query.size);
  const rows = await findNotices(tx, filter, before, size + 1);
  const { items, next } = pageOf(rows, size, (row) => [row.id]);
  const total = totalOf(await countNotices(tx, filter, maxExactTotal + 1));
  const everything = { userId, locale, read: false, type: null, keyword: null };
  const unread = await countNotices(tx, everything, maxExactTotal + 1);
  return { items: items.map((row) => asNotice(row, locale)), ...total, next, unread };
}

/** Marks those named as read. @throws DomainError notFound when one of them is not this person's */
export async function read(tx: Tx, userId: string, query: Query<typeof readNotices>): Promise<null> {
  const ids = [...new Set(query.ids.split(','))];
  if (!ids.every((id) => idPattern.test(id))) throw new DomainError('notFound');
  if ((await markRead(tx, userId, ids)) !== ids.length) throw new DomainError('notFound');
  await announce(tx, [live('notice')]);
  return null;
}

export async function readAll(tx: Tx, userId: string): Promise<null> {
  await markAllRead(tx, userId);
  await announce(tx, [live('notice')]);
  return null;
}

/** What the company is to be told: with its source, a kind is told once. */
export interface NoticeToGive {
  kind: string;
  sourceId: string;
  values: NoticeValues;
  /** Where in the console it leads. */
  link: string | null;
  /** The members who see it; absent: the whole company. */
  to?: readonly string[];
}

/**
 * Tells the company something, in the transaction of what happened.
 * @returns false when it had been told already
 */
export async function notify(tx: Tx, notice: NoticeToGive): Promise<boolean> {
  const id = newId();
  const search = searchTexts(notice.kind, notice.values);
  if (!(await insertNotice(tx, { ...notice, id, search }))) return false;
  await announce(tx, [live('notice', id)]);
  return true;
}

/** Publishes an announcement to every company; `tx` is the operator's, under the nil company for the audit trail. */
export async function publishAnnouncement(tx: Tx, texts: AnnouncementTexts, operator: string): Promise<string> {
  const id = newId();
  await insertAnnouncement(tx, id, texts);
  await audit(tx, {
    actor: { kind: 'operator', id: operator },
    action: 'notices.publishAnnouncement',
    subjectKind: 'announcement',
    subjectId: id,
    detail: { ...texts },
  });
  await announce(tx, [live('notice', id)]);
  return id;
}

function asNotice(row: NoticeRow, locale: Locale): Notice {
  return {
    id: row.id,
    type: row.type,
    ...wordsOf(row, locale),
    link: row.link,
    read: row.read,
    createdAt: row.createdAt.toISOString(),
  };
}

function wordsOf(row: NoticeRow, locale: Locale): { title: string; body: string } {
  if (row.texts) return row.texts[locale];
  invariant(row.kind !== null && row.values !== null, `notice ${row.id} has a kind and values`);
  return render(row.kind, row.values, locale);
}
