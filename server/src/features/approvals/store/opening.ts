import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../../platform/database/database.ts';
import { announcing, type OutboxEvent } from '../../../platform/database/outbox.ts';
import { asPeople, type Person, peopleColumn } from '../../organisation/index.ts';
import { type RuleRow, ruleColumns } from './rules.ts';
import type { TaskRow, TaskSnapshot } from './tasks.ts';

/** What opening a task reads, in one statement, and what it writes, in one statement. */

/** Whether a company reviews, by which rule a value is reviewed, and what opening a task under that rule needs. */
export interface Route {
  enabled: boolean;
  rule: RuleRow | null;
  /** The people whom the rule names, their deputies, and the initiator; none without a rule. */
  people: readonly Person[];
  expiryDays: number;
  reminderHours: number;
  forbidsGrantees: boolean;
  readAt: Date;
}

/** The first active rule with lower ≤ value < upper (US cents), and whom it names. */
export async function readRoute(
  tx: Tx,
  { valueUsdCents, initiatorId }: { valueUsdCents: bigint; initiatorId: string },
): Promise<Route> {
  const value = valueUsdCents.toString();
  const named = (member: 'people' | 'roles') =>
    sql`array(
      select jsonb_array_elements_text(node -> ${sql.lit(member)})::uuid from jsonb_array_elements(matched.nodes) node)`;
  const people = peopleColumn(sql`${initiatorId}::uuid || ${named('people')}`, named('roles'));
  const { rows } = await sql<Omit<Route, 'rule' | 'people'> & Nullable<RuleRow> & { people: unknown }>`
    select s.enabled, s.expiry_days as "expiryDays", s.reminder_hours as "reminderHours", now() as "readAt",
      coalesce((select c.forbid_own_approvers from company_setting c where c.company_id = s.company_id), false)
        as "forbidsGrantees",
      matched.*, case when matched.id is not null then ${people} end as people
    from approval_setting s left join lateral (
      select ${ruleColumns} from approval_rule r
      join approval_rule_version v on v.company_id = r.company_id and v.rule_id = r.id and v.version = r.version
      where s.enabled and r.company_id = s.company_id and r.deleted_at is null and v.active
        and v.lower <= ${value}::numeric and (v.upper is null or ${value}::numeric < v.upper)
      order by r.position, r.id limit 1
    ) matched on true where s.company_id = company_id()`.execute(tx);
  const row = rows[0];
  if (!row) return { ...unset, readAt: new Date() };
  const { enabled, expiryDays, reminderHours, forbidsGrantees, readAt } = row;
  const settings = { enabled, expiryDays, reminderHours, forbidsGrantees, readAt };
  if (row.id === null) return { ...settings, rule: null, people: [] };
  return { ...settings, rule: row as unknown as RuleRow, people: asPeople(row.people) };
}

type Nullable<T> = { [K in keyof T]: T[K] | null };

/** A company that never set anything: it does not review. */
const unset: Omit<Route, 'readAt'> = {
  enabled: false,
  rule: null,
  people: [],
  expiryDays: 0,
  reminderHours: 0,
  forbidsGrantees: false,
};

export interface TaskToOpen
  extends TaskSnapshot,
    Pick<TaskRow, 'digest' | 'adoptable' | 'changesControls' | 'department' | 'ruleId' | 'ruleVersion' | 'nodes'> {
  effectiveAt: Date | null;
  expiryDays: number;
  reminderHours: number;
  /** Lines of text in which the keyword search looks. */
  search: readonly string[];
}

/** Writes a task, the notice to its first approvers, and what is announced. */
export async function insertTask(
  tx: Tx,
  task: TaskToOpen,
  told: { notice: RawBuilder<unknown> | null; events: readonly OutboxEvent[] },
): Promise<void> {
  const effectiveAt = task.effectiveAt?.toISOString() ?? null;
  const amount = task.amountMinor?.toString() ?? null;
  const parties = [
    task.initiatorId,
    ...task.nodes.flatMap(({ people, roles, except = [] }) => [...people, ...roles, ...except]),
  ];
  await sql`
    with opened as (
      insert into approval_task (company_id, id, kind, subject_id, digest, content, adoptable, changes_controls, coin, decimals,
        amount, amount_coins, "value", initiator_id, initiator_name, applicant, department, rule_id, rule_version, nodes,
        parties, search, effective_at, expires_at, remind_at)
      values (company_id(), ${task.id}, ${task.kind}, ${task.subjectId}, ${task.digest}, ${JSON.stringify(task.content)},
        ${task.adoptable}, ${task.changesControls}, ${task.coin}, ${task.decimals}, ${amount},
        ${amount}::numeric / power(10::numeric, ${task.decimals}::integer), ${task.valueCents?.toString() ?? null},
        ${task.initiatorId}, ${task.initiatorName}, ${task.initiatorName}, ${task.department}, ${task.ruleId},
        ${task.ruleVersion}, ${JSON.stringify(task.nodes)}, ${[...new Set(parties)]}::uuid[],
        ${task.search.join('\n').toLowerCase()}, ${effectiveAt}::timestamptz,
        greatest(now(), ${effectiveAt}::timestamptz) + make_interval(days => ${task.expiryDays}),
        now() + make_interval(hours => ${task.reminderHours}))
    ), ${told.notice ? sql`given as (${told.notice}),` : sql``}
    announced as (${announcing(told.events)})
    select`.execute(tx);
}
