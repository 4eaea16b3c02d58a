import { type ControllingPermission, controllingPermissions } from '@causeway/contract/permission.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { permissionsOf } from '../../identity/index.ts';
import { changedPowers, type Holder, type Power, powersOf } from '../authority.ts';
import { type RuleHold, ruleHold, ruleHoldMs } from '../domain.ts';
import { insertAuthorityChanges } from '../store/authority.ts';
import { findPersonRows, type PersonRow } from '../store/people.ts';
import {
  deleteRuleManager,
  findRuleManagerRows,
  insertRuleManagers,
  markRuleManagersTaken,
} from '../store/rule-managers.ts';

/**
 * Who holds controlling permissions, written down as it changes (ADR 0037, docs/FOUR_EYES.md): two people who must agree are not two
 * if one of them can take it from the other and is then alone, or can make the other.
 */

/** Everybody's say in the controls at a moment. */
export interface Controls {
  holders: ReadonlyMap<ControllingPermission, Holders>;
  powers: ReadonlyMap<string, Power>;
}

/** Those who hold a permission now, and those who will as soon as they have set their password. */
interface Holders {
  active: ReadonlySet<string>;
  named: ReadonlySet<string>;
}

export async function readControls(tx: Tx): Promise<Controls> {
  const rows = (await findPersonRows(tx, null)).filter(({ status }) => status !== 'disabled');
  const holdersOf = (permission: ControllingPermission): Holders => {
    const named = rows.filter((row) => holds(row, permission));
    return { active: idsOf(named.filter(({ status }) => status === 'active')), named: idsOf(named) };
  };
  return {
    holders: new Map(controllingPermissions.map((permission) => [permission, holdersOf(permission)])),
    powers: powersOf(rows.map(holderOf)),
  };
}

function holderOf(row: PersonRow): Holder {
  const { id, roleId, email, status, quotaUsdCents, onLeave, deputyId } = row;
  const rights = controllingPermissions.filter((permission) => holds(row, permission));
  const invitedAt = status === 'invited' ? email : null;
  return { id, roleId, invitedAt, rights, quotaCents: quotaUsdCents, onLeave, deputyId };
}

/** Active members who may change approval rules. */
export async function findRuleManagers(tx: Tx): Promise<ReadonlySet<string>> {
  const rows = await findPersonRows(tx, null);
  return idsOf(rows.filter((row) => row.status === 'active' && managesRules(row)));
}

type RoleOf = Pick<PersonRow, 'roleId' | 'given' | 'roleActive'>;

/** By the role as it is; whether the member is active is another question. */
export function managesRules(row: RoleOf): boolean {
  return holds(row, 'rule.manage');
}

/** Whether a member's role gives any controlling permission. */
export function isController(row: RoleOf): boolean {
  return controllingPermissions.some((permission) => holds(row, permission));
}

function holds({ roleId, given, roleActive }: RoleOf, permission: ControllingPermission): boolean {
  return roleActive !== false && permissionsOf(roleId, given).includes(permission);
}

function idsOf(people: readonly { id: string }[]): ReadonlySet<string> {
  return new Set(people.map(({ id }) => id));
}

/** Writes down to whom a change gave what, and from whom it took it; `by` made the change. @returns whose power it touched */
export async function keepControls(
  tx: Tx,
  before: Controls,
  by: { id: string; name: string },
  now: Date,
): Promise<ReturnType<typeof changedPowers>> {
  const after = await readControls(tx);
  const changed = changedPowers(before.powers, after.powers);
  await insertAuthorityChanges(tx, changed, by);
  for (const permission of controllingPermissions) {
    const [had, has] = [before.holders.get(permission), after.holders.get(permission)];
    if (had && has) await keepHolders(tx, permission, { had, has }, by.id, now);
  }
  return changed;
}

/** Does what gives members power from outside the company, as the operator's unfreezing does, and writes down who came to what by it. */
export async function keepPowers(tx: Tx, by: { id: string; name: string }, work: () => Promise<void>): Promise<void> {
  const before = await readControls(tx);
  await work();
  await insertAuthorityChanges(tx, changedPowers(before.powers, (await readControls(tx)).powers), by);
}

async function keepHolders(
  tx: Tx,
  permission: ControllingPermission,
  { had, has }: { had: Holders; has: Holders },
  actorId: string,
  now: Date,
): Promise<void> {
  const gained = [...has.named].filter((id) => !had.named.has(id));
  const lost = [...had.active].filter((id) => !has.active.has(id));
  const taken = lost.filter((id) => id !== actorId);
  const keptFrom = new Date(now.getTime() - ruleHoldMs);
  if (gained.length > 0) await insertRuleManagers(tx, permission, gained, now, keptFrom);
  if (taken.length > 0) await markRuleManagersTaken(tx, permission, taken, now);
  if (lost.includes(actorId)) await deleteRuleManager(tx, permission, actorId);
}

/**
 * From whom a controlling permission was taken in the last seven days, until when they still count, and who came to it only after
 * that; `besides` these. To be asked after `findPeople`: a removal that commits in between is then seen here.
 */
export async function findRuleHold(
  tx: Tx,
  now: Date,
  permission: ControllingPermission = 'rule.manage',
  besides: readonly string[] = [],
): Promise<RuleHold> {
  const rows = await findRuleManagerRows(tx, permission);
  return ruleHold(
    rows.filter(({ memberId }) => !besides.includes(memberId)),
    now,
  );
}
