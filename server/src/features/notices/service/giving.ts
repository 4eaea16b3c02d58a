import { audit } from '../../../platform/audit.ts';
import type { Tx } from '../../../platform/database.ts';
import { newId } from '../../../platform/ids.ts';
import { announce, live } from '../../../platform/outbox.ts';
import { type AnnouncementTexts, type NoticeFact, type NoticeValues, searchTexts } from '../domain.ts';
import { announcementPublished, mailDue } from '../events.ts';
import { insertAnnouncement, insertNotice } from '../store/giving.ts';

/** What is to be told: with its source, a kind is told once to the same people. */
export interface NoticeToGive {
  kind: string;
  /** What it is about. Whoever tells the same again on purpose (a reminder) gives each time a source of its own. */
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
 * Tells the company, or some of its people, in the transaction of what happened. Mails fall due one by one in the same
 * transaction, so that one failing mailbox delays nobody else's.
 * @returns false when it had been told already, or was to be told to nobody
 */
export async function notify(tx: Tx, notice: NoticeToGive): Promise<boolean> {
  const { kind, sourceId, values, link, to, mailTo = to ?? [], facts = [] } = notice;
  if (to?.length === 0) return false;
  const id = newId();
  const recipients = to ? [...new Set(to)].sort() : null;
  const search = searchTexts(kind, values);
  if (!(await insertNotice(tx, { id, kind, sourceId, values, link, recipients, facts, search }))) return false;
  const mails = [...new Set(mailTo)].map((userId) => ({ name: mailDue, payload: { noticeId: id, userId } }));
  await announce(tx, [live('notice', id), ...mails]);
  return true;
}

/** Publishes an announcement to every company, by mail too as each chose; `tx` is the operator's, under the nil company for the audit trail. */
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
  await announce(tx, [live('notice', id), { name: announcementPublished, payload: { announcementId: id } }]);
  return id;
}
