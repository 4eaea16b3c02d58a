import type { Alert } from '@causeway/contract/alerts-rules.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { type NoticeToGive, notify } from '../../notices/index.ts';
import { findPeople } from '../../organisation/index.ts';
import { isAllowed } from '../domain.ts';

/** Those of some members who may see what an alert is about now. */
export async function allowedOf(tx: Tx, alert: Alert | 'rate', userIds: readonly string[]): Promise<string[]> {
  if (userIds.length === 0) return [];
  const people = await findPeople(tx, userIds);
  return people.filter(({ permissions }) => isAllowed(alert, permissions)).map(({ id }) => id);
}

/** Alerts each of some members by a notice of their own, so that a repeated event reaches only members who have not had it. */
export async function alertEach(
  tx: Tx,
  userIds: readonly string[],
  notice: Omit<NoticeToGive, 'to' | 'mailTo'>,
): Promise<void> {
  for (const userId of userIds) await notify(tx, { ...notice, to: [userId] });
}
