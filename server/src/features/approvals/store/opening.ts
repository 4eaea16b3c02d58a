import { sql } from 'kysely';
import type { CompaniesTx, Tx } from '../../../platform/database/database.ts';
import { uuids } from '../../../platform/database/sets.ts';
import { invariant } from '../../../platform/domain-error.ts';
import { type Affiliation, asPeople, findAffiliations, type Person, peopleColumn } from '../../organisation/index.ts';
import type { NamedSubmitter } from '../submitters.ts';
import { type RuleRow, ruleColumns } from './rules.ts';
import type { TaskRow, TaskSnapshot } from './tasks.ts';

/** What opening tasks reads, and the rows it writes. */

/** Whether a company reviews, by which rule a value is reviewed, and what opening a task under that rule needs. */
export interface Route {
  /** Of the initiator, as the rule was found by it. */
  affiliation: Affiliation;
  enabled: boolean;
  rule: RuleRow | null;
  /** The people whom the rule names, their deputies, and the initiator; none without a rule. */
  people: readonly Person[];
  expiryDays: number;
  reminderHours: number;
  /** False where no rule matched. */
  forbidsGrantees: boolean;
  readAt: Date;
}

/** A request whose value (US cents) a company's rules may want reviewed. */
export interface RouteRequest {
  companyId: string;
  valueUsdCents: bigint;
  initiatorId: string;
  /** Of the initiator. */
  affiliation: Affiliation;
}

/** As `readRoutes`, of the transaction's company; reads to what the initiator belongs as well. */
export async function readRoute(
  tx: Tx,
  { valueUsdCents, initiatorId }: Pick<RouteRequest, 'valueUsdCents' | 'initiatorId'>,
): Promise<Route> {
  const { companyId } = tx;
  const [affiliation] = await findAffiliations(tx, [{ companyId, memberId: initiatorId }]);
  invariant(affiliation, 'a member has one row');
  const [route] = await readRoutes(tx, [{ companyId, valueUsdCents, initiatorId, affiliation }]);
  invariant(route, 'a request has a route');
  return route;
}

/**
 * For each request, in order: whether its company reviews, the first active rule for the initiator with lower ≤ value < upper (US cents),
 * and whom that names. Settings and versions are read by their primary keys, one row for each request or rule: `offset 0` keeps
 * PostgreSQL from joining whole tables. People are read in a second statement, and only where a rule matched, since setting it up
 * costs more than all else here.
 */
export async function readRoutes(tx: CompaniesTx, requests: readonly RouteRequest[]): Promise<Route[]> {
  if (requests.length === 0) return [];
  const { rows } = await sql<FoundRoute>`
    select s.*, now() as "readAt", matched.*, matched.id is not null and coalesce((
        select c.forbid_own_approvers from company_setting c where c.company_id = request.company_id), false)
        as "forbidsGrantees"
    from unnest(${uuids(requests.map(({ companyId }) => companyId))},
      ${requests.map(({ valueUsdCents }) => valueUsdCents.toString())}::numeric[],
      ${requests.map(({ initiatorId }) => initiatorId)}::text[],
      ${requests.map(({ affiliation: { roleId } }) => roleId)}::text[],
      ${requests.map(({ affiliation: { departmentIds } }) => `{${departmentIds.join()}}`)}::text[]
    ) with ordinality as request (company_id, "value", initiator_id, role_id, department_ids, place)
    left join lateral (
      select enabled, expiry_days as "expiryDays", reminder_hours as "reminderHours"
      from approval_setting s where s.company_id = request.company_id offset 0
    ) s on true
    left join lateral (
      select ${ruleColumns} from approval_rule r
      cross join lateral (
        select * from approval_rule_version v
        where v.company_id = r.company_id and v.rule_id = r.id and v.version = r.version offset 0
      ) v
      where s.enabled and r.company_id = request.company_id and r.deleted_at is null and v.active
        and v.lower <= request."value" and (v.upper is null or request."value" < v.upper)
        and (v.submitters is null or v.submitters -> 'people' ? request.initiator_id
          or v.submitters -> 'roles' ? request.role_id or v.submitters -> 'departments' ?| request.department_ids::text[])
      order by r.position, r.id limit 1
    ) matched on true order by request.place`.execute(tx);
  const people = await readPeople(
    tx,
    requests.flatMap(({ companyId, initiatorId }, place) => {
      const nodes = rows[place]?.nodes;
      if (!nodes) return [];
      const ids = [initiatorId, ...nodes.flatMap((node) => node.people)];
      return [{ place, company_id: companyId, ids, role_ids: nodes.flatMap((node) => node.roles) }];
    }),
  );
  return rows.map((row, place) => {
    const affiliation = requests[place]?.affiliation ?? { roleId: null, departmentIds: [] };
    return { ...asRoute(row, people.get(place) ?? []), affiliation };
  });
}

/** Those whom rules name, by the place of the request; no statement where no rule matched. */
async function readPeople(
  tx: CompaniesTx,
  named: readonly { place: number; company_id: string; ids: readonly string[]; role_ids: readonly string[] }[],
): Promise<Map<number, Person[]>> {
  if (named.length === 0) return new Map();
  const people = peopleColumn(sql`request.ids`, sql`request.role_ids`, sql`request.company_id`);
  const { rows } = await sql<{ place: number; people: unknown }>`
    select request.place, ${people} as people
    from jsonb_to_recordset(${JSON.stringify(named)}::jsonb)
      as request (place integer, company_id uuid, ids uuid[], role_ids uuid[])`.execute(tx);
  return new Map(rows.map((row) => [row.place, asPeople(row.people)]));
}

/** A company that has set nothing has no settings; a request that no rule covers, no rule. */
type FoundRoute = Pick<Route, 'forbidsGrantees' | 'readAt'> &
  Nullable<Pick<Route, 'enabled' | 'expiryDays' | 'reminderHours'>> &
  Nullable<RuleRow>;

type Nullable<T> = { [K in keyof T]: T[K] | null };

function asRoute(row: FoundRoute, people: readonly Person[]): Omit<Route, 'affiliation'> {
  const { enabled, expiryDays, reminderHours, forbidsGrantees, readAt, ...rule } = row;
  return {
    enabled: enabled ?? false,
    expiryDays: expiryDays ?? 0,
    reminderHours: reminderHours ?? 0,
    forbidsGrantees,
    readAt,
    ...(rule.id === null ? { rule: null, people: [] } : { rule: rule as RuleRow, people }),
  };
}

export interface TaskToOpen
  extends TaskSnapshot,
    Pick<
      TaskRow,
      'companyId' | 'digest' | 'adoptable' | 'changesControls' | 'department' | 'ruleId' | 'ruleVersion' | 'nodes'
    > {
  /** As which of those whom its rule is for the initiator was meant. */
  ruleSubmitter?: NamedSubmitter | null;
  effectiveAt: Date | null;
  expiryDays: number;
  reminderHours: number;
  /** People who see it although its nodes do not name them. */
  readers?: readonly string[];
  /** Lines of text in which the keyword search looks. */
  search: readonly string[];
}

/** Writes tasks, each in its company. */
export async function insertTasks(tx: CompaniesTx, tasks: readonly TaskToOpen[]): Promise<void> {
  const column = <T>(of: (task: TaskToOpen) => T) => tasks.map(of);
  await sql`
    insert into approval_task (company_id, id, kind, subject_id, digest, content, adoptable, changes_controls, coin, decimals,
      amount, amount_coins, "value", initiator_id, initiator_name, applicant, department, rule_id, rule_version, nodes,
      parties, search, effective_at, expires_at, remind_at, rule_submitter)
    select t.company_id, t.id, t.kind, t.subject_id, t.digest, t.content, t.adoptable, t.changes_controls, t.coin, t.decimals,
      t.amount, t.amount / power(10::numeric, t.decimals), t."value", t.initiator_id, t.initiator_name, t.initiator_name,
      t.department, t.rule_id, t.rule_version, t.nodes, t.parties::uuid[], t.search, t.effective_at,
      greatest(now(), t.effective_at) + make_interval(days => t.expiry_days),
      now() + make_interval(hours => t.reminder_hours), t.rule_submitter
    from unnest(${uuids(column(({ companyId }) => companyId))}, ${column(({ id }) => id)}::uuid[],
      ${column(({ kind }) => kind)}::text[], ${column(({ subjectId }) => subjectId)}::uuid[],
      ${column(({ digest }) => digest)}::text[], ${column(({ content }) => JSON.stringify(content))}::jsonb[],
      ${column(({ adoptable }) => adoptable)}::boolean[], ${column(({ changesControls }) => changesControls)}::boolean[],
      ${column(({ coin }) => coin)}::text[], ${column(({ decimals }) => decimals)}::integer[],
      ${column(({ amountMinor }) => amountMinor?.toString() ?? null)}::numeric[],
      ${column(({ valueCents }) => valueCents?.toString() ?? null)}::numeric[],
      ${column(({ initiatorId }) => initiatorId)}::uuid[], ${column(({ initiatorName }) => initiatorName)}::text[],
      ${column(({ department }) => department)}::text[], ${column(({ ruleId }) => ruleId)}::uuid[],
      ${column(({ ruleVersion }) => ruleVersion)}::integer[], ${column(({ nodes }) => JSON.stringify(nodes))}::jsonb[],
      ${column((task) => `{${partiesOf(task).join()}}`)}::text[],
      ${column(({ search }) => search.join('\n').toLowerCase())}::text[],
      ${column(({ effectiveAt }) => effectiveAt?.toISOString() ?? null)}::timestamptz[],
      ${column(({ expiryDays }) => expiryDays)}::integer[], ${column(({ reminderHours }) => reminderHours)}::integer[],
      ${column(({ ruleSubmitter }) => ruleSubmitter && JSON.stringify(ruleSubmitter))}::jsonb[]
    ) as t (company_id, id, kind, subject_id, digest, content, adoptable, changes_controls, coin, decimals, amount, "value",
      initiator_id, initiator_name, department, rule_id, rule_version, nodes, parties, search, effective_at, expiry_days,
      reminder_hours, rule_submitter)`.execute(tx);
}

/** The ids of the people and roles whom a task concerns from its beginning. */
function partiesOf({ initiatorId, nodes, readers = [] }: TaskToOpen): string[] {
  const named = nodes.flatMap(({ people, roles, except = [] }) => [...people, ...roles, ...except]);
  return [...new Set([initiatorId, ...named, ...readers])];
}
