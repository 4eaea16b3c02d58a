import { sql } from 'kysely';
import type { PlatformTx, Tx } from '../../../platform/database/database.ts';

export async function setRemindersStopped(tx: Tx, requestId: string, at: Date): Promise<void> {
  await sql`
    update payment_request set reminders_stopped_at = ${at}, version = version + 1, updated_at = clock_timestamp()
    where company_id = company_id() and id = ${requestId}`.execute(tx);
}

export interface ReminderRow {
  id: string;
  /** Days from the due date; null: by hand. */
  day: number | null;
  by: string | null;
  at: Date;
  sentAt: Date | null;
}

/** The latest first. */
export async function readReminders(tx: Tx, requestId: string): Promise<ReminderRow[]> {
  const { rows } = await sql<ReminderRow>`
    select id, day, by_name as by, at, sent_at as "sentAt" from payment_request_reminder
    where company_id = company_id() and request_id = ${requestId} order by at desc, id desc`.execute(tx);
  return rows;
}

/** @returns false where the day's was written already */
export async function insertReminder(
  tx: Tx,
  requestId: string,
  { id, day, by, at }: { id: string; day: number | null; by: string | null; at: Date },
): Promise<boolean> {
  const { rows } = await sql`
    insert into payment_request_reminder (company_id, id, request_id, day, by_name, at)
    values (company_id(), ${id}, ${requestId}, ${day}, ${by}, ${at}) on conflict do nothing returning id`.execute(tx);
  return rows.length > 0;
}

export async function findReminder(tx: Tx, id: string): Promise<(ReminderRow & { requestId: string }) | null> {
  const { rows } = await sql<ReminderRow & { requestId: string }>`
    select id, day, by_name as by, at, sent_at as "sentAt", request_id as "requestId" from payment_request_reminder
    where company_id = company_id() and id = ${id}`.execute(tx);
  return rows[0] ?? null;
}

export async function markSent(tx: Tx, id: string, at: Date): Promise<void> {
  await sql`
    update payment_request_reminder set sent_at = ${at} where company_id = company_id() and id = ${id} and sent_at is null`.execute(
    tx,
  );
}

/** The companies whose requests have days of reminders around an instant. */
export async function companiesWithReminders(tx: PlatformTx, now: Date): Promise<string[]> {
  const { rows } = await sql<{ companyId: string }>`
    select distinct company_id as "companyId" from payment_request
    where reminder_days <> '{}' and state in ('open', 'unresolved')
      and due_on between ${now}::timestamptz::date - 32 and ${now}::timestamptz::date + 32`.execute(tx);
  return rows.map(({ companyId }) => companyId);
}

/** Reminders are due from this hour of their day on, by the company's clock. */
const hourOfDay = 9;

/** Reminders that are due. One that was missed while no process ran is made up for on its day alone: later its words would be wrong. */
export async function findDueReminders(
  tx: Tx,
  { now, timeZone }: { now: Date; timeZone: string },
): Promise<{ requestId: string; day: number }[]> {
  const { rows } = await sql<{ requestId: string; day: number }>`
    select q.id as "requestId", d.day from payment_request q cross join lateral unnest(q.reminder_days) as d (day)
    where q.company_id = company_id() and q.reminder_days <> '{}' and q.state in ('open', 'unresolved') and q.due_on is not null
      and q.payer_email is not null and q.reminders_stopped_at is null
      and (${now}::timestamptz at time zone ${timeZone})::date = q.due_on + d.day
      and extract(hour from ${now}::timestamptz at time zone ${timeZone}) >= ${hourOfDay}
      and not exists (select from payment_request_reminder r
        where r.company_id = q.company_id and r.request_id = q.id and r.day = d.day)
    order by q.id, d.day`.execute(tx);
  return rows;
}
