import type { PolicyDefinition } from '@causeway/contract/risk.ts';
import { sql } from 'kysely';
import type { Tx } from '../../../platform/database/database.ts';
import { compile, type Policy, type Ruleset } from '../domain.ts';

/**
 * Compiled rulesets by company and version. A version never changes once it is committed, so what is kept is never stale; a
 * transaction that makes a version must not ask for it here, since it may yet roll back.
 */
const kept = new Map<string, Ruleset>();
const maxKept = 200;

export async function rulesetOf(tx: Tx, companyId: string, version: number): Promise<Ruleset> {
  const key = `${companyId} ${version}`;
  const known = kept.get(key);
  if (known) {
    // Taken out and put back, so that the one longest unused is the first.
    kept.delete(key);
    kept.set(key, known);
    return known;
  }
  const ruleset = compile(await readPolicies(tx, version));
  kept.set(key, ruleset);
  const oldest = kept.keys().next();
  if (kept.size > maxKept && !oldest.done) kept.delete(oldest.value);
  return ruleset;
}

/** The policies that a version had switched on, in their order, each as it was. */
async function readPolicies(tx: Tx, version: number): Promise<Policy[]> {
  const { rows } = await sql<{ id: string; version: number; position: number; definition: PolicyDefinition }>`
    select p.id, p.version, p.position::integer, v.definition
    from risk_ruleset r,
      unnest(r.policy_ids, r.policy_versions, r.active) with ordinality as p (id, version, active, position)
    join risk_policy_version v on v.company_id = company_id() and v.policy_id = p.id and v.version = p.version
    where r.company_id = company_id() and r.version = ${version} and p.active
    order by p.position`.execute(tx);
  return rows;
}
