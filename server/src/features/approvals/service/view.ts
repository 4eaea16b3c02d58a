import type { ApprovalNode, ApprovalTask } from '@causeway/contract/approvals.ts';
import type { Locale } from '@causeway/contract/locale.ts';
import { formatAmount } from '@causeway/contract/money.ts';
import type { Permission } from '@causeway/contract/permission.ts';
import {
  ableAt,
  approvedAt,
  barredAt,
  canBePassed,
  grantedByInitiatorAt,
  isAbandoned,
  judge,
  usedIn,
} from '../domain.ts';
import type { DecisionRow, TaskRow } from '../store/tasks.ts';
import { chainOf, progressOf } from './chain.ts';
import { type RoleNames, showApprover } from './draft-settings.ts';
import { nameOf, sayReason, sayWaiting } from './names.ts';
import type { PeopleById } from './people.ts';
import { type ApprovalSubjects, subjectOf } from './subjects.ts';
import { maySeeControls } from './withdraw.ts';

/** How tasks are shown to a reader. */

export interface Viewing {
  userId: string;
  /** Of the reader's session. */
  permissions: readonly Permission[];
  locale: Locale;
  people: PeopleById;
  /** In the reader's language. */
  roles: RoleNames;
}

export function asTask(
  subjects: ApprovalSubjects,
  task: TaskRow,
  decisions: readonly DecisionRow[],
  viewing: Viewing,
): ApprovalTask {
  const { userId, permissions, locale, people } = viewing;
  const subject = subjectOf(subjects, task);
  const progress = progressOf(task, decisions);
  const chain = chainOf(task);
  const current = progress.pending ? task.nodes[task.node] : undefined;
  const reader = people.get(userId);
  const judgement = reader ? judge(chain, progress, reader, people) : { obstacle: 'noPermission' as const };
  const decimals = task.decimals ?? 0;
  const abandoned = progress.pending && isAbandoned(chain, people);
  const mayWithdraw = subject.initiation === 'signed-in' || permissions.includes(subject.initiation);
  return {
    id: task.id,
    kind: task.kind,
    shape: subject.shape,
    subjectId: task.subjectId,
    name: subject.name(task, locale),
    status: task.status,
    end: task.end,
    reason: reasonOf(task, locale),
    initiator: {
      id: task.initiatorId,
      name: task.initiatorName,
      left: people.get(task.initiatorId)?.status !== 'active',
    },
    applicant: task.applicant,
    department: task.department,
    startedAt: task.startedAt.toISOString(),
    finishedAt: task.finishedAt?.toISOString() ?? null,
    expiresAt: task.expiresAt.toISOString(),
    amount: task.amountMinor === null ? null : formatAmount(task.amountMinor, decimals),
    coin: task.coin,
    decimals: task.decimals,
    valueUsd: task.valueCents === null ? null : formatAmount(task.valueCents, 2),
    marks: [],
    ...subject.brief(task, locale, task.timeZone),
    step: task.node + 1,
    steps: task.nodes.length,
    waitingFor: waitingFor(task, decisions, viewing),
    waitingSince: current ? task.nodeSince.toISOString() : null,
    stuck: progress.pending && !canBePassed(chain, progress, people),
    mayDecide: 'seat' in judgement,
    obstacle: 'seat' in judgement ? null : judgement.obstacle,
    effectiveAt: task.effectiveAt?.toISOString() ?? null,
    endedBy: task.endedByName,
    adoptedBy: task.adoptedBy === null ? null : { id: task.adoptedBy, name: task.adoptedByName ?? '' },
    abandoned,
    grantedByInitiatorAt: (reader && grantedByInitiatorAt(chain, reader)?.toISOString()) ?? null,
    mayStop: progress.pending && task.changesControls && maySeeControls(permissions),
    mayWithdraw: progress.pending && task.initiatorId === userId && mayWithdraw,
    mayAdopt: abandoned && permissions.includes('member.manage'),
  };
}

/** For whom a task waits, in words; null when it has ended. */
export function waitingFor(task: TaskRow, decisions: readonly DecisionRow[], viewing: Viewing): string | null {
  const progress = progressOf(task, decisions);
  const current = progress.pending ? task.nodes[task.node] : undefined;
  if (!current) return null;
  const { people, roles, locale } = viewing;
  const used = usedIn(progress);
  // A permission tells its reader less than the names of those who could decide now.
  const able = current.holders === undefined ? [] : ableAt(chainOf(task), current, people, used);
  const node =
    able.length === 0 ? current : { ...current, holders: undefined, people: able.map(({ actor }) => actor.id) };
  return sayWaiting(node, approvedAt(progress, task.node), used, { people, roles }, locale);
}

/** Why a task ended, in words; null when it has not, or there is nothing to say. */
export function reasonOf({ end, reason }: TaskRow, locale: Locale): string | null {
  return reason === null || end === null ? null : sayReason(end, reason, locale);
}

/** The chain of a task: what each node asks for, who decided there, who could decide now. */
export function asNodes(task: TaskRow, decisions: readonly DecisionRow[], viewing: Viewing): ApprovalNode[] {
  const { people, roles, locale } = viewing;
  const progress = progressOf(task, decisions);
  const chain = chainOf(task);
  return task.nodes
    .map((node, index): ApprovalNode => {
      const state = stateOf(task, index);
      const { holders } = node;
      const holding = [...people.values()].filter(({ permissions }) => holders && permissions.includes(holders));
      const named = holders === undefined ? node.people : holding.map(({ id }) => id);
      const open = state === 'current' || state === 'waiting';
      const able = open ? ableAt(chain, node, people, usedIn(progress)) : [];
      const barred = open ? barredAt(chain, node, people, usedIn(progress)) : [];
      return {
        state,
        needed: node.needed,
        approved: approvedAt(progress, index),
        approvers: [
          ...named.map((id) => showApprover('person', id, people)),
          ...node.roles.map((id) => showApprover('role', id, roles)),
        ],
        able: able.map(({ actor, seat }) => ({
          id: actor.id,
          name: actor.name,
          deputyFor: actor === seat ? null : seat.name,
          grantedByInitiatorAt: grantedByInitiatorAt(chain, actor)?.toISOString() ?? null,
        })),
        barred: barred.map(({ actor, bar }) => ({ id: actor.id, name: actor.name, reason: bar })),
        decisions: progressDecisions(decisions, task, index).map((decision) => ({
          by: { id: decision.approverId, name: decision.approverName },
          roleName: roles.get(decision.roleId)?.name ?? null,
          deputyFor: decision.seatId === decision.approverId ? null : decision.seatName,
          outcome: decision.outcome,
          opinion: decision.opinion,
          at: decision.at.toISOString(),
          method: decision.proofMethod,
          grantedByInitiatorAt: decision.grantedAt?.toISOString() ?? null,
        })),
      };
    })
    .map((node) => ({ ...node, approvers: node.approvers.map((each) => nameGone(each, locale)) }));
}

function nameGone<T extends { gone: boolean; name: string; id: string }>(approver: T, locale: Locale): T {
  return approver.gone ? { ...approver, name: nameOf(new Map(), approver.id, locale) } : approver;
}

function progressDecisions(decisions: readonly DecisionRow[], task: TaskRow, node: number): DecisionRow[] {
  return decisions.filter((decision) => decision.taskId === task.id && decision.node === node);
}

function stateOf(task: TaskRow, index: number): ApprovalNode['state'] {
  if (index < task.node || task.status === 'approved') return 'passed';
  if (task.status === 'pending') return index === task.node ? 'current' : 'waiting';
  return index === task.node ? 'ended' : 'skipped';
}
