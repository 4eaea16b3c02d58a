import type { Effect } from '@causeway/contract/effect.ts';
import type { ControllingPermission, Permission } from '@causeway/contract/permission.ts';
import { audit } from '../../../platform/audit/record.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { announce, live } from '../../../platform/database/outbox.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import { actorOf, type SignedInContext } from '../../../platform/session.ts';
import { permissionsOf } from '../../identity/index.ts';
import type { Authority } from '../domain.ts';
import { lockOrganisation } from '../store/lock.ts';
import { findPersonRows, type PersonRow } from '../store/people.ts';
import type { Person } from './people.ts';
import { keepControls, readControls } from './rule-managers.ts';
import { type ControlOperation, makeOrPropose, type SecondPersonPort } from './second-person.ts';

/** What a member will have in another role. */
export type InRole = Pick<Person, 'roleId' | 'permissions' | 'quotaUsd'>;

/** Open work that a removed member leaves: approvals knows it, right of organisation. */
export interface OpenWorkPort {
  /** How many decisions wait for this member, and how many of the member's own requests wait for others. */
  describe(tx: Tx, userId: string): Promise<{ pendingDecisions: number; pendingOwn: number }>;
  /**
   * The member is about to be given another role (`becoming`), or to be disabled or deleted (null): does what follows from it, in
   * that transaction.
   */
  leaves(tx: Tx, userId: string, becoming: InRole | null): Promise<void>;
}

/** How many policies, approval rules or rules of company cards name a role, a department or a member: the first two cannot be deleted before. */
export interface CountUses {
  of: 'rules' | 'policies' | 'cardRules';
  count(tx: Tx, id: string): Promise<number>;
}

/** What the feature is composed with. */
export interface OrganisationPorts {
  /** Mails a member the link to set a password (identity). @returns when it expires */
  issueActivation(tx: Tx, userId: string, purpose: 'activation' | 'reset', by: string): Promise<Date>;
  /** Of each feature to the right that keeps work for members. */
  openWork: readonly OpenWorkPort[];
  uses: readonly CountUses[];
  secondPerson: SecondPersonPort;
}

export type OrganisationContext = SignedInContext & OrganisationPorts;

/**
 * Changes something of the company's organisation: one change at a time in a company, so that what each decides by still holds
 * when it is written. The caller is checked again once the lock is held.
 * @throws DomainError noPermission when they have lost the permission meanwhile
 */
export async function change<T>(
  tx: Tx,
  context: SignedInContext,
  permission: Permission,
  work: (actor: Authority) => Promise<T>,
): Promise<T> {
  await lockOrganisation(tx);
  const actor = await requireActor(tx, context, permission);
  const before = await readControls(tx);
  const result = await work(actor);
  await keepControls(tx, before, byOf(context), context.clock.now());
  return result;
}

/** @throws DomainError noPermission */
async function requireActor(tx: Tx, { session }: SignedInContext, permission: Permission): Promise<Authority> {
  const [row] = await findPersonRows(tx, [session.userId]);
  const actor = row?.status === 'active' ? authorityOf(row) : { permissions: [], quotaUsdCents: 0n };
  if (!actor.permissions.includes(permission)) throw new DomainError('noPermission');
  return actor;
}

function byOf({ session }: SignedInContext): { id: string; name: string } {
  return { id: session.userId, name: session.userName };
}

/** A change of members, roles or settings that may widen who can do what, as its use case writes it. */
export interface Changing<T extends object> {
  kind: ControlOperation<T>['kind'];
  permission: ControllingPermission;
  input: ControlOperation<T>['input'];
  state: ControlOperation<T>['state'];
  make(tx: Tx, actor: Authority, context: SignedInContext): Promise<T>;
  /** Whether it widens something that the powers of members do not show, and for whom; null: not. */
  widensBesides?(tx: Tx, context: SignedInContext): Promise<readonly string[] | null>;
}

/**
 * The same as an operation that can wait: under the company's lock, with the caller's own rights read again, and with what it does to
 * members' powers written down.
 */
export function operationOf<T extends object>(
  { clock }: { clock: Clock },
  { make, widensBesides, ...given }: Changing<T>,
): ControlOperation<T> {
  return {
    ...given,
    lock: lockOrganisation,
    async make(tx, context) {
      const actor = await requireActor(tx, context, given.permission);
      const besides = (await widensBesides?.(tx, context)) ?? null;
      const before = await readControls(tx);
      const result = await make(tx, actor, context);
      const changed = await keepControls(tx, before, byOf(context), clock.now());
      const gained = changed.filter((change) => change.gained);
      const widens = gained.length > 0 || besides !== null;
      return { result, widensFor: widens ? [...gained.map(({ memberId }) => memberId), ...(besides ?? [])] : null };
    },
  };
}

/** Makes such a change, or proposes it. @throws DomainError approvalRulesHeld, noPermission, and what the change throws */
export function changeOrPropose<T extends object>(
  tx: Tx,
  context: OrganisationContext,
  changing: Changing<T>,
): Promise<T & Effect> {
  return makeOrPropose(tx, context, operationOf(context, changing));
}

/** What of company cards is for a department or role would be lost with it. @throws DomainError cardRuleNames */
export function refuseCardRules({ cardRules }: Record<CountUses['of'], number>): void {
  if (cardRules > 0) throw new DomainError('cardRuleNames', { count: cardRules });
}

/** How many rules and policies name a member, role or department. */
export async function usesOf(
  tx: Tx,
  { uses }: Pick<OrganisationPorts, 'uses'>,
  id: string,
): Promise<Record<CountUses['of'], number>> {
  const counts = { rules: 0, policies: 0, cardRules: 0 };
  for (const { of, count } of uses) counts[of] += await count(tx, id);
  return counts;
}

/** What a member's role allows now. */
function authorityOf(row: Pick<PersonRow, 'roleId' | 'roleActive' | 'given' | 'quotaUsdCents'>): Authority {
  const { roleId, roleActive, given, quotaUsdCents } = row;
  return { permissions: roleActive === false ? [] : permissionsOf(roleId, given), quotaUsdCents };
}

/** What a member's role could allow: an inactive one could be made active again. */
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
  // Roles and members also decide what a member's own console allows.
  const own = subject.kind === 'role' || subject.kind === 'member' ? [live('account')] : [];
  await announce(tx, [live('organisation', subject.id), ...own]);
}
