import { audit } from '../../../platform/audit/record.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { announce, live, type OutboxEvent } from '../../../platform/database/outbox.ts';
import { newId } from '../../../platform/ids.ts';
import { type AnnouncementTexts, type NoticeFact, type NoticeValues, searchTexts } from '../domain.ts';
import { announcementPublished, mailDue } from '../events.ts';
import { insertAnnouncement, insertNotice, type NewNotice, updateNotice } from '../store/giving.ts';

/** A notice: with its source, a kind is given once to the same people. */
export interface NoticeToGive {
  kind: string;
  /** What it is about; a notice that repeats on purpose (a reminder) has a source of its own each time. */
  sourceId: string;
  values: NoticeValues;
  /** Where in the console it leads. */
  link: string | null;
  /** Members who see it, others do not; absent: the whole company. */
  to?: readonly string[];
  /** Members who are also mailed, if they have not chosen otherwise; absent: those in `to`. */
  mailTo?: readonly string[];
  /** What the mail adds to the words, line by line. */
  facts?: readonly NoticeFact[];
}

/**
 * Notifies the company, or some of its people, in the transaction of what happened. Mails fall due one by one in the same
 * transaction, so that one failing mailbox delays no other.
 * @returns false when it had been given already, or has no recipients
 */
export async function notify(tx: Tx, notice: NoticeToGive): Promise<boolean> {
  const prepared = prepareNotice(tx.companyId, notice);
  return prepared !== null && insertNotice(tx, prepared.row, prepared.events);
}

/**
 * Changes the words of a given notice for all who have it: it counts what has repeated since. Nothing is mailed again. Called by the worker, which
 * alone may.
 */
export async function reviseNotice(
  tx: Tx,
  { kind, sourceId, values }: Pick<NoticeToGive, 'kind' | 'sourceId' | 'values'>,
): Promise<void> {
  const ids = await updateNotice(tx, { kind, sourceId, values, search: searchTexts(kind, values) });
  await announce(
    tx,
    ids.map((id) => live('notice', id)),
  );
}

/** A notice's row and what is announced with it, for `insertNotices`; null when it is addressed to no one. */
export function prepareNotice(
  companyId: string,
  notice: NoticeToGive,
): { row: NewNotice; events: OutboxEvent[] } | null {
  const { kind, sourceId, values, link, to, mailTo = to ?? [], facts = [] } = notice;
  if (to?.length === 0) return null;
  const id = newId();
  const recipients = to ? [...new Set(to)].sort() : null;
  const search = searchTexts(kind, values);
  const mails = [...new Set(mailTo)].map((userId) => ({ name: mailDue, payload: { noticeId: id, userId } }));
  const row = { companyId, id, kind, sourceId, values, link, recipients, facts, search };
  return { row, events: [live('notice', id), ...mails] };
}

/**
 * Publishes an announcement, by mail too as each chose; `tx` is under the nil company, for the operator's audit trail. Absent `companies`: to every company.
 * @returns its id
 */
export async function publishAnnouncement(
  tx: Tx,
  texts: AnnouncementTexts,
  operator: string,
  companies: readonly string[] | null = null,
): Promise<string> {
  const id = newId();
  await insertAnnouncement(tx, { id, texts, companies });
  await audit(tx, {
    actor: { kind: 'operator', id: operator },
    action: 'notices.publishAnnouncement',
    subjectKind: 'announcement',
    subjectId: id,
    detail: { ...texts },
  });
  await announce(tx, [live('notice', id), { name: announcementPublished, payload: { announcementId: id } }]);
  return id;
}
