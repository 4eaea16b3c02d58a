import type { RiskMoment, RiskReason } from '@causeway/contract/risk-rules.ts';
import { sql } from 'kysely';
import type { Tx } from '../../../platform/database/database.ts';
import type { InputsJson } from './inputs.ts';

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
}

/** The judgements of a transaction, newest first. */
export async function findAssessments(tx: Tx, transactionId: string, limit: number): Promise<AssessmentRow[]> {
  const { rows } = await sql<AssessmentRow>`
    select id, company_id as "companyId", at, moment, allowed, reason, subject_name as "subjectName",
      ruleset_version as "rulesetVersion", inputs
    from risk_assessment where company_id = company_id() and transaction_id = ${transactionId}
    order by at desc, id desc limit ${limit}`.execute(tx);
  return rows;
}
