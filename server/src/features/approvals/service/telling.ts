import { sayAmount } from '@causeway/contract/money.ts';
import { controllingPermissions } from '@causeway/contract/permission.ts';
import type { Tx } from '../../../platform/database.ts';
import { invariant } from '../../../platform/domain-error.ts';
import { newId } from '../../../platform/ids.ts';
import { hasText } from '../../../platform/texts.ts';
import { type NoticeValues, notify } from '../../notices/index.ts';
import { ableNow } from '../domain.ts';
import { type DecisionRow, readDecisions, type TaskRow } from '../store/tasks.ts';
import { chainOf, linkTo, type PeopleById, peopleById, progressOf } from './core.ts';

/** Who is told what of a task: notices, and by them mails as each person chooses. */

/** Tells those who can decide now that it waits for them; `again` when it has been waiting. */
export async function tellApprovers(
  tx: Tx,
  task: TaskRow,
  options: { people?: PeopleById; decisions?: readonly DecisionRow[]; again?: boolean } = {},
): Promise<void> {
  const people = options.people ?? (await peopleById(tx));
  const decisions = options.decisions ?? (await readDecisions(tx, [task.id]));
  const able = ableNow(chainOf(task), progressOf(task, decisions), people);
  const to = able.map(({ actor }) => actor.id);
  if (to.length > 0) await give(tx, task, options.again ? 'Reminder' : 'Waiting', to);
}

/** Tells the initiator how it ended. */
export async function tellInitiator(
  tx: Tx,
  task: TaskRow,
  kind: 'Approved' | 'Applied' | 'Rejected' | 'Expired' | 'Voided' | 'Stopped',
  values: { by?: string; reason?: string } = {},
): Promise<void> {
  const reason = values.reason ?? '';
  await give(tx, task, kind, [task.initiatorId], {
    by: values.by ?? '',
    // A rejection's reason is the approver's own words.
    reason: kind !== 'Rejected' && hasText('en-us', reason) ? { text: reason } : reason,
  });
}

/** Tells the initiator, and those who may change the rules, that nobody can approve it any more. */
export async function tellStuck(tx: Tx, task: TaskRow, people: PeopleById): Promise<void> {
  const managers = [...people.values()].filter(({ permissions }) => permissions.includes('rule.manage'));
  await give(tx, task, 'Stuck', [...new Set([task.initiatorId, ...managers.map(({ id }) => id)])]);
}

/** Tells those who manage members that a transfer's initiator has left: one of them must adopt it or end it. */
export async function tellAbandoned(tx: Tx, task: TaskRow, people: PeopleById): Promise<void> {
  const managers = [...people.values()].filter(
    ({ status, permissions }) => status === 'active' && permissions.includes('member.manage'),
  );
  const to = managers.map(({ id }) => id);
  if (to.length > 0) await give(tx, task, 'Abandoned', to);
}

/**
 * Tells everybody who approves or administers, and whom it concerns, of a change that takes effect by itself; its mail cannot be
 * switched off.
 */
export async function tellWaiting(tx: Tx, task: TaskRow, concerned: readonly string[]): Promise<void> {
  invariant(task.effectiveAt, 'a change that waits has its time');
  const people = await peopleById(tx);
  const controllers = [...people.values()].filter(
    ({ id, status, permissions }) =>
      status === 'active' &&
      (concerned.includes(id) || controllingPermissions.some((permission) => permissions.includes(permission))),
  );
  const until = `${task.effectiveAt.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  await notify(tx, {
    kind: 'security.changeWaits',
    sourceId: task.id,
    values: { ...valuesOf(task), until },
    link: linkTo(task.id),
    to: controllers.map(({ id }) => id),
  });
}

const prefixes = { transfer: 'approval', rule_change: 'review', control_change: 'control' } as const;

async function give(
  tx: Tx,
  task: TaskRow,
  what: string,
  to: readonly string[],
  more: NoticeValues = {},
): Promise<void> {
  const kind = `${prefixes[task.kind]}${what}`;
  // Each is said once and made here and now, so it needs no source by which a second one would be known.
  await notify(tx, { kind, sourceId: newId(), values: { ...valuesOf(task), ...more }, link: linkTo(task.id), to });
}

function valuesOf(task: TaskRow): NoticeValues {
  const { content, initiatorName: initiator } = task;
  if (content.kind === 'control_change') {
    const { subject } = content.shown;
    return {
      initiator,
      change: { text: `approvals.control.${content.change.kind}` },
      named: typeof subject === 'string' && subject !== '' ? 1 : 0,
      rule: typeof subject === 'string' ? subject : '',
    };
  }
  if (content.kind === 'rule_change') {
    return {
      initiator,
      change: { text: `approvals.change.${content.change.kind}` },
      named: content.ruleName === '' ? 0 : 1,
      rule: content.ruleName,
    };
  }
  return {
    initiator,
    amount: sayAmount(task.amountMinor ?? 0n, task.decimals ?? 0),
    coin: task.coin ?? '',
    payee: content.payeeName,
  };
}
