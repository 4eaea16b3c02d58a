import type { OutputInput, Query } from '@causeway/contract/call.ts';
import type { Locale } from '@causeway/contract/locale.ts';
import type { deleteNotices, listNotices, Notice, readNotices } from '@causeway/contract/notices.ts';
import type { Permission } from '@causeway/contract/permission.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { countRows, readPage } from '../../../platform/database/list.ts';
import { announce, live } from '../../../platform/database/outbox.ts';
import { DomainError, invariant } from '../../../platform/domain-error.ts';
import { maxExactTotal } from '../../../platform/http/page.ts';
import type { SignedInContext } from '../../../platform/session.ts';
import { linkFor, render } from '../domain.ts';
import { hide, hideRead, markAllRead, markRead, type NoticeRow, noticeList } from '../store/reading.ts';

const idPattern = /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/;

/** One page of a person's notices, in their language, with the number unread. @throws DomainError cursorInvalid */
export async function list(
  tx: Tx,
  { session: { userId, permissions }, locale }: SignedInContext,
  query: Query<typeof listNotices>,
): Promise<OutputInput<typeof listNotices>> {
  const reader = { userId, locale };
  const page = await readPage(tx, noticeList, query, reader);
  const unread = await countRows(tx, noticeList, { read: 'false' }, reader, maxExactTotal + 1);
  const readTotal = await countRows(tx, noticeList, { read: 'true' }, reader, maxExactTotal + 1);
  return { ...page, items: page.items.map((row) => asNotice(row, permissions, locale)), unread, readTotal };
}

/** Marks those named as read. @throws DomainError notFound when one of them is not this person's */
export async function read(tx: Tx, { session }: SignedInContext, query: Query<typeof readNotices>): Promise<void> {
  const ids = idsOf(query.ids);
  if ((await markRead(tx, session.userId, ids)) !== ids.length) throw new DomainError('notFound');
  await announce(tx, [live('notice')]);
}

export async function readAll(tx: Tx, { session }: SignedInContext): Promise<void> {
  await markAllRead(tx, session.userId);
  await announce(tx, [live('notice')]);
}

/** Takes those named away for this person. @throws DomainError notFound when one of them is not this person's */
export async function remove(tx: Tx, { session }: SignedInContext, query: Query<typeof deleteNotices>): Promise<void> {
  const ids = idsOf(query.ids);
  if ((await hide(tx, session.userId, ids)) !== ids.length) throw new DomainError('notFound');
  await announce(tx, [live('notice')]);
}

/** Hides every notice that this person has read; returns how many. */
export async function removeRead(tx: Tx, { session }: SignedInContext): Promise<{ deleted: number }> {
  const deleted = await hideRead(tx, session.userId);
  if (deleted > 0) await announce(tx, [live('notice')]);
  return { deleted };
}

function idsOf(text: string): string[] {
  const ids = [...new Set(text.split(','))];
  if (!ids.every((id) => idPattern.test(id))) throw new DomainError('notFound');
  return ids;
}

function asNotice(row: NoticeRow, permissions: readonly Permission[], locale: Locale): Notice {
  return {
    id: row.id,
    type: row.type,
    ...wordsOf(row, locale),
    link: linkFor(row.link, permissions),
    read: row.read,
    createdAt: row.createdAt.toISOString(),
  };
}

function wordsOf(row: NoticeRow, locale: Locale): { title: string; body: string } {
  if (row.texts) return row.texts[locale];
  invariant(row.kind !== null && row.values !== null, `notice ${row.id} has a kind and values`);
  return render(row.kind, row.values, { locale, timeZone: row.timeZone });
}
