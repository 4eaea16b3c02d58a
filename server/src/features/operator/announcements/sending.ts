import type { Database, Tx } from '../../../platform/database/database.ts';
import { invariant } from '../../../platform/domain-error.ts';
import { type Loop, startLoop } from '../../../platform/jobs/loop.ts';
import type { Log } from '../../../platform/process/log.ts';
import { nilCompany } from '../../identity/index.ts';
import { publishAnnouncement } from '../../notices/index.ts';
import { type DueAnnouncement, findHolders, lockDue, markSent } from './store.ts';

const everyMs = 2000;

/** Sends planned announcements at their time, from whichever worker sees them first. */
export function startAnnouncing(database: Database, log: Log): Loop {
  return startLoop({ name: 'operator.announcements', everyMs, log, step: () => sendDue(database) });
}

/** Sends everything that is due, each in a transaction that also says that it is sent: a killed worker sends nothing twice. */
export async function sendDue(database: Database): Promise<void> {
  while (await database.withCompany(nilCompany, sendOne));
}

async function sendOne(tx: Tx): Promise<boolean> {
  const due = await lockDue(tx);
  if (due === null) return false;
  const companies = await companiesOf(tx, due);
  invariant(due.writtenBy, 'what is planned has an author');
  const isForNobody = companies?.length === 0;
  const id = isForNobody ? null : await publishAnnouncement(tx, due.texts, due.writtenBy, companies);
  await markSent(tx, due.id, id);
  return true;
}

/** Null: every company. */
async function companiesOf(tx: Tx, { toCompany, toAsset }: DueAnnouncement): Promise<string[] | null> {
  if (toCompany !== null) return [toCompany];
  return toAsset === null ? null : findHolders(tx, toAsset);
}
