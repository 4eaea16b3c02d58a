import type { Permission } from '@causeway/contract/permission.ts';
import type { Tx } from '../../../platform/database.ts';
import { permissionsOf } from '../../identity/index.ts';
import { type RuleHold, ruleHold, ruleHoldMs } from '../domain.ts';
import { findPersonRows, type PersonRow } from '../store/people.ts';
import {
  deleteRuleManager,
  findRuleManagerRows,
  insertRuleManagers,
  markRuleManagersTaken,
} from '../store/rule-managers.ts';

/**
 * Who may change approval rules, written down as it changes (ADR 0037): two people who must agree are not two if one of them can
 * take it from the other and is then alone.
 */

const permission: Permission = 'rule.manage';

/** Those who may change rules now, and those who will as soon as they have set their password. */
interface RuleManagers {
  active: ReadonlySet<string>;
  named: ReadonlySet<string>;
}

export async function findRuleManagers(tx: Tx): Promise<RuleManagers> {
  const named = (await findPersonRows(tx, null)).filter((row) => row.status !== 'disabled' && managesRules(row));
  const active = named.filter(({ status }) => status === 'active');
  return { active: idsOf(active), named: idsOf(named) };
}

/** By the role as it is; whether the member is active is another question. */
export function managesRules({
  roleId,
  given,
  roleActive,
}: Pick<PersonRow, 'roleId' | 'given' | 'roleActive'>): boolean {
  return roleActive !== false && permissionsOf(roleId, given).includes(permission);
}

function idsOf(people: readonly { id: string }[]): ReadonlySet<string> {
  return new Set(people.map(({ id }) => id));
}

/** Writes down to whom a change gave it and from whom it took it; `actorId` made the change. */
export async function keepRuleManagers(tx: Tx, before: RuleManagers, actorId: string, now: Date): Promise<void> {
  const after = await findRuleManagers(tx);
  const gained = [...after.named].filter((id) => !before.named.has(id));
  const lost = [...before.active].filter((id) => !after.active.has(id));
  const taken = lost.filter((id) => id !== actorId);
  if (gained.length > 0) await insertRuleManagers(tx, gained, now, new Date(now.getTime() - ruleHoldMs));
  if (taken.length > 0) await markRuleManagersTaken(tx, taken, now);
  if (lost.includes(actorId)) await deleteRuleManager(tx, actorId);
}

/**
 * From whom the right to change approval rules was taken in the last seven days, until when they still count, and who came to it
 * only after that. To be asked after `findPeople`: a removal that commits in between is then seen here.
 */
export async function findRuleHold(tx: Tx, now: Date): Promise<RuleHold> {
  return ruleHold(await findRuleManagerRows(tx), now);
}
