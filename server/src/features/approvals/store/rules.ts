import { sql } from 'kysely';
import type { Tx } from '../../../platform/database/database.ts';
import { newId } from '../../../platform/ids.ts';
import type { Rule, SealedNode } from '../domain.ts';

export interface Settings {
  enabled: boolean;
  expiryDays: number;
  reminderHours: number;
  /** Counts the changes of the rules and of the switch. */
  version: number;
  /** When review was switched on for the first time; null: never. */
  reviewedSince: Date | null;
  /** The moment of reading, by the database's clock. */
  readAt: Date;
}

const usual: Omit<Settings, 'readAt'> = {
  enabled: false,
  expiryDays: 7,
  reminderHours: 24,
  version: 0,
  reviewedSince: null,
};

const settingColumns = sql`enabled, expiry_days as "expiryDays", reminder_hours as "reminderHours", version,
  reviewed_since as "reviewedSince", now() as "readAt"`;

export async function readSettings(tx: Tx): Promise<Settings> {
  const { rows } = await sql<Settings>`
    select ${settingColumns} from approval_setting where company_id = company_id()`.execute(tx);
  return rows[0] ?? { ...usual, readAt: new Date() };
}

/** The settings, locked until the transaction's end: changes go one after another. */
export async function lockSettings(tx: Tx): Promise<Settings> {
  await sql`insert into approval_setting (company_id) values (company_id()) on conflict do nothing`.execute(tx);
  const { rows } = await sql<Settings>`
    select ${settingColumns} from approval_setting where company_id = company_id() for update`.execute(tx);
  return rows[0] ?? { ...usual, readAt: new Date() };
}

/** Writes settings, under `lockSettings`. */
export async function writeSettings(tx: Tx, settings: Settings): Promise<void> {
  await sql`
    update approval_setting set enabled = ${settings.enabled}, expiry_days = ${settings.expiryDays},
      reminder_hours = ${settings.reminderHours}, version = ${settings.version},
      reviewed_since = coalesce(reviewed_since, case when ${settings.enabled} then now() end)
    where company_id = company_id()`.execute(tx);
}

export interface RuleRow extends Rule {
  nodes: SealedNode[];
  position: number;
  changedAt: Date;
  changedBy: string;
}

export const ruleColumns = sql`r.id, v.version, v.name, v.lower as "lowerCents", v.upper as "upperCents", v.submitters, v.nodes, v.active, r.position,
  v.created_at as "changedAt", v.created_by_name as "changedBy"`;

/** The rules in their order, those switched off included. */
export async function readRules(tx: Tx): Promise<RuleRow[]> {
  const { rows } = await sql<RuleRow>`
    select ${ruleColumns} from approval_rule r
    join approval_rule_version v on v.company_id = r.company_id and v.rule_id = r.id and v.version = r.version
    where r.company_id = company_id() and r.deleted_at is null order by r.position, r.id`.execute(tx);
  return rows;
}

/** One version of a rule, whatever became of it. */
export async function readRuleVersion(tx: Tx, ruleId: string, version: number): Promise<RuleRow | null> {
  const { rows } = await sql<RuleRow>`
    select ${ruleColumns} from approval_rule r
    join approval_rule_version v on v.company_id = r.company_id and v.rule_id = r.id
    where r.company_id = company_id() and r.id = ${ruleId} and v.version = ${version}`.execute(tx);
  return rows[0] ?? null;
}

/** Whether a rule of this id ever was. */
export async function ruleExists(tx: Tx, id: string): Promise<boolean> {
  const { rows } = await sql`select from approval_rule where company_id = company_id() and id = ${id}`.execute(tx);
  return rows.length > 0;
}

export type RuleToWrite = Pick<
  Rule,
  'id' | 'version' | 'name' | 'lowerCents' | 'upperCents' | 'submitters' | 'nodes' | 'active'
>;

/** Writes a rule's version, the first one with the rule itself. */
export async function writeRule(tx: Tx, rule: RuleToWrite, position: number, by: { id: string; name: string }) {
  await sql`
    insert into approval_rule (company_id, id, version, position) values (company_id(), ${rule.id}, ${rule.version}, ${position})
    on conflict (company_id, id) do update set version = excluded.version`.execute(tx);
  await sql`
    insert into approval_rule_version (company_id, rule_id, version, name, lower, upper, submitters, nodes, active, created_by,
      created_by_name)
    values (company_id(), ${rule.id}, ${rule.version}, ${rule.name}, ${rule.lowerCents.toString()},
      ${rule.upperCents?.toString() ?? null}, ${rule.submitters && JSON.stringify(rule.submitters)}::jsonb, ${JSON.stringify(rule.nodes)}, ${rule.active}, ${by.id}, ${by.name})`.execute(
    tx,
  );
}

export async function deleteRule(tx: Tx, id: string): Promise<void> {
  await sql`
    update approval_rule set deleted_at = now() where company_id = company_id() and id = ${id}`.execute(tx);
}

export async function writeOrder(tx: Tx, ids: readonly string[]): Promise<void> {
  await sql`
    update approval_rule r set position = o.position
    from unnest(${[...ids]}::uuid[]) with ordinality as o (id, position)
    where r.company_id = company_id() and r.id = o.id`.execute(tx);
}

/** How many rules, those switched off included, name a member, role or department, as approver or as whom they are for. */
export async function countRulesNaming(tx: Tx, id: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) from approval_rule r
    join approval_rule_version v on v.company_id = r.company_id and v.rule_id = r.id and v.version = r.version
    where r.company_id = company_id() and r.deleted_at is null
      and (exists (select from jsonb_array_elements(v.nodes) node where node -> 'roles' ? ${id}::text or node -> 'people' ? ${id}::text)
        or exists (select from jsonb_each(v.submitters) as of (kind, ids) where of.ids ? ${id}::text))`.execute(tx);
  return rows[0]?.count ?? 0;
}

/** How many tasks still run under each rule. */
export async function countPendingByRule(tx: Tx): Promise<Map<string, number>> {
  const { rows } = await sql<{ ruleId: string; count: number }>`
    select rule_id as "ruleId", count(*) from approval_task
    where company_id = company_id() and status = 'pending' and rule_id is not null group by rule_id`.execute(tx);
  return new Map(rows.map(({ ruleId, count }) => [ruleId, count]));
}

export interface LogEntry {
  actor: { id: string; name: string } | null;
  action: string;
  detail: Record<string, unknown>;
  taskId: string | null;
}

export async function insertLog(tx: Tx, { actor, action, detail, taskId }: LogEntry): Promise<void> {
  await sql`
    insert into approval_log (company_id, id, actor_id, actor_name, action, detail, task_id)
    values (company_id(), ${newId()}, ${actor?.id ?? null}, ${actor?.name ?? null}, ${action}, ${JSON.stringify(detail)},
      ${taskId})`.execute(tx);
}
