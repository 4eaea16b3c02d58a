import type { ApprovalNode, ApprovalTask, ReviewChangeContent } from '@causeway/contract/approvals.ts';
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
import { type RoleNames, showApprover } from './changing.ts';
import { chainOf, type PeopleById, progressOf } from './core.ts';
import { nameOf, sayReason, sayWaiting, taskName } from './naming.ts';
import { maySeeControls } from './withdrawing.ts';

/** How tasks are shown to somebody. */

export interface Viewing {
  userId: string;
  /** Of the reader's session. */
  permissions: readonly Permission[];
  locale: Locale;
  people: PeopleById;
  /** In the reader's language. */
  roles: RoleNames;
}

export function asTask(task: TaskRow, decisions: readonly DecisionRow[], viewing: Viewing): ApprovalTask {
  const { userId, permissions, locale, people, roles } = viewing;
  const { content } = task;
  const progress = progressOf(task, decisions);
  const chain = chainOf(task);
  const current = progress.pending ? task.nodes[task.node] : undefined;
  const reader = people.get(userId);
  const judgement = reader ? judge(chain, progress, reader, people) : { obstacle: 'noPermission' as const };
  const decimals = task.decimals ?? 0;
  const abandoned = progress.pending && isAbandoned(chain, people);
  const isChange = progress.pending && task.kind !== 'transfer';
  const waiting = (): string =>
    current ? sayWaiting(current, approvedAt(progress, task.node), usedIn(progress), { people, roles }, locale) : '';
  return {
    id: task.id,
    kind: task.kind,
    subjectId: task.subjectId,
    name: taskName(task, locale),
    status: task.status,
    end: task.end,
    reason: task.reason === null || task.end === null ? null : sayReason(task.end, task.reason, locale),
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
    payee:
      content.kind === 'transfer'
        ? { name: content.payeeName, account: content.payeeAccount, chainName: content.chainName }
        : null,
    attachmentCount: content.kind === 'transfer' ? content.attachments.length : 0,
    step: task.node + 1,
    steps: task.nodes.length,
    waitingFor: current ? waiting() : null,
    waitingSince: current ? task.nodeSince.toISOString() : null,
    stuck: progress.pending && !canBePassed(chain, progress, people),
    mayDecide: 'seat' in judgement,
    obstacle: 'seat' in judgement ? null : judgement.obstacle,
    effectiveAt: task.effectiveAt?.toISOString() ?? null,
    endedBy: task.endedByName,
    adoptedBy: task.adoptedBy === null ? null : { id: task.adoptedBy, name: task.adoptedByName ?? '' },
    abandoned,
    grantedByInitiatorAt: (reader && grantedByInitiatorAt(chain, reader)?.toISOString()) ?? null,
    mayStop: isChange && maySeeControls(permissions),
    mayWithdraw: isChange && task.initiatorId === userId,
    mayAdopt: abandoned && permissions.includes('member.manage'),
  };
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

/** A change with approvers named as they are called now, in the reader's language. */
export function asChange(shown: ReviewChangeContent, { people, roles, locale }: Viewing): ReviewChangeContent {
  const rule = (of: ReviewChangeContent['before']['rule']) =>
    of && {
      ...of,
      nodes: of.nodes.map((node) => ({
        ...node,
        approvers: node.approvers.map(({ kind, id, name }) => {
          const found = showApprover(kind, id, kind === 'person' ? people : roles);
          // A name of the time of the change says more than that they are gone.
          return found.gone && name !== '' ? { ...found, name } : nameGone(found, locale);
        }),
      })),
    };
  return {
    ...shown,
    before: { ...shown.before, rule: rule(shown.before.rule) },
    after: { ...shown.after, rule: rule(shown.after.rule) },
  };
}
