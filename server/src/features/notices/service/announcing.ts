import type { Database, Tx } from '../../../platform/database/database.ts';
import { announce } from '../../../platform/database/outbox.ts';
import { findContacts } from '../../identity/index.ts';
import { mailDue } from '../events.ts';
import { findUnmailed, insertMailing } from '../store/announcing.ts';

/** Companies that are asked for at a time. */
const companiesAtOnce = 100;

/**
 * Lets the mails of an announcement fall due, company by company, each in a transaction of its own that also says that it is done. So
 * a second run, after a kill or in another worker, continues with the remaining companies and mails no one twice.
 */
export async function mailAnnouncement(database: Database, announcementId: string): Promise<void> {
  const nextOnes = (after: string | null) =>
    database.withoutCompany((tx) => findUnmailed(tx, announcementId, after, companiesAtOnce));
  for (let left = await nextOnes(null); left.length > 0; left = await nextOnes(left.at(-1) ?? null)) {
    for (const companyId of left) await database.withCompany(companyId, (tx) => mailCompany(tx, announcementId));
  }
}

/** Those who were there when it was published: ids rise with time, and members who joined later do not see it either. */
async function mailCompany(tx: Tx, announcementId: string): Promise<void> {
  if (!(await insertMailing(tx, announcementId))) return;
  const contacts = (await findContacts(tx)).filter(({ userId }) => userId < announcementId);
  await announce(
    tx,
    contacts.map(({ userId }) => ({ name: mailDue, payload: { noticeId: announcementId, userId } })),
  );
}
