import { defaultTimeZone } from '@causeway/contract/organisation-rules.ts';
import { audit } from '../../../platform/audit/record.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { announce, live, type OutboxEvent } from '../../../platform/database/outbox.ts';
import { invariant } from '../../../platform/domain-error.ts';
import { newId } from '../../../platform/ids.ts';
import { findTimeZone } from '../../organisation/index.ts';
import { type AnnouncementTexts, hasInstant, type NoticeFact, type NoticeValues, searchTexts } from '../domain.ts';
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
  /** The company's, where the caller has read it already. */
  timeZone?: string;
}

/**
 * Notifies the company, or some of its people, in the transaction of what happened. Mails fall due one by one in the same
 * transaction, so that one failing mailbox delays no other.
 * @returns false when it had been given already, or has no recipients
 */
export async function notify(tx: Tx, notice: NoticeToGive): Promise<boolean> {
  const { values, timeZone } = notice;
  const prepared = prepareNotice(tx.companyId, { ...notice, timeZone: timeZone ?? (await zoneFor(tx, values)) });
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
  const search = searchTexts(kind, values, await zoneFor(tx, values));
  const ids = await updateNotice(tx, { kind, sourceId, values, search });
  await announce(
    tx,
    ids.map((id) => live('notice', id)),
  );
}

/** The company's time zone, which is read for words that depend on it alone. */
async function zoneFor(tx: Tx, values: NoticeValues): Promise<string> {
  return hasInstant(values) ? findTimeZone(tx) : defaultTimeZone;
}

/**
 * A notice's row and what is announced with it, for `insertNotices`; null when it is addressed to no one. One with an instant is given
 * with the company's time zone.
 */
export function prepareNotice(
  companyId: string,
  notice: NoticeToGive,
): { row: NewNotice; events: OutboxEvent[] } | null {
  const { kind, sourceId, values, link, to, mailTo = to ?? [], facts = [], timeZone } = notice;
  if (to?.length === 0) return null;
  const id = newId();
  const recipients = to ? [...new Set(to)].sort() : null;
  invariant(
    timeZone !== undefined || !hasInstant(values),
    `the notice ${kind} is prepared with the company's time zone`,
  );
  const search = searchTexts(kind, values, timeZone ?? defaultTimeZone);
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
