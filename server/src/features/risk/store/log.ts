import type { PolicyDefinition } from '@causeway/contract/risk.ts';
import type { ListKind, RiskMoment, RiskReason } from '@causeway/contract/risk-rules.ts';
import { sql } from 'kysely';
import type { Tx } from '../../../platform/database.ts';
import { newId } from '../../../platform/ids.ts';
import type { InputsJson } from './inputs.ts';

/** The log of policies and lists: what was changed, and what was stopped. */

/** A policy before or after a change. */
export type PolicyState = PolicyDefinition & { position: number; active: boolean; version: number };

/** An entry before or after a change; limits in US dollars as they are shown. */
export interface EntryState {
  remark: string;
  limits: { single: string; daily: string; cumulative: string } | null;
}

export interface Change<S> {
  subjectId: string;
  action: string;
  byName: string;
  before: S | null;
  after: S | null;
}

export async function logPolicyChange(tx: Tx, change: Change<PolicyState>): Promise<void> {
  await logChanges(tx, 'policy', null, [change]);
}

export async function logEntryChanges(tx: Tx, kind: ListKind, changes: readonly Change<EntryState>[]): Promise<void> {
  await logChanges(tx, 'entry', kind, changes);
}

async function logChanges(
  tx: Tx,
  subjectKind: 'policy' | 'entry',
  listKind: ListKind | null,
  changes: readonly Change<unknown>[],
): Promise<void> {
  const json = (state: unknown) => (state === null ? null : JSON.stringify(state));
  await sql`
    insert into risk_log (company_id, id, subject_kind, subject_id, list_kind, type, action, actor_name, before, after)
    select company_id(), c.id, ${subjectKind}, c.subject_id, ${listKind}, 'change', c.action, c.actor_name, c.before, c.after
    from unnest(${changes.map(() => newId())}::uuid[], ${changes.map(({ subjectId }) => subjectId)}::uuid[],
      ${changes.map(({ action }) => action)}::text[], ${changes.map(({ byName }) => byName)}::text[],
      ${changes.map(({ before }) => json(before))}::jsonb[], ${changes.map(({ after }) => json(after))}::jsonb[])
      as c (id, subject_id, action, actor_name, before, after)`.execute(tx);
}

export interface LogFilter {
  subjectKind: 'policy' | 'entry';
  subjectId: string | null;
  listKind: ListKind | null;
  type: 'change' | 'hit' | null;
}

/** A line of the log; what belongs to a hit is null on a change, and the other way round. */
export interface LogRow {
  id: string;
  at: Date;
  /** To the microsecond, for cursors. */
  atText: string;
  subjectId: string | null;
  listKind: ListKind | null;
  type: 'change' | 'hit';
  action: string | null;
  actorName: string | null;
  before: unknown;
  after: unknown;
  hit: {
    transactionId: string;
    moment: RiskMoment;
    reason: RiskReason;
    subjectName: string | null;
    inputs: InputsJson;
    initiatorName: string;
    policyVersion: number | null;
  } | null;
  /** Of the entry; a hit that names none has what was judged. */
  account: string | null;
  payeeType: 'bank_no' | 'crypto_address' | null;
}

function condition({ subjectKind, subjectId, listKind, type }: LogFilter) {
  return sql`l.company_id = company_id() and l.subject_kind = ${subjectKind}
    and (${subjectId}::uuid is null or l.subject_id = ${subjectId}) and (${type}::text is null or l.type = ${type})
    and (${listKind}::text is null or l.list_kind = ${listKind})`;
}

/** Newest first, from after a cursor on. */
export async function findLog(
  tx: Tx,
  filter: LogFilter,
  after: { time: string; id: string } | null,
  limit: number,
): Promise<LogRow[]> {
  const { rows } = await sql<LogRow>`
    with page as materialized (
      select l.* from risk_log l where ${condition(filter)}
        and (${after?.id ?? null}::uuid is null
          or (l.at, l.id) < (${after?.time ?? null}::timestamptz, ${after?.id ?? null}::uuid))
      order by l.at desc, l.id desc limit ${limit}
    )
    select l.id, l.at, to_char(l.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as "atText",
      l.subject_id as "subjectId", l.list_kind as "listKind", l.type, l.action, l.actor_name as "actorName", l.before, l.after,
      case when a.id is not null then jsonb_build_object('transactionId', a.transaction_id, 'moment', a.moment,
        'reason', a.reason, 'subjectName', a.subject_name, 'inputs', a.inputs,
        'initiatorName', coalesce(trim(m.first_name || ' ' || m.last_name), ''),
        'policyVersion', (select r.policy_versions[array_position(r.policy_ids, a.subject_id)] from risk_ruleset r
          where r.company_id = company_id() and r.version = a.ruleset_version and l.subject_kind = 'policy')) end as hit,
      coalesce(e.account, a.inputs -> 'subject' ->> 'account') as account,
      coalesce(e.payee_type, a.inputs -> 'subject' ->> 'accountKind') as "payeeType"
    from page l
    left join risk_assessment a on a.company_id = company_id() and a.id = l.assessment_id
    left join member m on m.company_id = company_id() and m.id = (a.inputs -> 'subject' ->> 'initiatorId')::uuid
    left join risk_list_entry e on e.company_id = company_id() and e.id = l.subject_id
    order by l.at desc, l.id desc`.execute(tx);
  return rows;
}

export async function countLog(tx: Tx, filter: LogFilter, most: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) from (select from risk_log l where ${condition(filter)} limit ${most}) as matching`.execute(tx);
  return rows[0]?.count ?? 0;
}
