import { sayAmount } from '@causeway/contract/money.ts';
import { controllingPermissions } from '@causeway/contract/permission.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { live, type OutboxEvent } from '../../../platform/database/outbox.ts';
import { newId } from '../../../platform/ids.ts';
import { hasText } from '../../../platform/text/texts.ts';
import { type NoticeToGive, type NoticeValues, notify } from '../../notices/index.ts';
import { ableNow } from '../domain.ts';
import { type DecisionRow, readDecisions, type TaskRow, type TaskSnapshot } from '../store/tasks.ts';
import { chainOf, progressOf } from './chain.ts';
import { type PeopleById, peopleById } from './people.ts';
import type { SubjectKind } from './subjects.ts';

/** Who is notified of what about a task, and mailed as each person chooses; a subject has words for each of these. */
export const noticeEvents = [
  'Waiting',
  'Reminder',
  'Approved',
  'Rejected',
  'Expired',
  'Voided',
  'Stopped',
  'Stuck',
  // Of a subject that can be adopted.
  'Abandoned',
  // Of a change of the controls.
  'Applied',
] as const;
export type NoticeEvent = (typeof noticeEvents)[number];

/** Notifies those who can decide now that the task waits for them; `again` when it has been waiting. */
export async function tellApprovers(
  tx: Tx,
  subject: SubjectKind,
  task: TaskRow,
  options: { people?: PeopleById; decisions?: readonly DecisionRow[]; again?: boolean } = {},
): Promise<void> {
  const people = options.people ?? (await peopleById(tx));
  const decisions = options.decisions ?? (await readDecisions(tx, [task.id]));
  const able = ableNow(chainOf(task), progressOf(task, decisions), people);
  const to = able.map(({ actor }) => actor.id);
  await notify(tx, noticeOf(subject, task, options.again ? 'Reminder' : 'Waiting', to));
}

/** Notifies the initiator how it ended. */
export async function tellInitiator(
  tx: Tx,
  subject: SubjectKind,
  task: TaskRow,
  event: 'Approved' | 'Applied' | 'Rejected' | 'Expired' | 'Voided' | 'Stopped',
  values: { by?: string; reason?: string } = {},
): Promise<void> {
  const reason = values.reason ?? '';
  const more = {
    by: values.by ?? '',
    // A rejection's reason is the approver's own words.
    reason: event !== 'Rejected' && hasText('en-us', reason) ? { text: reason } : reason,
  };
  await notify(tx, noticeOf(subject, task, event, [task.initiatorId], more));
}

/** Notifies the initiator, and those who may change the rules, that no one can approve it any more. */
export async function tellStuck(tx: Tx, subject: SubjectKind, task: TaskRow, people: PeopleById): Promise<void> {
  const managers = [...people.values()].filter(({ permissions }) => permissions.includes('rule.manage'));
  const to = [...new Set([task.initiatorId, ...managers.map(({ id }) => id)])];
  await notify(tx, noticeOf(subject, task, 'Stuck', to));
}

/** Notifies those who manage members that an initiator has left: one of them must adopt the task or end it. */
export async function tellAbandoned(tx: Tx, subject: SubjectKind, task: TaskRow, people: PeopleById): Promise<void> {
  const managers = [...people.values()].filter(
    ({ status, permissions }) => status === 'active' && permissions.includes('member.manage'),
  );
  const to = managers.map(({ id }) => id);
  await notify(tx, noticeOf(subject, task, 'Abandoned', to));
}

/**
 * A notice that a change takes effect without consent, to everyone who approves or administers, and to those whom it concerns; its mail
 * cannot be switched off.
 */
export function noticeOfWait(
  subject: SubjectKind,
  task: TaskSnapshot,
  effectiveAt: Date,
  { people, concerned, timeZone }: { people: PeopleById; concerned: readonly string[]; timeZone: string },
): NoticeToGive {
  const controllers = [...people.values()].filter(
    ({ id, status, permissions }) =>
      status === 'active' &&
      (concerned.includes(id) || controllingPermissions.some((permission) => permissions.includes(permission))),
  );
  return {
    kind: 'security.changeWaits',
    sourceId: task.id,
    values: { ...valuesOf(subject, task), until: { at: effectiveAt.toISOString() } },
    link: linkTo(task.id, 'all'),
    to: controllers.map(({ id }) => id),
    timeZone,
  };
}

/** A notice about a task, to these people; none where `to` is empty. */
export function noticeOf(
  subject: SubjectKind,
  task: TaskSnapshot,
  event: NoticeEvent,
  to: readonly string[],
  more: NoticeValues = {},
): NoticeToGive {
  const kind = `${subject.notices}${event}`;
  // Each is given once, here and now, so it needs no source by which a second one would be known.
  const link = linkTo(task.id, listOf[event]);
  return { kind, sourceId: newId(), values: { ...valuesOf(subject, task), ...more }, link, to };
}

/** What browsers refresh when a task begins or ends. */
export function topicsOf(
  { changesControls }: Pick<SubjectKind, 'changesControls'>,
  { id }: { id: string },
): OutboxEvent[] {
  return [live('approval', id), ...(changesControls ? [live('control')] : [])];
}

function valuesOf(subject: SubjectKind, task: TaskSnapshot): NoticeValues {
  const { amountMinor, decimals, coin, initiatorName: initiator } = task;
  const amount = amountMinor === null ? {} : { amount: sayAmount(amountMinor, decimals ?? 0), coin: coin ?? '' };
  return { initiator, ...amount, ...subject.noticeValues(task) };
}

/** The list in which the recipients of a notice have the task: `all` for those who manage rules or members. */
const listOf: Record<NoticeEvent, keyof typeof listPaths> = {
  Waiting: 'pending',
  Reminder: 'pending',
  Approved: 'initiated',
  Rejected: 'initiated',
  Expired: 'initiated',
  Voided: 'initiated',
  Stopped: 'initiated',
  Applied: 'initiated',
  Stuck: 'all',
  Abandoned: 'all',
};
const listPaths = {
  pending: '/app/pending-approval',
  initiated: '/app/i-initiated-approval',
  all: '/app/approval',
} as const;

/** A task's page in the console, beside the list of its readers; notices adapts it to each reader's rights. */
function linkTo(taskId: string, list: keyof typeof listPaths): string {
  return `${listPaths[list]}/${taskId}`;
}
