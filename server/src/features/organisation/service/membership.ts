import type { Body, OutputInput } from '@causeway/contract/call.ts';
import type { Effect } from '@causeway/contract/effect.ts';
import type {
  getMemberImpact,
  setMemberLeave as leaveCall,
  Member,
  setMemberStatus as statusCall,
} from '@causeway/contract/organisation.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import {
  endAllAccess,
  markMemberDeleted,
  memberName,
  releaseEmail,
  updateDisabled,
  updateLeave,
} from '../../identity/index.ts';
import { refusedAt } from '../domain.ts';
import { insertAuthorityChanges } from '../store/authority.ts';
import { countDeputyFor, findActiveAdministrators, findMemberRow } from '../store/members.ts';
import {
  type Changing,
  change,
  changeOrPropose,
  type OrganisationContext,
  type OrganisationPorts,
  record,
  usesOf,
} from './change.ts';
import { tellOfManager, tellOfMember } from './control.ts';
import { memberState } from './control-state.ts';
import { deputyName, readMember, requireAnotherAdministrator, requireMember, sayMember } from './members.ts';
import { isController, managesRules } from './rule-managers.ts';

/** A member's comings and goings: status, leave, passwords, deletion. */

/**
 * Disables a member, whose sessions, trusted browsers, sign-ins under way, codes and links end at once; or enables one.
 * @throws DomainError memberNotFound, authorityExceeded, memberIsSelf, lastAdministrator, memberFrozen (by the operator)
 */
export async function setStatus(
  tx: Tx,
  context: OrganisationContext,
  body: Body<typeof statusCall>,
): Promise<Member & Effect> {
  return changeOrPropose(tx, context, settingStatus(context, body));
}

export function settingStatus(ports: OrganisationPorts, body: Body<typeof statusCall>): Changing<Member> {
  const { id, enabled } = body;
  return memberChange('setMemberStatus', body, async (tx, actor, context) => {
    const row = await requireMember(tx, actor, id);
    if (id === context.session.userId) throw new DomainError('memberIsSelf');
    if (enabled === (row.status !== 'disabled')) return readMember(tx, id, context);
    if (enabled && row.freeze !== null) throw new DomainError('memberFrozen');
    if (!enabled) {
      await requireAnotherAdministrator(tx, id);
      await tellOfManager(tx, context, row, 'memberDisabled');
      for (const work of ports.openWork) await work.leaves(tx, id, null);
      await endAllAccess(tx, id);
    } else if (managesRules(row)) await tellOfMember(tx, context, row, 'memberEnabled');
    await updateDisabled(tx, id, !enabled);
    const action = enabled ? 'enableMember' : 'disableMember';
    await record(tx, context, action, { kind: 'member', id }, { email: row.email });
    return readMember(tx, id, context);
  });
}

/**
 * Takes a member out of the company. The email is free for anybody again; what the member did keeps the name.
 * @throws DomainError memberNotFound, authorityExceeded, memberIsSelf, lastAdministrator
 */
export async function remove(tx: Tx, context: OrganisationContext, { id }: { id: string }): Promise<void> {
  return change(tx, context, 'member.manage', async (actor) => {
    const row = await requireMember(tx, actor, id);
    if (id === context.session.userId) throw new DomainError('memberIsSelf');
    await requireAnotherAdministrator(tx, id);
    await tellOfManager(tx, context, row, 'memberDeleted');
    for (const work of context.openWork) await work.leaves(tx, id, null);
    await endAllAccess(tx, id);
    await releaseEmail(tx, id);
    await markMemberDeleted(tx, id);
    await record(tx, context, 'deleteMember', { kind: 'member', id }, { before: sayMember(row) });
  });
}

/**
 * Marks a member as on leave, with a deputy (not oneself) or without; or as back, which takes the deputy away.
 * @throws DomainError memberNotFound, authorityExceeded, deputyUnsuitable
 */
export async function setLeave(
  tx: Tx,
  context: OrganisationContext,
  body: Body<typeof leaveCall>,
): Promise<Member & Effect> {
  return changeOrPropose(tx, context, settingLeave(body));
}

export function settingLeave(body: Body<typeof leaveCall>): Changing<Member> {
  const { id, onLeave, deputyId: asked } = body;
  return memberChange('setMemberLeave', body, async (tx, actor, context) => {
    const row = await requireMember(tx, actor, id);
    const deputyId = onLeave ? (asked ?? null) : null;
    const deputy = deputyId === null ? null : await findMemberRow(tx, deputyId);
    if (deputyId !== null) {
      if (!deputy) throw refusedAt('deputyId', 'memberNotFound');
      // Making oneself a deputy would give oneself that person's say in approvals.
      const isOther = deputy.id !== id && deputy.id !== context.session.userId;
      const suits = isOther && deputy.status === 'active' && !deputy.onLeave;
      if (!suits) throw refusedAt('deputyId', 'deputyUnsuitable');
    }
    const changes = onLeave !== row.onLeave || deputyId !== row.deputyId;
    if (changes && id !== context.session.userId) {
      const named = deputy ? memberName(deputy) : { text: 'notice.security.noDeputy' };
      await tellOfManager(tx, context, row, onLeave ? 'memberLeave' : 'memberBack', onLeave ? { deputy: named } : {});
    }
    await updateLeave(tx, id, onLeave, deputyId);
    const detail = {
      before: { onLeave: row.onLeave, deputy: deputyName(row), deputyId: row.deputyId },
      after: { onLeave, deputy: deputy && memberName(deputy), deputyId },
    };
    await record(tx, context, 'setLeave', { kind: 'member', id }, detail);
    return readMember(tx, id, context);
  });
}

/**
 * Mails an active member the link to set another password, and signs them out everywhere.
 * @throws DomainError memberNotFound, authorityExceeded, memberNotActive, tooManyRequests
 */
export async function resetPassword(tx: Tx, context: OrganisationContext, { id }: { id: string }): Promise<Effect> {
  return changeOrPropose(tx, context, resettingPassword(context, { id }));
}

export function resettingPassword(ports: OrganisationPorts, { id }: { id: string }): Changing<object> {
  return {
    ...memberChange('resetMemberPassword', { id }, async (tx, actor, context) => {
      const row = await requireMember(tx, actor, id);
      if (row.status !== 'active') throw new DomainError('memberNotActive');
      const { userId, userName } = context.session;
      if (id !== userId) {
        await tellOfManager(tx, context, row, 'memberReset');
        // Who reads that mailbox decides from now on: not on what began before.
        const reset = { memberId: id, before: null, gained: true };
        if (isController(row)) await insertAuthorityChanges(tx, [reset], { id: userId, name: userName });
      }
      await endAllAccess(tx, id);
      await ports.issueActivation(tx, id, 'reset', userName);
      await record(tx, context, 'resetPassword', { kind: 'member', id }, { email: row.email });
      return {};
    }),
    async widensBesides(tx, { session }) {
      const row = await findMemberRow(tx, id);
      return row && id !== session.userId && isController(row) ? [id] : null;
    },
  };
}

/** A change of one member that is there. */
function memberChange<T extends object>(
  kind: Changing<T>['kind'],
  input: { id: string },
  make: Changing<T>['make'],
): Changing<T> {
  return { kind, permission: 'member.manage', input, state: (tx) => memberState(tx, input.id), make };
}

/**
 * Mails an invited member the link again; the one before it no longer works.
 * @throws DomainError memberNotFound, authorityExceeded, memberActivated, memberNotActive (disabled), tooManyRequests
 */
export async function sendActivation(tx: Tx, context: OrganisationContext, { id }: { id: string }): Promise<Member> {
  return change(tx, context, 'member.manage', async (actor) => {
    const row = await requireMember(tx, actor, id);
    if (row.activated) throw new DomainError('memberActivated');
    if (row.status === 'disabled') throw new DomainError('memberNotActive');
    await context.issueActivation(tx, id, 'activation', context.session.userName);
    await record(tx, context, 'sendActivation', { kind: 'member', id }, { email: row.email });
    return readMember(tx, id, context);
  });
}

/** What would happen if the member were disabled, deleted or demoted. @throws DomainError memberNotFound */
export async function describeImpact(
  tx: Tx,
  context: OrganisationContext,
  { id }: { id: string },
): Promise<OutputInput<typeof getMemberImpact>> {
  const { session, openWork } = context;
  if (!(await findMemberRow(tx, id))) throw new DomainError('memberNotFound');
  const open = { pendingDecisions: 0, pendingOwn: 0 };
  for (const work of openWork) {
    const of = await work.describe(tx, id);
    open.pendingDecisions += of.pendingDecisions;
    open.pendingOwn += of.pendingOwn;
  }
  const administrators = await findActiveAdministrators(tx);
  const { rules, policies } = await usesOf(tx, context, id);
  return {
    ...open,
    ...{ rules, policies },
    deputyFor: await countDeputyFor(tx, id),
    lastAdministrator: administrators.length === 1 && administrators[0] === id,
    self: id === session.userId,
  };
}
