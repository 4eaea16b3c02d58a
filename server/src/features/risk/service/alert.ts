import { sayAmount } from '@causeway/contract/money.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { type NoticeValues, notify, reviseNotice } from '../../notices/index.ts';
import { findPeople } from '../../organisation/index.ts';
import { countAlerts, findShared, findStopped, insertAlert, type Stopped } from '../store/alerts.ts';

/** Tries to ever other payees make a notice each; beyond this in an hour, a member's make no further mails. */
export const maxMailsAnHour = 5;

/**
 * Notifies those who run the policies of what a judgement stopped. Tries of one initiator to one account that are stopped for the same
 * reason within an hour share one notice and one mail; the notice says how many they are. Idempotent.
 */
export async function alertStopped(tx: Tx, assessmentId: string): Promise<void> {
  const stopped = await findStopped(tx, assessmentId);
  if (!stopped) return;
  const shared = await findShared(tx, stopped);
  const earlier = shared === null ? await countAlerts(tx, stopped) : 0;
  const count = await insertAlert(tx, stopped, shared ?? stopped.id);
  if (count === null) return;
  const kind = stopped.moment === 'submission' ? 'riskRefused' : 'riskStopped';
  const values = valuesOf(stopped, count);
  if (shared !== null) {
    await reviseNotice(tx, { kind, sourceId: shared, values });
    return;
  }
  const people = await findPeople(tx);
  const to = people
    .filter(({ status, permissions }) => status === 'active' && permissions.includes('policy.manage'))
    .map(({ id }) => id);
  const link = `/app/risk-setting/policy/stopped/${stopped.subject.id}`;
  const mailTo = earlier < maxMailsAnHour ? to : [];
  await notify(tx, { kind, sourceId: stopped.id, values, link, to, mailTo });
}

function valuesOf({ subject, subjectName, reason, initiatorName, payeeName }: Stopped, count: number): NoticeValues {
  const { quantityMinor, decimals, coin, currency, account } = subject;
  return {
    amount: sayAmount(quantityMinor, decimals),
    coin: coin ?? currency ?? '',
    payee: payeeName ?? account,
    account,
    initiator: initiatorName,
    reason: { text: `risk.reason.${reason}`, values: { name: subjectName ?? '' } },
    count,
  };
}
