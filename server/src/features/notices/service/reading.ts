import type { OutputInput, Query } from '@causeway/contract/call.ts';
import type { Locale } from '@causeway/contract/locale.ts';
import type { deleteNotices, listNotices, Notice, readNotices } from '@causeway/contract/notices.ts';
import type { Tx } from '../../../platform/database.ts';
import { DomainError, invariant } from '../../../platform/domain-error.ts';
import { announce, live } from '../../../platform/outbox.ts';
import { decodeCursor, maxExactTotal, pageOf, sizeOf, totalOf } from '../../../platform/page.ts';
import { render } from '../domain.ts';
import { countNotices, findNotices, hide, hideRead, markAllRead, markRead, type NoticeRow } from '../store/reading.ts';

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
  const ids = idsOf(query.ids);
  if ((await markRead(tx, userId, ids)) !== ids.length) throw new DomainError('notFound');
  await announce(tx, [live('notice')]);
  return null;
}

export async function readAll(tx: Tx, userId: string): Promise<null> {
  await markAllRead(tx, userId);
  await announce(tx, [live('notice')]);
  return null;
}

/** Takes those named away for this person. @throws DomainError notFound when one of them is not this person's */
export async function remove(tx: Tx, userId: string, query: Query<typeof deleteNotices>): Promise<null> {
  const ids = idsOf(query.ids);
  if ((await hide(tx, userId, ids)) !== ids.length) throw new DomainError('notFound');
  await announce(tx, [live('notice')]);
  return null;
}

/** Takes everything away that this person has read; answers how much it was. */
export async function removeRead(tx: Tx, userId: string): Promise<{ deleted: number }> {
  const deleted = await hideRead(tx, userId);
  if (deleted > 0) await announce(tx, [live('notice')]);
  return { deleted };
}

function idsOf(text: string): string[] {
  const ids = [...new Set(text.split(','))];
  if (!ids.every((id) => idPattern.test(id))) throw new DomainError('notFound');
  return ids;
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
