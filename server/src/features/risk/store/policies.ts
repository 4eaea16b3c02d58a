import { listRiskPolicies, listRiskPolicyVersions, type PolicyDefinition } from '@causeway/contract/risk.ts';
import { peopleDimensions } from '@causeway/contract/risk-rules.ts';
import { sql } from 'kysely';
import type { Tx } from '../../../platform/database/database.ts';
import { contains, defineList } from '../../../platform/database/list.ts';
import { invariant } from '../../../platform/domain-error.ts';

/** The policies of a company in their order, switched off ones included: one version of the whole. */
export interface Order {
  version: number;
  policies: { id: string; version: number; active: boolean }[];
}

/** The order in force; before the first policy it is empty. */
export async function readOrder(tx: Tx): Promise<Order> {
  const { rows } = await sql<{ version: number; ids: string[]; versions: number[]; active: boolean[] }>`
    select version, policy_ids as ids, policy_versions as versions, active from risk_ruleset
    where company_id = company_id() order by version desc limit 1`.execute(tx);
  const row = rows[0];
  if (!row) return { version: 0, policies: [] };
  const policies = row.ids.map((id, i) => {
    const [version, active] = [row.versions[i], row.active[i]];
    invariant(version !== undefined && active !== undefined, 'the columns of a ruleset are equally long');
    return { id, version, active };
  });
  return { version: row.version, policies };
}

/** Puts another order in force, as the version after this one. */
export async function saveOrder(tx: Tx, { version, policies }: Order): Promise<void> {
  await sql`
    insert into risk_ruleset (company_id, version, policy_ids, policy_versions, active)
    values (company_id(), ${version + 1}, ${policies.map(({ id }) => id)}::uuid[],
      ${policies.map((policy) => policy.version)}::integer[], ${policies.map(({ active }) => active)}::boolean[])`.execute(
    tx,
  );
}

/** A policy's current state; the position is null when it was deleted. */
export interface PolicyRow {
  id: string;
  definition: PolicyDefinition;
  position: number | null;
  active: boolean;
  version: number;
  interceptCount: number;
  createdAt: Date;
  createdByName: string;
  updatedAt: Date;
  updatedByName: string;
}

const columns = sql`p.id, p.definition, p.active, p.version, p.intercept_count as "interceptCount",
  p.created_at as "createdAt", p.created_by_name as "createdByName", p.updated_at as "updatedAt",
  p.updated_by_name as "updatedByName"`;

/** The policies in force, in their order. */
export const policyList = defineList(listRiskPolicies, {
  from: () => sql`
    (select policy_ids from risk_ruleset where company_id = company_id() order by version desc limit 1) r,
    unnest(r.policy_ids) with ordinality as o (id, position)
    join risk_policy p on p.company_id = company_id() and p.id = o.id`,
  where: () => sql`true`,
  filters: {
    business: (business) => sql`p.business = ${business}`,
    dimension: (dimension) => sql`p.dimension = ${dimension}`,
    active: (active) => sql`p.active = ${active === 'true'}`,
    keyword: (keyword) => contains(sql`p.name`, keyword),
  },
  columns: () => sql<PolicyRow>`${columns}, o.position`,
  orders: { position: { by: sql`o.position`, kind: 'number' } },
  first: { sort: 'position', order: 'asc' },
});

/** A policy, deleted ones included. */
export async function findPolicy(tx: Tx, id: string): Promise<PolicyRow | null> {
  const { rows } = await sql<PolicyRow>`
    select ${columns}, case when p.deleted_at is null then (select array_position(policy_ids, p.id) from risk_ruleset
      where company_id = company_id() order by version desc limit 1) end as position
    from risk_policy p where p.company_id = company_id() and p.id = ${id}`.execute(tx);
  return rows[0] ?? null;
}

/** The current definitions of these policies. */
export async function findDefinitions(tx: Tx, ids: readonly string[]): Promise<Map<string, PolicyDefinition>> {
  const { rows } = await sql<{ id: string; definition: PolicyDefinition }>`
    select id, definition from risk_policy where company_id = company_id() and id = any (${[...ids]}::uuid[])`.execute(
    tx,
  );
  return new Map(rows.map(({ id, definition }) => [id, definition]));
}

/** How many policies, those switched off included, name a member, department or role. */
export async function countPoliciesNaming(tx: Tx, id: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) from risk_policy
    where company_id = company_id() and deleted_at is null and dimension = any (${[...peopleDimensions]}::text[])
      and (definition -> 'content' -> 'members' ? ${id}::text or definition -> 'content' -> 'departments' ? ${id}::text
        or definition -> 'content' -> 'roles' ? ${id}::text)`.execute(tx);
  return rows[0]?.count ?? 0;
}

export async function insertPolicy(
  tx: Tx,
  policy: { id: string; definition: PolicyDefinition; active: boolean; byName: string },
): Promise<void> {
  const { id, definition, active, byName } = policy;
  const json = JSON.stringify(definition);
  await sql`
    with policy as (
      insert into risk_policy (company_id, id, name, business, dimension, definition, active, created_by_name, updated_by_name)
      values (company_id(), ${id}, ${definition.name}, ${definition.business}, ${definition.content.dimension}, ${json},
        ${active}, ${byName}, ${byName})
      returning id
    )
    insert into risk_policy_version (company_id, policy_id, version, definition, created_by_name)
    select company_id(), id, 1, ${json}, ${byName} from policy`.execute(tx);
}

/** Writes the next version; false when the policy is not at this one any more, or is not there. */
export async function updateDefinition(
  tx: Tx,
  policy: { id: string; version: number; definition: PolicyDefinition; byName: string },
): Promise<boolean> {
  const { id, version, definition, byName } = policy;
  const json = JSON.stringify(definition);
  const { rows } = await sql`
    with policy as (
      update risk_policy set name = ${definition.name}, business = ${definition.business},
        dimension = ${definition.content.dimension}, definition = ${json}, version = version + 1, updated_at = now(),
        updated_by_name = ${byName}
      where company_id = company_id() and id = ${id} and version = ${version} and deleted_at is null
      returning id, version
    )
    insert into risk_policy_version (company_id, policy_id, version, definition, created_by_name)
    select company_id(), id, version, ${json}, ${byName} from policy returning version`.execute(tx);
  return rows.length > 0;
}

export async function updateActive(tx: Tx, id: string, active: boolean, byName: string): Promise<void> {
  await sql`
    update risk_policy set active = ${active}, updated_at = now(), updated_by_name = ${byName}
    where company_id = company_id() and id = ${id}`.execute(tx);
}

export async function markPolicyDeleted(tx: Tx, id: string, byName: string): Promise<void> {
  await sql`
    update risk_policy set deleted_at = now(), updated_at = now(), updated_by_name = ${byName}
    where company_id = company_id() and id = ${id}`.execute(tx);
}

export interface VersionRow {
  version: number;
  definition: PolicyDefinition;
  createdAt: Date;
  createdByName: string;
}

/** The versions of a policy. */
export const versionList = defineList(listRiskPolicyVersions, {
  from: () => sql`risk_policy_version`,
  where: ({ policyId }: { policyId: string }) => sql`company_id = company_id() and policy_id = ${policyId}`,
  filters: {},
  columns: () => sql<VersionRow>`version, definition, created_at as "createdAt", created_by_name as "createdByName"`,
  orders: { version: { by: sql`version`, kind: 'number' } },
  first: { sort: 'version', order: 'desc' },
});
