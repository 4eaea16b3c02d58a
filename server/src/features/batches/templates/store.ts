import type { PayDays, PayoutTurnOutcome } from '@causeway/contract/payout-templates-rules.ts';
import { sql } from 'kysely';
import type { PlatformTx, Tx } from '../../../platform/database/database.ts';
import { isWrong } from '../store/drafts.ts';

export interface TemplateRow {
  id: string;
  name: string;
  note: string;
  rows: number;
  createdAt: Date;
  createdBy: string;
  createdByName: string;
}

/** Changes of the company's templates and schedules follow one another: their names and their number are judged behind this lock. */
export async function lockTemplates(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('batches.templates ' || company_id(), 0))`.execute(tx);
}

/** The company's templates by name, or the one with this id. */
export async function findTemplates(tx: Tx, id: string | null = null): Promise<TemplateRow[]> {
  const { rows } = await sql<TemplateRow>`
    select b.id, b.name, b.note, (select count(*)::integer from payout_batch_row r where r.company_id = b.company_id and r.batch_id = b.id) as rows,
      b.created_at as "createdAt", b.created_by as "createdBy",
      coalesce(nullif(trim(m.first_name || ' ' || m.last_name), ''), m.email, '') as "createdByName"
    from payout_batch b join member m on m.company_id = b.company_id and m.id = b.created_by
    where b.company_id = company_id() and b.is_template and b.discarded_at is null and (${id}::uuid is null or b.id = ${id}::uuid)
    order by lower(b.name), b.id`.execute(tx);
  return rows;
}

export async function insertTemplate(
  tx: Tx,
  { id, name, note, createdBy }: { id: string; name: string; note: string; createdBy: string },
): Promise<void> {
  await sql`
    insert into payout_batch (company_id, id, name, note, source, is_template, created_by)
    values (company_id(), ${id}, ${name}, ${note}, 'template', true, ${createdBy})`.execute(tx);
}

export async function insertBatchOf(
  tx: Tx,
  batch: { id: string; name: string; templateId: string; payDay: string | null; createdBy: string },
): Promise<void> {
  const { id, name, templateId, payDay, createdBy } = batch;
  await sql`
    insert into payout_batch (company_id, id, name, source, template_id, pay_day, created_by)
    values (company_id(), ${id}, ${name}, 'template', ${templateId}, ${payDay}::date, ${createdBy})`.execute(tx);
}

export async function setContent(tx: Tx, id: string, { name, note }: { name: string; note: string }): Promise<void> {
  await sql`update payout_batch set name = ${name}, note = ${note} where company_id = company_id() and id = ${id}`.execute(
    tx,
  );
}

/** Copies rows with what they mean and what is wrong with them, under new ids; warnings have to be looked at again. */
export async function copyRows(tx: Tx, fromId: string, toId: string): Promise<void> {
  await sql`
    insert into payout_batch_row (company_id, batch_id, id, number, written, wallet_id, payee_id, version_id, amount, terms, problems)
    select company_id, ${toId}, gen_random_uuid(), number, written, wallet_id, payee_id, version_id, amount, terms, problems
    from payout_batch_row where company_id = company_id() and batch_id = ${fromId}`.execute(tx);
}

/** Rows that were read in the source are read in its copy. */
export async function copyReadTo(tx: Tx, fromId: string, toId: string): Promise<void> {
  await sql`
    update payout_batch b set read_to = f.read_to from payout_batch f
    where b.company_id = company_id() and b.id = ${toId} and f.company_id = company_id() and f.id = ${fromId}`.execute(
    tx,
  );
}

/** Days are texts, YYYY-MM-DD. */
export interface ScheduleRow extends PayDays {
  templateId: string;
  time: string;
  timeZone: string;
  prepareDays: number;
  initiatorId: string;
  initiatorName: string;
  nextPayDay: string | null;
  nextAt: Date | null;
  endedAt: Date | null;
}

export async function findSchedules(tx: Tx, templateId: string | null = null): Promise<ScheduleRow[]> {
  const { rows } = await sql<ScheduleRow>`
    select s.template_id as "templateId", s.every, s.day, s.weekend, to_char(s.at_time, 'HH24:MI') as time, s.time_zone as "timeZone",
      s.prepare_days as "prepareDays", to_char(s.first_day, 'YYYY-MM-DD') as "firstDay", to_char(s.last_day, 'YYYY-MM-DD') as "lastDay",
      s.initiator_id as "initiatorId", coalesce(nullif(trim(m.first_name || ' ' || m.last_name), ''), m.email, '') as "initiatorName",
      to_char(s.next_pay_day, 'YYYY-MM-DD') as "nextPayDay", s.next_at as "nextAt", s.ended_at as "endedAt"
    from payout_schedule s join member m on m.company_id = s.company_id and m.id = s.initiator_id
    where s.company_id = company_id() and (${templateId}::uuid is null or s.template_id = ${templateId}::uuid)`.execute(
    tx,
  );
  return rows;
}

export type NewSchedule = Omit<ScheduleRow, 'initiatorName' | 'nextPayDay' | 'nextAt' | 'endedAt'>;

/** Writes a schedule that runs, in place of the one that the template had. */
export async function writeSchedule(tx: Tx, schedule: NewSchedule, next: Due): Promise<void> {
  const { templateId, every, day, weekend, time, timeZone, prepareDays, firstDay, lastDay, initiatorId } = schedule;
  await sql`
    insert into payout_schedule (company_id, template_id, every, day, weekend, at_time, time_zone, prepare_days, first_day, last_day, initiator_id,
      next_pay_day, next_at)
    values (company_id(), ${templateId}, ${every}, ${day}, ${weekend}, ${time}::time, ${timeZone}, ${prepareDays}, ${firstDay}::date,
      ${lastDay}::date, ${initiatorId}, ${next.payDay}::date, ${next.at})
    on conflict (company_id, template_id) do update set every = excluded.every, day = excluded.day, weekend = excluded.weekend,
      at_time = excluded.at_time, time_zone = excluded.time_zone, prepare_days = excluded.prepare_days, first_day = excluded.first_day,
      last_day = excluded.last_day, initiator_id = excluded.initiator_id, next_pay_day = excluded.next_pay_day, next_at = excluded.next_at,
      ended_at = null`.execute(tx);
}

/** Sets when the next turn is; null: none, since it is paused or, where `isOver`, has ended. */
export async function setNext(tx: Tx, templateId: string, next: Due | null, isOver: boolean): Promise<void> {
  await sql`
    update payout_schedule set next_pay_day = ${next?.payDay ?? null}::date, next_at = ${next?.at ?? null},
      ended_at = case when ${isOver} then now() end
    where company_id = company_id() and template_id = ${templateId}`.execute(tx);
}

/** A pay day, and when its batch is made. */
export interface Due {
  payDay: string;
  at: Date;
  /** It has had its turn. */
  isTaken: boolean;
}

/** When the batches of pay days are made, by the clock of a time zone: a time that the change to summer leaves out is the moment after it. */
export async function duesOf(
  tx: Tx,
  { templateId, time, timeZone, prepareDays }: Pick<NewSchedule, 'templateId' | 'time' | 'timeZone' | 'prepareDays'>,
  payDays: readonly string[],
): Promise<Due[]> {
  const { rows } = await sql<Due>`
    select to_char(d.day, 'YYYY-MM-DD') as "payDay", (d.day - ${prepareDays}::integer + ${time}::time) at time zone ${timeZone} as at,
      exists (select from payout_turn t where t.company_id = company_id() and t.template_id = ${templateId} and t.pay_day = d.day) as "isTaken"
    from unnest(${[...payDays]}::date[]) as d (day) order by d.day`.execute(tx);
  return rows;
}

/** The day that an instant is in a time zone. */
export async function dayIn(tx: Tx, timeZone: string, at: Date): Promise<string> {
  const { rows } = await sql<{ day: string }>`
    select to_char(${at}::timestamptz at time zone ${timeZone}, 'YYYY-MM-DD') as day`.execute(tx);
  return rows[0]?.day ?? '';
}

/** Locks a schedule of which a turn is due; null where none is, or where another process takes it. */
export async function lockDue(tx: Tx, templateId: string, now: Date): Promise<ScheduleRow | null> {
  const { rows } = await sql`
    select 1 from payout_schedule where company_id = company_id() and template_id = ${templateId} and next_at <= ${now}
    for update skip locked`.execute(tx);
  return rows.length === 0 ? null : ((await findSchedules(tx, templateId))[0] ?? null);
}

export async function insertTurn(
  tx: Tx,
  templateId: string,
  { payDay, at: dueAt }: Due,
  { at, batchId, error }: { at: Date; batchId: string | null; error: string | null },
): Promise<void> {
  await sql`
    insert into payout_turn (company_id, template_id, pay_day, due_at, at, outcome, batch_id, error)
    values (company_id(), ${templateId}, ${payDay}::date, ${dueAt}, ${at}, ${error === null ? 'made' : 'refused'}, ${batchId}, ${error})`.execute(
    tx,
  );
}

export interface TurnRow {
  templateId: string;
  payDay: string;
  at: Date;
  outcome: PayoutTurnOutcome;
  error: string | null;
  batch: { id: string; name: string; rows: number; isSubmitted: boolean; wrong: number; initiatorId: string } | null;
}

/** The last turns of each template, or of one, the newest first. */
export async function findTurns(tx: Tx, mostOfEach: number, templateId: string | null = null): Promise<TurnRow[]> {
  const { rows } = await sql<TurnRow>`
    select t.template_id as "templateId", to_char(t.pay_day, 'YYYY-MM-DD') as "payDay", t.at, t.outcome, t.error, ${batchOfTurn} as batch
    from payout_schedule s
    cross join lateral (
      select * from payout_turn t where t.company_id = s.company_id and t.template_id = s.template_id order by t.pay_day desc limit ${mostOfEach}
    ) t
    left join payout_batch b on b.company_id = t.company_id and b.id = t.batch_id and b.discarded_at is null
    where s.company_id = company_id() and (${templateId}::uuid is null or s.template_id = ${templateId}::uuid)
    order by t.pay_day desc`.execute(tx);
  return rows;
}

const isSubmitted = sql`exists (select from payout_batch_run r where r.company_id = b.company_id and r.batch_id = b.id)`;
const batchOfTurn = sql`case when b.id is not null then jsonb_build_object('id', b.id, 'name', b.name, 'initiatorId', b.created_by,
  'isSubmitted', ${isSubmitted},
  'rows', (select count(*) from payout_batch_row r where r.company_id = b.company_id and r.batch_id = b.id),
  'wrong', (select count(*) from payout_batch_row r where r.company_id = b.company_id and r.batch_id = b.id and ${isWrong})) end`;

/** Batches that schedules made and that wait to be submitted, the earliest pay day first. */
export async function findReady(tx: Tx): Promise<TurnRow[]> {
  const { rows } = await sql<TurnRow>`
    select t.template_id as "templateId", to_char(t.pay_day, 'YYYY-MM-DD') as "payDay", t.at, t.outcome, t.error, ${batchOfTurn} as batch
    from payout_turn t
    join payout_batch b on b.company_id = t.company_id and b.id = t.batch_id and b.discarded_at is null and not ${isSubmitted}
    where t.company_id = company_id()
    order by t.pay_day, t.batch_id limit 50`.execute(tx);
  return rows;
}

export async function countWrong(tx: Tx, batchId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from payout_batch_row r where r.company_id = company_id() and r.batch_id = ${batchId} and ${isWrong}`.execute(
    tx,
  );
  return rows[0]?.count ?? 0;
}

export async function isCompanyFrozen(tx: Tx): Promise<boolean> {
  const { rows } = await sql<{ isFrozen: boolean }>`
    select frozen_at is not null as "isFrozen" from company where company_id = company_id()`.execute(tx);
  return rows[0]?.isFrozen ?? false;
}

export async function findDueSchedules(
  tx: PlatformTx,
  now: Date,
  most: number,
): Promise<{ companyId: string; templateId: string }[]> {
  const { rows } = await sql<{ companyId: string; templateId: string }>`
    select company_id as "companyId", template_id as "templateId" from payout_schedules_due(${now}, ${most})`.execute(
    tx,
  );
  return rows;
}
