import { type Permission, systemRoleOf } from '@causeway/contract/permission.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { announce } from '../../../platform/database/outbox.ts';
import { newId } from '../../../platform/ids.ts';
import type { SignedInContext } from '../../../platform/session.ts';
import { memberName } from '../../identity/index.ts';
import { type ControlChange, type ControlChanged, type ControlValues, organisationEvents } from '../events.ts';
import type { MemberRow } from '../store/members.ts';
import { findRoleNames } from './people.ts';
import { findRuleManagers, managesRules } from './rule-managers.ts';

/**
 * Informs those who may change approval rules of what happens to one of them, or to what the two-person control rests on (ADR
 * 0037). Always before the change is written: whom it takes the right from still belongs to them.
 */

interface Change {
  what: ControlChange;
  values?: ControlValues;
  link: string;
  /** Members whom it concerns besides. */
  also?: readonly string[];
}

export async function tellControl(tx: Tx, context: SignedInContext, change: Change): Promise<void> {
  const { what, values = {}, link, also = [] } = change;
  const active = await findRuleManagers(tx);
  const payload: ControlChanged = {
    id: newId(),
    what,
    values: { by: context.session.userName, ...values },
    link,
    to: [...new Set([...active, ...also])].sort(),
  };
  await announce(tx, [{ name: organisationEvents.controlChanged, payload: { ...payload } }]);
}

/** The same of a member, if that is an active one who may change approval rules. */
export async function tellOfManager(
  tx: Tx,
  context: SignedInContext,
  row: MemberRow,
  what: ControlChange,
  values: ControlValues = {},
): Promise<void> {
  if (row.status === 'active' && managesRules(row)) await tellOfMember(tx, context, row, what, values);
}

/** About a member who has the right, or gains it; if they never signed in, only the others are informed. */
export async function tellOfMember(
  tx: Tx,
  context: SignedInContext,
  row: MemberRow,
  what: ControlChange,
  values: ControlValues = {},
): Promise<void> {
  await tellControl(tx, context, {
    what,
    values: { member: memberName(row), ...values },
    link: what === 'memberDeleted' ? '/app/member-management' : `/app/member-management/${row.id}`,
    also: row.activated ? [row.id] : [],
  });
}

/** About a member's new role: when it gives the right, or takes it, or when the roles differ and both have it. */
export async function tellOfRole(
  tx: Tx,
  context: SignedInContext,
  row: MemberRow,
  role: { id: string; permissions: readonly Permission[] },
): Promise<void> {
  const had = row.status === 'active' && managesRules(row);
  if (!had && !role.permissions.includes('rule.manage')) return;
  const name = (await findRoleNames(tx)).get(role.id)?.name ?? '';
  const values = { before: roleValue(row.roleId, row.roleName), after: roleValue(role.id, name) };
  await tellOfMember(tx, context, row, 'memberRole', values);
}

/** What a role is called in a notice: a system role in the reader's language. */
function roleValue(roleId: string, ownName: string | null): string | { text: string } {
  const system = systemRoleOf(roleId);
  return system ? { text: `role.${system}` } : (ownName ?? '');
}
