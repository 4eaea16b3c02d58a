import type { RiskMoment, RiskReason } from '@causeway/contract/risk-rules.ts';
import { sql } from 'kysely';
import type { CompaniesTx, Tx } from '../../../platform/database/database.ts';
import { uuids } from '../../../platform/database/sets.ts';
import { newId } from '../../../platform/ids.ts';
import type { Inputs, Judgement } from '../domain.ts';
import { instant } from './flows.ts';
import { type InputsJson, inputsToJson } from './inputs.ts';

/** A judgement as it was recorded. */
export interface AssessmentRow {
  id: string;
  companyId: string;
  at: Date;
  moment: RiskMoment;
  allowed: boolean;
  reason: RiskReason | null;
  subjectName: string | null;
  rulesetVersion: number;
  inputs: InputsJson;
  /** Empty when not known any more. */
  initiatorName: string;
  /** It became a transaction. */
  submitted: boolean;
}

/** The judgements of a transaction, newest first. */
export async function findAssessments(tx: Tx, transactionId: string, limit: number): Promise<AssessmentRow[]> {
  const { rows } = await sql<AssessmentRow>`
    select a.id, a.company_id as "companyId", a.at, a.moment, a.allowed, a.reason, a.subject_name as "subjectName",
      a.ruleset_version as "rulesetVersion", a.inputs,
      coalesce(trim(m.first_name || ' ' || m.last_name), '') as "initiatorName",
      exists (select from transaction t where t.company_id = company_id() and t.id = a.transaction_id) as submitted
    from risk_assessment a
    left join member m on m.company_id = company_id() and m.id = (a.inputs -> 'subject' ->> 'initiatorId')::uuid
    where a.company_id = company_id() and a.transaction_id = ${transactionId}
    order by a.at desc, a.id desc limit ${limit}`.execute(tx);
  return rows;
}

export interface NewAssessment {
  companyId: string;
  id: string;
  /** Microseconds since 1970. */
  atMicros: number;
  moment: RiskMoment;
  inputs: Inputs;
  judgement: Judgement;
  rulesetVersion: number;
}

export async function insertAssessments(tx: CompaniesTx, assessments: readonly NewAssessment[]): Promise<void> {
  const column = <T>(of: (assessment: NewAssessment) => T) => assessments.map(of);
  await sql`
    insert into risk_assessment (company_id, id, transaction_id, at, moment, allowed, reason, subject_id, subject_name,
      ruleset_version, inputs)
    select a.company_id, a.id, a.transaction_id, ${instant(sql`a.at_micros`)}, a.moment, a.allowed, a.reason, a.subject_id,
      a.subject_name, a.ruleset_version, a.inputs
    from rows from (unnest(${uuids(column(({ companyId }) => companyId))}, ${column(({ id }) => id)}::uuid[],
      ${column(({ inputs }) => inputs.subject.id)}::uuid[], ${column(({ atMicros }) => atMicros)}::bigint[],
      ${column(({ moment }) => moment)}::text[], ${column(({ judgement }) => judgement.allowed)}::boolean[],
      ${column(({ judgement }) => judgement.reason)}::text[], ${column(({ judgement }) => judgement.subjectId)}::uuid[],
      ${column(({ judgement }) => judgement.subjectName)}::text[], ${column(({ rulesetVersion }) => rulesetVersion)}::bigint[]),
      jsonb_array_elements(${JSON.stringify(column(({ inputs }) => inputsToJson(inputs)))}::jsonb))
      as a (company_id, id, transaction_id, at_micros, moment, allowed, reason, subject_id, subject_name, ruleset_version,
        inputs)`.execute(tx);
}

/** Writes that judgements stopped transactions: at the policy or entry of each, and in their log. */
export async function recordHits(tx: CompaniesTx, denials: readonly NewAssessment[]): Promise<void> {
  const column = <T>(of: (assessment: NewAssessment) => T) => denials.map(of);
  const isPolicy = ({ judgement }: NewAssessment) => judgement.reason === 'policy';
  const listOf = (denial: NewAssessment) => (denial.judgement.reason === 'blacklisted' ? 'black' : 'white');
  await sql`
    with hit as (
      select * from unnest(${uuids(column(({ companyId }) => companyId))}, ${column(() => newId())}::uuid[],
        ${column(({ atMicros }) => atMicros)}::bigint[], ${column((each) => (isPolicy(each) ? 'policy' : 'entry'))}::text[],
        ${column(({ judgement }) => judgement.subjectId)}::uuid[],
        ${column((each) => (isPolicy(each) ? null : listOf(each)))}::text[], ${column(({ id }) => id)}::uuid[])
        as h (company_id, id, at_micros, subject_kind, subject_id, list_kind, assessment_id)
    ), policy as (
      update risk_policy p set intercept_count = p.intercept_count + h.hits
      from (select company_id, subject_id, count(*) as hits from hit where subject_kind = 'policy' group by 1, 2) h
      where p.company_id = h.company_id and p.id = h.subject_id
    ), entry as (
      update risk_list_entry e set hit_count = e.hit_count + h.hits
      from (select company_id, subject_id, count(*) as hits from hit where subject_kind = 'entry' group by 1, 2) h
      where e.company_id = h.company_id and e.id = h.subject_id
    )
    insert into risk_log (company_id, id, at, subject_kind, subject_id, list_kind, type, assessment_id)
    select company_id, id, ${instant(sql`at_micros`)}, subject_kind, subject_id, list_kind, 'hit', assessment_id
    from hit`.execute(tx);
}
