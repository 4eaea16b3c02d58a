import type { OutputInput, Params } from '@causeway/contract/call.ts';
import { type Locale, localeOf } from '@causeway/contract/locale.ts';
import type { remindOfPaymentRequest } from '@causeway/contract/payment-requests.ts';
import { audit } from '../../../platform/audit/record.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { announce, live } from '../../../platform/database/outbox.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import { newId } from '../../../platform/ids.ts';
import type { JobContext } from '../../../platform/jobs/jobs.ts';
import { actorOf, type SignedInContext } from '../../../platform/session.ts';
import { layOut } from '../../../platform/text/mail.ts';
import { findCompanyName } from '../../identity/index.ts';
import { isPayable } from '../domain.ts';
import { reminderDue } from '../events.ts';
import { letterOf } from '../letters.ts';
import type { CollectionPorts } from '../ports.ts';
import { unsubscribePath } from '../public/unsubscribing.ts';
import { addLine } from '../store/lines.ts';
import { findReminder, insertReminder, markSent, readReminders } from '../store/reminders.ts';
import { know, lockKnown } from './reading.ts';

const dayMs = 86_400_000;

/** Mails the payer now. @throws DomainError paymentRequestNotFound, paymentRequestEnded, paymentRequestNoEmail, paymentRequestRemindersStopped, paymentRequestReminded */
export async function remind(
  tx: Tx,
  context: SignedInContext,
  { id }: Params<typeof remindOfPaymentRequest>,
): Promise<OutputInput<typeof remindOfPaymentRequest>> {
  const now = context.clock.now();
  const known = await lockKnown(tx, id, now);
  if (!known) throw new DomainError('paymentRequestNotFound');
  const { row, standing, judgement } = known;
  if (!isPayable(standing, judgement, now)) throw new DomainError('paymentRequestEnded');
  if (row.payerEmail === null) throw new DomainError('paymentRequestNoEmail');
  if (row.remindersStoppedAt !== null) throw new DomainError('paymentRequestRemindersStopped');
  const last = (await readReminders(tx, id)).find(({ day }) => day === null);
  if (last && now.getTime() - last.at.getTime() < dayMs) throw new DomainError('paymentRequestReminded');
  const reminderId = newId();
  await insertReminder(tx, id, { id: reminderId, day: null, by: context.session.userName, at: now });
  await addLine(tx, id, { step: 'reminded', by: context.session.userName });
  await audit(tx, {
    actor: actorOf(context),
    action: 'collections.remind',
    subjectKind: 'paymentRequest',
    subjectId: id,
    detail: { name: row.title },
  });
  await announce(tx, [reminderDue(reminderId), live('paymentRequest', id)]);
  return null;
}

/** Mails a reminder that was queued; not one of a request that can no longer be paid, and not once the payer wants none. */
export async function mailReminder(
  { companyId, database }: JobContext,
  { mailer, publicUrl, clock }: Pick<CollectionPorts, 'mailer' | 'publicUrl' | 'clock'>,
  reminderId: string,
): Promise<void> {
  const found = await database.withCompany(companyId, async (tx) => {
    const reminder = await findReminder(tx, reminderId);
    const known = reminder && (await know(tx, reminder.requestId, clock.now()));
    return known && { reminder, known, companyName: await findCompanyName(tx) };
  });
  if (!found || found.reminder.sentAt !== null) return;
  const { reminder, known, companyName } = found;
  const { row, standing, judgement } = known;
  if (row.payerEmail === null || row.payerLanguage === null || row.remindersStoppedAt !== null) return;
  if (!isPayable(standing, judgement, clock.now())) return;
  const locale: Locale = localeOf(row.payerLanguage);
  const letter = letterOf(known, { locale, companyName, publicUrl, day: reminder.day });
  const unsubscribe = new URL(unsubscribePath({ token: row.token, email: row.payerEmail }), publicUrl).href;
  await mailer.send({ ...layOut(row.payerEmail, locale, letter), unsubscribe });
  await database.withCompany(companyId, async (tx) => {
    await markSent(tx, reminderId, clock.now());
    if (reminder.day !== null) await addLine(tx, row.id, { step: 'reminded' });
    await announce(tx, [live('paymentRequest', row.id)]);
  });
}
