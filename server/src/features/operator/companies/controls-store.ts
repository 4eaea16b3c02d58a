import { changedPayeeDaysDefault } from '@causeway/contract/bank-payees-rules.ts';
import type { CodeRecipient } from '@causeway/contract/organisation-rules.ts';
import type { PolicyDefinition } from '@causeway/contract/risk-content.ts';
import { sql } from 'kysely';
import type { PlatformTx } from '../../../platform/database/database.ts';

/** What a company has set for itself, as its own features keep it. A company without a row has the defaults of those tables. */

export interface SettingsRow {
  timeZone: string | null;
  codeRecipient: CodeRecipient;
  waitingHours: number;
  forbidOwnApprovers: boolean;
  approveNewPayees: boolean;
  changedPayeeDays: number;
  reviewEnabled: boolean;
  expiryDays: number;
  reminderHours: number;
  onlyWhitelisted: boolean;
  whitelisted: number;
  blacklisted: number;
}

export async function findSettings(tx: PlatformTx, companyId: string): Promise<SettingsRow> {
  const entries = (kind: string) => sql`(select count(*) from risk_list_entry e
    where e.company_id = c.company_id and e.kind = ${kind} and e.status = 'in_use')`;
  const { rows } = await sql<SettingsRow>`
    select s.time_zone as "timeZone", coalesce(s.code_recipient, 'initiator') as "codeRecipient",
      coalesce(s.waiting_hours, 24) as "waitingHours", coalesce(s.forbid_own_approvers, false) as "forbidOwnApprovers",
      coalesce(s.approve_new_payees, false) as "approveNewPayees",
      coalesce(s.changed_payee_days, ${changedPayeeDaysDefault}) as "changedPayeeDays", coalesce(r.enabled, false) as "reviewEnabled",
      coalesce(r.expiry_days, 7) as "expiryDays", coalesce(r.reminder_hours, 24) as "reminderHours",
      coalesce(k.only_whitelisted, false) as "onlyWhitelisted", ${entries('white')} as whitelisted, ${entries('black')} as blacklisted
    from company c
    left join company_setting s on s.company_id = c.company_id
    left join approval_setting r on r.company_id = c.company_id
    left join risk_setting k on k.company_id = c.company_id
    where c.company_id = ${companyId}`.execute(tx);
  const [row] = rows;
  if (!row) throw new Error('the company is there: it was looked at in this transaction');
  return row;
}

interface Named {
  kind: 'person' | 'role' | 'department';
  id: string;
}

export interface RuleRow {
  id: string;
  name: string;
  active: boolean;
  /** US cents. */
  lower: bigint;
  upper: bigint | null;
  nodes: readonly { needed: number; approvers: readonly Named[] }[];
  submitters: readonly Named[] | null;
}

/** The rules in force, in the order in which they are tried. */
export async function findRules(tx: PlatformTx, companyId: string): Promise<RuleRow[]> {
  const { rows } = await sql<RuleRow>`
    select r.id, v.name, v.active, v.lower::numeric(78, 0) as lower, v.upper::numeric(78, 0) as upper, v.nodes, v.submitters
    from approval_rule r
    join approval_rule_version v on v.company_id = r.company_id and v.rule_id = r.id and v.version = r.version
    where r.company_id = ${companyId} and r.deleted_at is null order by r.position, r.id`.execute(tx);
  return rows;
}

export interface PolicyRow {
  id: string;
  name: string;
  active: boolean;
  definition: PolicyDefinition;
  stopped: number;
}

export async function findPolicies(tx: PlatformTx, companyId: string): Promise<PolicyRow[]> {
  const { rows } = await sql<PolicyRow>`
    select id, name, active, definition, intercept_count as stopped from risk_policy
    where company_id = ${companyId} and deleted_at is null order by created_at, id`.execute(tx);
  return rows;
}

/** Names of a company's people, own roles and departments, by id. */
export async function findNames(tx: PlatformTx, companyId: string): Promise<ReadonlyMap<string, string>> {
  const { rows } = await sql<{ id: string; name: string }>`
    select id, trim(first_name || ' ' || last_name) as name from member where company_id = ${companyId}
    union all select id, name from role where company_id = ${companyId}
    union all select id, name from department where company_id = ${companyId}`.execute(tx);
  return new Map(rows.map(({ id, name }) => [id, name]));
}
