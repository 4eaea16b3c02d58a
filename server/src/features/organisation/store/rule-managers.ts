import type { ControllingPermission } from '@causeway/contract/permission.ts';
import { sql } from 'kysely';
import type { Tx } from '../../../platform/database/database.ts';

/** Since when a member has a controlling permission (null: longer than is known), and when another person took it from them. */
export interface RuleManagerRow {
  memberId: string;
  since: Date | null;
  takenAt: Date | null;
}

export async function findRuleManagerRows(tx: Tx, permission: ControllingPermission): Promise<RuleManagerRow[]> {
  const { rows } = await sql<RuleManagerRow>`
    select member_id as "memberId", since, taken_at as "takenAt" from rule_manager
    where company_id = company_id() and permission = ${permission} order by member_id`.execute(tx);
  return rows;
}

/** Grants it to these members; one who had it until after `keptFrom`, and gets it back, has had it all along. */
export async function insertRuleManagers(
  tx: Tx,
  permission: ControllingPermission,
  ids: readonly string[],
  now: Date,
  keptFrom: Date,
): Promise<void> {
  await sql`
    insert into rule_manager as r (company_id, member_id, permission, since)
    select company_id(), id, ${permission}, ${now.toISOString()}::timestamptz from unnest(${[...ids]}::uuid[]) as given (id)
    on conflict (company_id, member_id, permission) do update set taken_at = null,
      since = case when r.taken_at > ${keptFrom.toISOString()}::timestamptz then r.since else excluded.since end`.execute(
    tx,
  );
}

/** Another member took it from these. */
export async function markRuleManagersTaken(
  tx: Tx,
  permission: ControllingPermission,
  ids: readonly string[],
  now: Date,
): Promise<void> {
  await sql`
    insert into rule_manager (company_id, member_id, permission, taken_at)
    select company_id(), id, ${permission}, ${now.toISOString()}::timestamptz from unnest(${[...ids]}::uuid[]) as taken (id)
    on conflict (company_id, member_id, permission) do update set taken_at = excluded.taken_at`.execute(tx);
}

/** They gave it up themselves. */
export async function deleteRuleManager(tx: Tx, permission: ControllingPermission, id: string): Promise<void> {
  await sql`
    delete from rule_manager
    where company_id = company_id() and member_id = ${id} and permission = ${permission}`.execute(tx);
}
