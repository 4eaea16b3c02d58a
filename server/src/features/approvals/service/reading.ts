import type { getApproval, listApprovals, listTodo, TodoItem } from '@causeway/contract/approvals.ts';
import { maxTodoItems } from '@causeway/contract/approvals-rules.ts';
import type { OutputInput, Query } from '@causeway/contract/call.ts';
import { formatAmount } from '@causeway/contract/money.ts';
import type { Tx } from '../../../platform/database.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import { maxExactTotal, pageOf, sizeOf, timeCursor, totalOf } from '../../../platform/page.ts';
import type { SignedInContext } from '../../../platform/session.ts';
import { findInactive, findRoleNames } from '../../organisation/index.ts';
import { countTasks, findTasks, findVisibleTask, type Reader, type TaskFilter } from '../store/lists.ts';
import { readRuleVersion } from '../store/rules.ts';
import { readDecisions, type TaskRow } from '../store/tasks.ts';
import { type ApprovalSubjects, peopleById, peopleOf, subjectOf } from './core.ts';
import { sayControl } from './naming.ts';
import { readerOf } from './reader.ts';
import { asChange, asNodes, asTask, type Viewing } from './view.ts';

export async function viewingOf(
  tx: Tx,
  { session, locale }: Pick<SignedInContext, 'session' | 'locale'>,
): Promise<Viewing> {
  const people = await peopleById(tx, locale);
  const { userId, permissions } = session;
  return { userId, permissions, locale, people, roles: await findRoleNames(tx, locale) };
}

/** The same for whoever shows these tasks and nothing else. */
export async function viewingOfTasks(
  tx: Tx,
  { session: { userId, permissions }, locale }: Pick<SignedInContext, 'session' | 'locale'>,
  tasks: readonly TaskRow[],
): Promise<Viewing> {
  const people = await peopleOf(tx, tasks, userId, locale);
  return { userId, permissions, locale, people, roles: await findRoleNames(tx, locale) };
}

/** Who looks, before it is known at what. */
async function findReader(tx: Tx, { session }: Pick<SignedInContext, 'session'>): Promise<Reader> {
  return readerOf(session, await peopleOf(tx, [], session.userId), await findInactive(tx));
}

/** One page of the tasks that a person may see. @throws DomainError cursorInvalid, noPermission (view `all`) */
export async function list(
  tx: Tx,
  context: SignedInContext,
  query: Query<typeof listApprovals>,
): Promise<OutputInput<typeof listApprovals>> {
  if (query.view === 'all' && !context.session.permissions.includes('rule.manage')) {
    throw new DomainError('noPermission');
  }
  const reader = await findReader(tx, context);
  const filter = filterOf(query);
  const size = sizeOf(query.size);
  const page = { before: timeCursor(query.cursor), descending: query.order !== 'asc', limit: size + 1 };
  const rows = await findTasks(tx, filter, reader, page);
  const { items, next } = pageOf(rows, size, (row) => [row.startedText, row.id]);
  const total = totalOf(await countTasks(tx, filter, reader, maxExactTotal + 1));
  const decisions = await readDecisions(
    tx,
    items.map(({ id }) => id),
  );
  const viewing = await viewingOfTasks(tx, context, items);
  return { items: items.map((row) => asTask(row, decisions, viewing)), ...total, next };
}

function filterOf(query: Query<typeof listApprovals>): TaskFilter {
  const { view, status, kind, coin, amountMin, amountMax, initiatorId } = query;
  const { from, to } = query;
  const keyword = query.keyword?.trim() || undefined;
  return {
    view,
    status,
    kind,
    coin,
    from: instantOf(from),
    to: instantOf(to),
    amountMin,
    amountMax,
    initiatorId,
    keyword,
  };
}

/** Times stay within what the database can hold. */
function instantOf(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  return new Date(Math.max(new Date(text).getTime(), 0)).toISOString();
}

/** One task with everything an approver needs to know. @throws DomainError notFound */
export async function get(
  tx: Tx,
  subjects: ApprovalSubjects,
  context: SignedInContext,
  id: string,
): Promise<OutputInput<typeof getApproval>> {
  const viewing = await viewingOf(tx, context);
  const task = await findVisibleTask(tx, id, readerOf(context.session, viewing.people));
  if (!task) throw new DomainError('notFound');
  const decisions = await readDecisions(tx, [id]);
  const { content } = task;
  const isTransfer = content.kind === 'transfer';
  return {
    ...asTask(task, decisions, viewing),
    fee: isTransfer ? formatAmount(BigInt(content.feeMinor), task.decimals ?? 0) : null,
    notes: isTransfer ? content.notes : '',
    attachments: isTransfer ? [...content.attachments] : [],
    rule: await ruleOf(tx, task.ruleId, task.ruleVersion),
    nodes: asNodes(task, decisions, viewing),
    digest: task.digest,
    evidence: isTransfer ? await subjectOf(subjects, task.kind).evidence(tx, task.subjectId, context.locale) : null,
    change: content.kind === 'rule_change' ? asChange(content.shown, viewing) : null,
    control: content.kind === 'control_change' ? sayControl(content, context.locale) : null,
  };
}

async function ruleOf(tx: Tx, id: string | null, version: number | null) {
  const rule = id === null || version === null ? null : await readRuleVersion(tx, id, version);
  if (!rule) return null;
  return {
    id: rule.id,
    name: rule.name,
    version: rule.version,
    lower: formatAmount(rule.lowerCents, 2),
    upper: rule.upperCents === null ? null : formatAmount(rule.upperCents, 2),
  };
}

/** What waits for a person, and what they wait for; the longest waiting first. */
export async function todo(tx: Tx, context: SignedInContext): Promise<OutputInput<typeof listTodo>> {
  const reader = await findReader(tx, context);
  const none = {
    kind: undefined,
    coin: undefined,
    from: undefined,
    to: undefined,
    amountMin: undefined,
    amountMax: undefined,
    initiatorId: undefined,
    keyword: undefined,
  };
  const part = async (view: 'pending' | 'initiated') => {
    const filter: TaskFilter = { ...none, view, status: 'pending' };
    const rows = await findTasks(tx, filter, reader, { before: null, descending: false, limit: maxTodoItems });
    const decisions = await readDecisions(
      tx,
      rows.map(({ id }) => id),
    );
    const viewing = await viewingOfTasks(tx, context, rows);
    const items = rows.map((row): TodoItem => {
      const task = asTask(row, decisions, viewing);
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
    const count = rows.length < maxTodoItems ? rows.length : await countTasks(tx, filter, reader, maxExactTotal + 1);
    return { count: totalOf(count).total, items };
  };
  return { waitingForMe: await part('pending'), iWaitFor: await part('initiated') };
}
