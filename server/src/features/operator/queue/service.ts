import type { OutputInput, Query } from '@causeway/contract/call.ts';
import type { Locale } from '@causeway/contract/locale.ts';
import { formatAmount, sayAmountText } from '@causeway/contract/money.ts';
import type { getQueueItem, listQueue, QueueItem as Shown, summariseQueue } from '@causeway/contract/operator-queue.ts';
import { queueRules, queueUrgencies } from '@causeway/contract/operator-queue-rules.ts';
import { type OperatorRole, operatorPermissionsOf } from '@causeway/contract/operator-rules.ts';
import { audit } from '../../../platform/audit/record.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { readPage } from '../../../platform/database/list.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import { actorOf, type OperatorContext } from '../../../platform/session.ts';
import { formatUsd } from '../../rates/index.ts';
import { linkOf } from './domain.ts';
import {
  countByCompany,
  countByKind,
  countOpen,
  findActiveRole,
  findEvents,
  findItem,
  type ItemRow,
  insertEvent,
  lockItem,
  markReopened,
  markResolved,
  openItems,
  resolvedItems,
  setOwner,
} from './store.ts';
import { causeLasts } from './sweep.ts';
import { lockKind } from './sweep-store.ts';
import { factsOf, nextStepOf, type Said, titleOf, withNames } from './words.ts';

/** The queue as operators work on it. */

/** Kinds with open items, the most urgent first. */
export async function summarise(tx: Tx, { session }: OperatorContext): Promise<OutputInput<typeof summariseQueue>> {
  const counts = await countByKind(tx, session.userId);
  const rank = ({ kind }: (typeof counts)[number]) => queueUrgencies.indexOf(queueRules[kind].urgency);
  return {
    kinds: counts
      .toSorted((a, b) => rank(a) - rank(b) || a.oldestAt.getTime() - b.oldestAt.getTime())
      .map(({ kind, open, unowned, oldestAt, usdCents }) => ({
        kind,
        urgency: queueRules[kind].urgency,
        open,
        unowned,
        oldestAt: oldestAt.toISOString(),
        usd: usdCents === null ? null : formatUsd(usdCents),
      })),
    mine: counts.reduce((sum, { mine }) => sum + mine, 0),
    companies: await countByCompany(tx),
  };
}

/** @throws DomainError cursorInvalid */
export async function list(
  tx: Tx,
  { session, locale }: OperatorContext,
  query: Query<typeof listQueue>,
): Promise<OutputInput<typeof listQueue>> {
  const reader = { operatorId: session.userId };
  if (query.state === 'resolved') return inWords(await readPage(tx, resolvedItems, query, reader), locale);
  const { state: _, size: __, cursor: ___, ...filters } = query;
  // The total of the whole queue is kept, not counted.
  const known = Object.values(filters).every((value) => value === undefined) ? await countOpen(tx) : undefined;
  return inWords(await readPage(tx, openItems, query, reader, known), locale);
}

function inWords(
  page: Awaited<ReturnType<typeof readPage<typeof listQueue, ItemRow, { operatorId: string }>>>,
  locale: Locale,
) {
  return { ...page, items: page.items.map((row) => shown(row, locale)) };
}

/** @throws DomainError notFound */
export async function get(
  tx: Tx,
  { locale, session }: OperatorContext,
  { id }: { id: string },
): Promise<OutputInput<typeof getQueueItem>> {
  const row = await findItem(tx, id);
  if (!row) throw new DomainError('notFound');
  const events = await findEvents(tx, id);
  const mayWork = session.permissions.includes('operator.queue');
  return {
    ...shown(row, locale),
    facts: factsOf(locale, saidOf(row, locale)),
    history: events.map(({ at, act, operatorId, operatorName, toId, toName, text }) => ({
      at: at.toISOString(),
      by: named(operatorId, operatorName),
      act,
      to: named(toId, toName),
      text,
    })),
    canResolve: mayWork && row.state === 'open' && queueRules[row.kind].ends === 'judgement',
    canReopen: mayWork && isClosedByHand(row),
  };
}

/** Of two that take at once, one succeeds. @throws DomainError notFound, queueTaken, queueResolved */
export async function take(tx: Tx, { session }: OperatorContext, { id }: { id: string }): Promise<void> {
  const item = await lockOpen(tx, id);
  if (item.ownerId === session.userId) return;
  if (item.ownerId !== null) throw new DomainError('queueTaken', { name: item.ownerName ?? '' });
  await setOwner(tx, id, session.userId);
  await insertEvent(tx, { itemId: id, act: 'taken', operatorId: session.userId });
}

/** To a colleague, or with null back to the queue. @throws DomainError notFound, queueResolved, operatorUnsuitable */
export async function handOver(
  tx: Tx,
  { session }: OperatorContext,
  { id, to, comment }: { id: string; to: string | null; comment?: string | undefined },
): Promise<void> {
  const item = await lockOpen(tx, id);
  if (item.ownerId === to) return;
  const role = to === null ? null : await findActiveRole(tx, to);
  if (to !== null && !(role !== null && operatorPermissionsOf[role as OperatorRole].includes('operator.queue'))) {
    throw new DomainError('operatorUnsuitable', {}, { to: 'error.operatorUnsuitable' });
  }
  await setOwner(tx, id, to);
  const text = comment?.trim() || null;
  await insertEvent(tx, {
    itemId: id,
    act: to === null ? 'released' : 'handedOver',
    operatorId: session.userId,
    toId: to,
    text,
  });
}

/** A comment stays; it can also be made on an item that is resolved. @throws DomainError notFound */
export async function comment(
  tx: Tx,
  { session }: OperatorContext,
  { id, text }: { id: string; text: string },
): Promise<void> {
  if (!(await lockItem(tx, id))) throw new DomainError('notFound');
  await insertEvent(tx, { itemId: id, act: 'commented', operatorId: session.userId, text });
}

/** @throws DomainError notFound, queueResolved, queueCauseLasts */
export async function resolve(
  tx: Tx,
  context: OperatorContext,
  { id, reason }: { id: string; reason: string },
): Promise<void> {
  const found = await findItem(tx, id);
  if (!found) throw new DomainError('notFound');
  // Before the item, as the sweep does; otherwise a sweep that looked before could open it again.
  await lockKind(tx, found.kind);
  const item = await lockOpen(tx, id);
  if (await causeLasts(tx, item)) throw new DomainError('queueCauseLasts');
  const operatorId = context.session.userId;
  await markResolved(tx, id, operatorId);
  await insertEvent(tx, { itemId: id, act: 'resolved', operatorId, text: reason });
  await audit(tx, {
    actor: actorOf(context),
    action: 'operator.resolveItem',
    subjectKind: 'queueItem',
    subjectId: id,
    detail: { reason },
  });
}

/**
 * For what was closed by mistake. It keeps its owner and its place; an item that ended with its cause opens again with it alone.
 * @throws DomainError notFound, queueNotClosed
 */
export async function reopen(
  tx: Tx,
  context: OperatorContext,
  { id, reason }: { id: string; reason: string },
): Promise<void> {
  const found = await findItem(tx, id);
  if (!found) throw new DomainError('notFound');
  await lockKind(tx, found.kind);
  const item = await lockItem(tx, id);
  if (!item || !isClosedByHand(item)) throw new DomainError('queueNotClosed');
  const operatorId = context.session.userId;
  // The sweep has opened another for the same cause meanwhile: that one is worked on.
  if (!(await markReopened(tx, item))) throw new DomainError('queueNotClosed');
  await insertEvent(tx, { itemId: id, act: 'reopened', operatorId, text: reason });
  await audit(tx, {
    actor: actorOf(context),
    action: 'operator.reopenItem',
    subjectKind: 'queueItem',
    subjectId: id,
    detail: { reason },
  });
}

function isClosedByHand({ state, resolvedBy }: ItemRow): boolean {
  return state === 'resolved' && resolvedBy !== null;
}

async function lockOpen(tx: Tx, id: string): Promise<ItemRow> {
  const item = await lockItem(tx, id);
  if (!item) throw new DomainError('notFound');
  if (item.state === 'resolved') throw new DomainError('queueResolved');
  return item;
}

function shown(row: ItemRow, locale: Locale): Shown {
  const said = saidOf(row, locale);
  return {
    id: row.id,
    kind: row.kind,
    urgency: queueRules[row.kind].urgency,
    state: row.state,
    title: titleOf(locale, said),
    nextStep: nextStepOf(locale, said),
    openedAt: row.openedAt.toISOString(),
    resolvedAt: row.resolvedAt?.toISOString() ?? null,
    owner: named(row.ownerId, row.ownerName),
    company: named(row.companyId, row.companyName),
    amount:
      row.asset === null
        ? null
        : {
            quantity: formatAmount(row.amountMinor ?? 0n, row.decimals ?? 0),
            asset: row.asset,
            usd: row.usdCents === null ? null : formatUsd(row.usdCents),
          },
    link: linkOf(row.kind, row),
    comments: row.comments,
  };
}

function saidOf({ kind, asset, amountMinor, decimals, companyName, ...row }: ItemRow, locale: Locale): Said {
  const amount = amountMinor === null ? '' : sayAmountText(formatAmount(amountMinor, decimals ?? 0));
  const facts = withNames(row.facts, {
    chain: row.chainName,
    bank: row.bankNames?.[locale] ?? row.bankNames?.['en-us'] ?? null,
  });
  return { kind, facts, amount, asset: asset ?? '', company: companyName ?? '' };
}

function named(id: string | null, name: string | null): { id: string; name: string } | null {
  return id === null ? null : { id, name: name ?? '' };
}
