import type { RiskMoment, RiskReason } from '@causeway/contract/risk-rules.ts';
import { sql } from 'kysely';
import type { Tx } from '../../../platform/database/database.ts';
import type { RiskSubject } from '../domain.ts';
import { type InputsJson, inputsFromJson } from './inputs.ts';

/** What was stopped, as its notice says it. */
export interface Stopped {
  id: string;
  at: Date;
  moment: RiskMoment;
  reason: RiskReason;
  subjectId: string | null;
  subjectName: string | null;
  subject: RiskSubject;
  initiatorName: string;
  /** Of the payee with this account; null: none is saved. */
  payeeName: string | null;
}

/** Null when the judgement stopped nothing. */
export async function findStopped(tx: Tx, assessmentId: string): Promise<Stopped | null> {
  const { rows } = await sql<Omit<Stopped, 'subject'> & { inputs: InputsJson }>`
    select a.id, a.at, a.moment, a.reason, a.subject_id as "subjectId", a.subject_name as "subjectName", a.inputs,
      coalesce(trim(m.first_name || ' ' || m.last_name), '') as "initiatorName",
      (select p.label from crypto_payee p
        where p.company_id = company_id() and p.chain_id = a.inputs -> 'subject' ->> 'chainId'
          and p.address = a.inputs -> 'subject' ->> 'account'
        order by p.status = 'deleted', p.id desc limit 1) as "payeeName"
    from risk_assessment a
    left join member m on m.company_id = company_id() and m.id = (a.inputs -> 'subject' ->> 'initiatorId')::uuid
    where a.company_id = company_id() and a.id = ${assessmentId} and not a.allowed`.execute(tx);
  const [row] = rows;
  if (!row) return null;
  const { inputs, ...rest } = row;
  return { ...rest, subject: inputsFromJson(inputs).subject };
}

/**
 * The first of those that this one shares a notice with: of the same initiator, account and reason, less than an hour before or after it,
 * since jobs may run in another order than what they are about. Null when it is the first itself.
 */
export async function findShared(tx: Tx, stopped: Stopped): Promise<string | null> {
  const { at, moment, reason, subjectId, subject } = stopped;
  const { rows } = await sql<{ id: string }>`
    select alert_id as id from risk_alert
    where company_id = company_id() and assessment_id = alert_id and initiator_id = ${subject.initiatorId}
      and at > ${at}::timestamptz - interval '1 hour' and at < ${at}::timestamptz + interval '1 hour'
      and account = ${subject.account} and reason = ${reason} and subject_id is not distinct from ${subjectId}::uuid
      and late = ${moment !== 'submission'}
    order by at desc limit 1`.execute(tx);
  return rows[0]?.id ?? null;
}

/** How many notices a member's tries made in the hour before. */
export async function countAlerts(tx: Tx, { at, subject }: Stopped): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from risk_alert
    where company_id = company_id() and assessment_id = alert_id and initiator_id = ${subject.initiatorId}
      and at > ${at}::timestamptz - interval '1 hour' and at <= ${at}::timestamptz`.execute(tx);
  return rows[0]?.count ?? 0;
}

/** Counts it for the notice; how many it has then, or null when it had been counted before. */
export async function insertAlert(tx: Tx, stopped: Stopped, alertId: string): Promise<number | null> {
  const { id, at, moment, reason, subjectId, subject } = stopped;
  const { rows } = await sql<{ count: number }>`
    with counted as (
      insert into risk_alert (company_id, assessment_id, alert_id, initiator_id, account, reason, subject_id, late, at)
      values (company_id(), ${id}, ${alertId}, ${subject.initiatorId}, ${subject.account}, ${reason}, ${subjectId},
        ${moment !== 'submission'}, ${at})
      on conflict (company_id, assessment_id) do nothing returning 1
    )
    select (select count(*)::integer from risk_alert where company_id = company_id() and alert_id = ${alertId}) + 1 as count
    from counted`.execute(tx);
  return rows[0]?.count ?? null;
}
