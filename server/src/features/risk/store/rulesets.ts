import { maxPolicies } from '@causeway/contract/risk-rules.ts';
import { sql } from 'kysely';
import type { CompaniesTx } from '../../../platform/database/database.ts';
import { invariant } from '../../../platform/domain-error.ts';
import { compile, type Policy, type Ruleset } from '../domain.ts';

/** A company's policies as a whole, as they were at one version; version 0: before the first policy. */
export interface RulesetVersion {
  companyId: string;
  version: number;
}

/**
 * Compiled rulesets by company and version. A version never changes once it is committed, so what is kept is never stale; a
 * transaction that makes a version must not ask for it here, since it may yet roll back.
 */
const kept = new Map<string, { ruleset: Ruleset; weight: number }>();
/** Policies of all kept rulesets, and one more for each ruleset, since one without policies takes room too. */
const maxWeight = 5 * maxPolicies;
let weightKept = 0;

const withoutPolicies = compile([]);

/** The rulesets of these versions, in their order; those that are not kept are read in one statement. */
export async function rulesetsOf(tx: CompaniesTx, wanted: readonly RulesetVersion[]): Promise<Ruleset[]> {
  const found = new Map<string, Ruleset>();
  const missing = new Map<string, RulesetVersion>();
  for (const each of wanted) {
    const key = keyOf(each);
    const known = each.version === 0 ? withoutPolicies : recall(key);
    if (known) found.set(key, known);
    else missing.set(key, each);
  }
  if (missing.size > 0) {
    const policies = await readPolicies(tx, [...missing.values()]);
    for (const [key, own] of policies) {
      const ruleset = compile(own);
      found.set(key, ruleset);
      keep(key, ruleset, own.length + 1);
    }
  }
  return wanted.map((each) => {
    const ruleset = found.get(keyOf(each));
    invariant(ruleset, 'a ruleset that is not kept is read');
    return ruleset;
  });
}

function keyOf({ companyId, version }: RulesetVersion): string {
  return `${companyId} ${version}`;
}

function recall(key: string): Ruleset | undefined {
  const known = kept.get(key);
  if (!known) return undefined;
  // Taken out and put back, so that the one longest unused is the first.
  kept.delete(key);
  kept.set(key, known);
  return known.ruleset;
}

function keep(key: string, ruleset: Ruleset, weight: number): void {
  drop(key);
  kept.set(key, { ruleset, weight });
  weightKept += weight;
  for (const oldest of kept.keys()) {
    if (weightKept <= maxWeight) return;
    drop(oldest);
  }
}

function drop(key: string): void {
  weightKept -= kept.get(key)?.weight ?? 0;
  kept.delete(key);
}

/** By the key of their version, the policies that it had switched on, in their order, each as it was. */
async function readPolicies(tx: CompaniesTx, wanted: readonly RulesetVersion[]): Promise<Map<string, Policy[]>> {
  const { rows } = await sql<Policy & { companyId: string; ruleset: number }>`
    select r.company_id as "companyId", r.version as ruleset, p.id, p.version, p.position::integer, v.definition
    from unnest(${wanted.map(({ companyId }) => companyId)}::uuid[], ${wanted.map(({ version }) => version)}::bigint[])
        as w (company_id, version)
      join risk_ruleset r on r.company_id = w.company_id and r.version = w.version
      cross join unnest(r.policy_ids, r.policy_versions, r.active) with ordinality as p (id, version, active, position)
      -- One look-up by the primary key for each policy: OFFSET 0 keeps PostgreSQL from joining all versions of the company first.
      cross join lateral (
        select definition from risk_policy_version v
        where v.company_id = r.company_id and v.policy_id = p.id and v.version = p.version offset 0
      ) v
    where p.active
    order by p.position`.execute(tx);
  const policies = new Map<string, Policy[]>(wanted.map((each) => [keyOf(each), []]));
  for (const { companyId, ruleset, ...policy } of rows) {
    policies.get(keyOf({ companyId, version: ruleset }))?.push(policy);
  }
  return policies;
}
