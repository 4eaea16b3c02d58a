import type { Permission } from '@causeway/contract/permission.ts';
import { audit } from '../../../platform/audit.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Database, Tx } from '../../../platform/database.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import { announce, live } from '../../../platform/outbox.ts';
import { actorOf, type SignedInContext } from '../../../platform/session.ts';
import { permissionsOf } from '../../identity/index.ts';
import type { Authority } from '../domain.ts';
import { lockOrganisation } from '../store/lock.ts';
import { findPersonRows, type PersonRow } from '../store/people.ts';
import type { Person } from './people.ts';
import { findRuleManagers, keepRuleManagers } from './rule-managers.ts';

/** What somebody will have in another role. */
export type InRole = Pick<Person, 'roleId' | 'permissions' | 'quotaUsd'>;

/** Work that somebody may leave behind: approvals knows it, to the right of organisation. */
export interface OpenWorkPort {
  /** How many decisions wait for this member, and how many of the member's own requests wait for others. */
  describe(tx: Tx, userId: string): Promise<{ pendingDecisions: number; pendingOwn: number }>;
  /**
   * The member is about to be given another role (`becoming`), or to be disabled or deleted (null): does what follows from it, in
   * that transaction.
   */
  leaves(tx: Tx, userId: string, becoming: InRole | null): Promise<void>;
}

/** How many approval rules name a role: it cannot be deleted before. */
export type CountRoleUses = (tx: Tx, roleId: string) => Promise<number>;

export interface OrganisationDeps {
  database: Database;
  clock: Clock;
  /** Mails a member the link to set a password (identity). @returns when it expires */
  issueActivation(tx: Tx, userId: string, purpose: 'activation' | 'reset'): Promise<Date>;
  /** Of each feature to the right that keeps work for members. */
  openWork: readonly OpenWorkPort[];
  roleUses: readonly CountRoleUses[];
}

/**
 * Changes something of the company's organisation: one change at a time in a company, so that what each decides by still holds
 * when it is written. Whoever asks is looked at again once it is their turn.
 * @throws DomainError noPermission when they have lost the permission meanwhile
 */
export async function change<T>(
  deps: OrganisationDeps,
  context: SignedInContext,
  permission: Permission,
  work: (tx: Tx, actor: Authority) => Promise<T>,
): Promise<T> {
  const { session } = context;
  return deps.database.withCompany(session.companyId, async (tx) => {
    await lockOrganisation(tx);
    const [row] = await findPersonRows(tx, [session.userId]);
    const actor = row?.status === 'active' ? authorityOf(row) : { permissions: [], quotaUsdCents: 0n };
    if (!actor.permissions.includes(permission)) throw new DomainError('noPermission');
    const before = await findRuleManagers(tx);
    const result = await work(tx, actor);
    await keepRuleManagers(tx, before, session.userId, deps.clock.now());
    return result;
  });
}

/** What somebody's role allows now. */
function authorityOf(row: Pick<PersonRow, 'roleId' | 'roleActive' | 'given' | 'quotaUsdCents'>): Authority {
  const { roleId, roleActive, given, quotaUsdCents } = row;
  return { permissions: roleActive === false ? [] : permissionsOf(roleId, given), quotaUsdCents };
}

/** What somebody's role may come to allow: an inactive one could be made active again. */
export function holdingOf({
  roleId,
  given,
  quotaUsdCents,
}: Pick<PersonRow, 'roleId' | 'given' | 'quotaUsdCents'>): Authority {
  return { permissions: permissionsOf(roleId, given), quotaUsdCents };
}

/** What the audit trail may say of organisation; each has a sentence `audit.action.organisation.…` in the feature's catalogues. */
export const actions = [
  'addMember',
  'editMember',
  'deleteMember',
  'enableMember',
  'disableMember',
  'setLeave',
  'resetPassword',
  'sendActivation',
  'addDepartment',
  'editDepartment',
  'deleteDepartment',
  'addDepartmentMembers',
  'removeDepartmentMembers',
  'addRole',
  'editRole',
  'deleteRole',
  'copyRole',
  'changeSettings',
] as const;

/** Writes a change into the audit trail and tells open pages of it. */
export async function record(
  tx: Tx,
  context: SignedInContext,
  action: (typeof actions)[number],
  subject: { kind: 'member' | 'role' | 'department' | 'company'; id: string },
  detail: Record<string, unknown>,
): Promise<void> {
  await audit(tx, {
    actor: actorOf(context),
    action: `organisation.${action}`,
    subjectKind: subject.kind,
    subjectId: subject.id,
    detail,
  });
  // Roles and members also decide what somebody's own console allows.
  const own = subject.kind === 'role' || subject.kind === 'member' ? [live('account')] : [];
  await announce(tx, [live('organisation', subject.id), ...own]);
}
