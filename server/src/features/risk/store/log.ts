import type { Call } from '@causeway/contract/call.ts';
import { listIntercepts, listRiskPolicyLogs, type PolicyDefinition } from '@causeway/contract/risk.ts';
import { listNamelistLogs } from '@causeway/contract/risk-lists.ts';
import type { ListKind, RiskMoment, RiskReason } from '@causeway/contract/risk-rules.ts';
import { sql } from 'kysely';
import type { Tx } from '../../../platform/database/database.ts';
import { defineList, type List } from '../../../platform/database/list.ts';
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

/** A line of the log; what belongs to a hit is null on a change, and the other way round. */
export interface LogRow {
  id: string;
  at: Date;
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

/** The log as rows: what a line says of its hit, its entry and its initiator is joined for the page alone. */
const base = {
  from: () => sql`risk_log l`,
  columns: () => sql<LogRow>`l.id, l.at,
    l.subject_id as "subjectId", l.list_kind as "listKind", l.type, l.action, l.actor_name as "actorName", l.before, l.after,
    case when a.id is not null then jsonb_build_object('transactionId', a.transaction_id, 'moment', a.moment,
      'reason', a.reason, 'subjectName', a.subject_name, 'inputs', a.inputs,
      'initiatorName', coalesce(trim(m.first_name || ' ' || m.last_name), ''),
      'policyVersion', (select r.policy_versions[array_position(r.policy_ids, a.subject_id)] from risk_ruleset r
        where r.company_id = company_id() and r.version = a.ruleset_version and l.subject_kind = 'policy')) end as hit,
    coalesce(e.account, a.inputs -> 'subject' ->> 'account') as account,
    coalesce(e.payee_type, a.inputs -> 'subject' ->> 'accountKind') as "payeeType"`,
  page: {
    alias: 'l',
    joins: sql`
      left join risk_assessment a on a.company_id = company_id() and a.id = l.assessment_id
      left join member m on m.company_id = company_id() and m.id = (a.inputs -> 'subject' ->> 'initiatorId')::uuid
      left join risk_list_entry e on e.company_id = company_id() and e.id = l.subject_id`,
  },
  orders: { time: { by: sql`l.at`, kind: 'time' } },
  first: { sort: 'time', order: 'desc' },
  id: sql`l.id`,
} satisfies Partial<List<Call & { query: NonNullable<Call['query']> }, LogRow, never>>;

/** What was changed in the policies. */
export const policyLogList = defineList(listRiskPolicyLogs, {
  ...base,
  where: () => sql`l.company_id = company_id() and l.subject_kind = 'policy' and l.type = 'change'`,
  filters: { policyId: (id) => sql`l.subject_id = ${id}` },
});

/** What a policy stopped. */
export const interceptList = defineList(listIntercepts, {
  ...base,
  where: ({ policyId }: { policyId: string }) =>
    sql`l.company_id = company_id() and l.subject_kind = 'policy' and l.type = 'hit' and l.subject_id = ${policyId}`,
  filters: {},
});

/** What was changed in the lists, and what they stopped. */
export const entryLogList = defineList(listNamelistLogs, {
  ...base,
  where: () => sql`l.company_id = company_id() and l.subject_kind = 'entry'`,
  filters: {
    kind: (kind) => sql`l.list_kind = ${kind}`,
    type: (type) => sql`l.type = ${type}`,
    entryId: (id) => sql`l.subject_id = ${id}`,
  },
});
