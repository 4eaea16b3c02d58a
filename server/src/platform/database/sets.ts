import { type RawBuilder, sql } from 'kysely';
import type { CompaniesTx } from './database.ts';

/**
 * Ids of rows, the first argument of an `unnest` that a statement over a set begins with. The sub-select hides their number from
 * the planner: a plan for a few values looks cheaper than the kept one, which assumes ten, and would be made each time, in one to
 * three milliseconds.
 */
export function uuids(values: readonly string[]): RawBuilder<unknown> {
  return sql`(select ${values}::uuid[])`;
}

/**
 * From here to the end of the transaction each statement keeps the plan that it was first given. For one that is written in many slices: PostgreSQL
 * would plan the first five of them for their values, and then keep such a plan all the same.
 */
export async function keepPlans(tx: CompaniesTx): Promise<void> {
  await sql`select set_config('plan_cache_mode', 'force_generic_plan', true)`.execute(tx);
}
