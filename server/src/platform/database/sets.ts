import { type RawBuilder, sql } from 'kysely';

/**
 * Ids of rows, the first argument of an `unnest` that a statement over a set begins with. The sub-select hides their number from
 * the planner: a plan for a few values looks cheaper than the kept one, which assumes ten, and would be made each time, in one to
 * three milliseconds.
 */
export function uuids(values: readonly string[]): RawBuilder<unknown> {
  return sql`(select ${values}::uuid[])`;
}
