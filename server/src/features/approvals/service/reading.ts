import type { getApproval, listApprovals, listTodo, TodoItem } from '@causeway/contract/approvals.ts';
import { type ApprovalOutcome, maxTodoItems } from '@causeway/contract/approvals-rules.ts';
import type { OutputInput, Params, Query } from '@causeway/contract/call.ts';
import type { Locale } from '@causeway/contract/locale.ts';
import { formatAmount } from '@causeway/contract/money.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { countRows, readPage, readRows } from '../../../platform/database/list.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import { maxExactTotal, totalOf } from '../../../platform/http/page.ts';
import type { SignedInContext } from '../../../platform/session.ts';
import { findInactive, findRoleNames } from '../../organisation/index.ts';
import { findVisibleTask, type Reader, taskList } from '../store/lists.ts';
import { readRuleVersion } from '../store/rules.ts';
import { findTaskOf, readDecisions, type TaskRow } from '../store/tasks.ts';
import { nameIfGone, readCalled, showSubmitter, showSubmitters } from './draft-settings.ts';
import { peopleById, peopleOf } from './people.ts';
import { readerOf } from './reader.ts';
import { type SubjectsContext, subjectOf } from './subjects.ts';
import { asNodes, asTask, reasonOf, type Viewing, waitingFor } from './view.ts';

export async function viewingOf(
  tx: Tx,
  { session, locale }: Pick<SignedInContext, 'session' | 'locale'>,
): Promise<Viewing> {
  const people = await peopleById(tx, locale);
  const { userId, permissions } = session;
  return { userId, permissions, locale, people, roles: await findRoleNames(tx, locale) };
}

/** The same for a page that shows these tasks and nothing else. */
export async function viewingOfTasks(
  tx: Tx,
  { session: { userId, permissions }, locale }: Pick<SignedInContext, 'session' | 'locale'>,
  tasks: readonly TaskRow[],
): Promise<Viewing> {
  const people = await peopleOf(tx, tasks, userId, locale);
  return { userId, permissions, locale, people, roles: await findRoleNames(tx, locale) };
}

/** The reader, before it is known what they see. */
async function findReader(
  tx: Tx,
  { session }: { session: Pick<SignedInContext['session'], 'userId'> },
): Promise<Reader> {
  return readerOf(session, await peopleOf(tx, [], session.userId), await findInactive(tx));
}

/** One page of the tasks that a person may see. @throws DomainError cursorInvalid, noPermission (view `all`) */
export async function list(
  tx: Tx,
  context: SubjectsContext,
  query: Query<typeof listApprovals>,
): Promise<OutputInput<typeof listApprovals>> {
  if (query.view === 'all' && !context.session.permissions.includes('rule.manage')) {
    throw new DomainError('noPermission');
  }
  const reader = await findReader(tx, context);
  const page = await readPage(tx, taskList, query, reader);
  const decisions = await readDecisions(
    tx,
    page.items.map(({ id }) => id),
  );
  const viewing = await viewingOfTasks(tx, context, page.items);
  return { ...page, items: page.items.map((row) => asTask(context.subjects, row, decisions, viewing)) };
}

/** One task with everything an approver needs to know. @throws DomainError notFound */
export async function get(
  tx: Tx,
  context: SubjectsContext,
  { id }: Params<typeof getApproval>,
): Promise<OutputInput<typeof getApproval>> {
  const viewing = await viewingOf(tx, context);
  const task = await findVisibleTask(tx, id, readerOf(context.session, viewing.people, await findInactive(tx)));
  if (!task) throw new DomainError('notFound');
  const decisions = await readDecisions(tx, [id]);
  const subject = subjectOf(context.subjects, task);
  return {
    ...asTask(context.subjects, task, decisions, viewing),
    content: await subject.content(tx, task, viewing),
    link: subject.link(task, context.locale),
    rule: await ruleOf(tx, task, context.locale),
    nodes: asNodes(task, decisions, viewing),
    digest: task.digest,
  };
}

/** The rule as it was, whom it was for, and as which of these the initiator was meant. */
async function ruleOf(tx: Tx, { ruleId, ruleVersion, ruleSubmitter }: TaskRow, locale: Locale) {
  const rule = ruleId === null || ruleVersion === null ? null : await readRuleVersion(tx, ruleId, ruleVersion);
  if (!rule) return null;
  const called = await readCalled(tx, [rule], undefined, locale);
  const submittedBy = rule.submitters && showSubmitters(rule.submitters, called);
  const applied = ruleSubmitter && nameIfGone(showSubmitter(ruleSubmitter, called), locale);
  return {
    id: rule.id,
    name: rule.name,
    version: rule.version,
    lower: formatAmount(rule.lowerCents, 2),
    upper: rule.upperCents === null ? null : formatAmount(rule.upperCents, 2),
    submittedBy: submittedBy?.map((each) => nameIfGone(each, locale)) ?? null,
    applied,
  };
}

/** What waits for a person, and what they wait for; the longest waiting first. */
export async function todo(tx: Tx, context: SubjectsContext): Promise<OutputInput<typeof listTodo>> {
  const reader = await findReader(tx, context);
  const part = async (view: 'pending' | 'initiated') => {
    const query = { view, status: 'pending', order: 'asc' } as const;
    const { items: rows } = await readRows(tx, taskList, query, reader, maxTodoItems);
    const decisions = await readDecisions(
      tx,
      rows.map(({ id }) => id),
    );
    const viewing = await viewingOfTasks(tx, context, rows);
    const items = rows.map((row): TodoItem => {
      const task = asTask(context.subjects, row, decisions, viewing);
      return {
        taskId: task.id,
        kind: task.kind,
        name: task.name,
        initiator: task.initiator.name,
        amount: task.amount,
        coin: task.coin,
        decimals: task.decimals,
        since: view === 'pending' ? row.nodeSince.toISOString() : task.startedAt,
        expiresAt: task.expiresAt,
        waitingFor: task.waitingFor ?? '',
        stuck: task.stuck,
      };
    });
    const count =
      rows.length < maxTodoItems ? rows.length : await countRows(tx, taskList, query, reader, maxExactTotal + 1);
    return { count: totalOf(count).total, items };
  };
  return { waitingForMe: await part('pending'), iWaitFor: await part('initiated') };
}

/** How many tasks wait for a person's decision, counted exactly as far as a list's total is. */
export async function countWaitingFor(tx: Tx, userId: string): Promise<number> {
  const reader = await findReader(tx, { session: { userId } });
  return countRows(tx, taskList, { view: 'pending', status: 'pending' }, reader, maxExactTotal + 1);
}

/** Who decided what, and when; a deputy names the person in whose place. */
interface MadeDecision {
  name: string;
  outcome: ApprovalOutcome;
  at: Date;
  deputyFor: string | null;
}

/** The task of what was submitted: for whom it waits, or why it ended, in the reader's words; null when there never was one. */
export async function approvalOf(
  tx: Tx,
  kind: string,
  subjectId: string,
  context: Pick<SignedInContext, 'session' | 'locale'>,
): Promise<{ taskId: string; waitingFor: string | null; reason: string | null; decisions: MadeDecision[] } | null> {
  const task = await findTaskOf(tx, kind, subjectId);
  if (!task) return null;
  const decisions = await readDecisions(tx, [task.id]);
  const viewing = await viewingOfTasks(tx, context, [task]);
  return {
    taskId: task.id,
    waitingFor: waitingFor(task, decisions, viewing),
    reason: reasonOf(task, context.locale),
    decisions: decisions.map(({ approverName, approverId, seatId, seatName, outcome, at }) => ({
      name: approverName,
      outcome,
      at,
      deputyFor: seatId === approverId ? null : seatName,
    })),
  };
}
