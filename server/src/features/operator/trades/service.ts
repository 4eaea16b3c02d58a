import type { OutputInput, Query } from '@causeway/contract/call.ts';
import { formatAmount } from '@causeway/contract/money.ts';
import type * as calls from '@causeway/contract/operator-trades.ts';
import { tradeTroubles } from '@causeway/contract/operator-trades-rules.ts';
import { audit } from '../../../platform/audit/record.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { readPage } from '../../../platform/database/list.ts';
import { announce } from '../../../platform/database/outbox.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import { actorOf, type OperatorContext } from '../../../platform/session.ts';
import { messageToResend, sayNote, shownTrade, tradeOf } from '../../trades/index.ts';
import {
  type Copy,
  findEvents,
  findLines,
  findMessages,
  findPayments,
  findTrade,
  type MessageRow,
  type OperatorTradeRow,
  operatorTradeList,
  sumFrozen,
} from './store.ts';

/** Guaranteed trades of all companies. */

/** @throws DomainError cursorInvalid */
export async function list(
  tx: Tx,
  _context: OperatorContext,
  query: Query<typeof calls.listOperatorTrades>,
): Promise<OutputInput<typeof calls.listOperatorTrades>> {
  const page = await readPage(tx, operatorTradeList, query, undefined);
  const frozen = await sumFrozen(tx, query.companyId);
  return {
    ...page,
    items: page.items.map(shown),
    frozen: frozen.map(({ minor, ...sum }) => ({ ...sum, amount: formatAmount(minor, sum.decimals) })),
  };
}

function shown(row: OperatorTradeRow) {
  const { companyId, companyName } = row;
  return {
    ...shownTrade(tradeOf(row)),
    company: { id: companyId, name: companyName },
    troubles: tradeTroubles.filter((trouble) => row[trouble]),
  };
}

/** @throws DomainError tradeNotFound */
async function tradeOfCopy(tx: Tx, copy: Copy): Promise<OperatorTradeRow> {
  const row = await findTrade(tx, copy);
  if (!row) throw new DomainError('tradeNotFound');
  return row;
}

/** @throws DomainError tradeNotFound */
export async function get(
  tx: Tx,
  { locale }: OperatorContext,
  copy: Copy,
): Promise<OutputInput<typeof calls.getOperatorTrade>> {
  const row = await tradeOfCopy(tx, copy);
  const { version, decimals, contradiction } = row;
  const say = (minor: bigint) => formatAmount(minor, decimals);
  const messages = await findMessages(tx, copy);
  const first = firstWaiting(messages);
  return {
    ...shown(row),
    version,
    contradiction,
    milestones: tradeOf(row).milestones.map(({ amountMinor, ...each }) => ({ ...each, amount: say(amountMinor) })),
    releases: (await findPayments(tx, copy)).map(({ amountMinor, at, ...each }) => ({
      ...each,
      amount: say(amountMinor),
      at: at.toISOString(),
    })),
    timeline: (await findLines(tx, copy)).map(
      ({ step, at, by, amountMinor, phase, note, version: of, milestones }) => ({
        ...{ step, by, phase, note: sayNote(note, locale), version: of, milestones },
        at: at.toISOString(),
        amount: amountMinor === null ? null : say(amountMinor),
      }),
    ),
    events: (await findEvents(tx, copy)).map(({ receivedAt, ...event }) => ({
      ...event,
      receivedAt: receivedAt.toISOString(),
    })),
    messages: messages.map(({ at, nextAt, deliveredAt, ...message }) => ({
      ...message,
      at: at.toISOString(),
      nextAt: message.id === first?.id ? (nextAt?.toISOString() ?? null) : null,
      deliveredAt: deliveredAt?.toISOString() ?? null,
    })),
  };
}

/** Messages of a trade are sent one after another. */
function firstWaiting(messages: readonly MessageRow[]): MessageRow | undefined {
  return messages.find(({ deliveredAt }) => deliveredAt === null);
}

/** The worker sends it: the console writes nothing of a company. @throws DomainError tradeNotFound, tradeMessageNotWaiting */
export async function resend(
  tx: Tx,
  context: OperatorContext,
  { messageId, reason, ...copy }: Copy & { messageId: string; reason: string },
): Promise<void> {
  const row = await tradeOfCopy(tx, copy);
  const message = firstWaiting(await findMessages(tx, copy));
  if (message?.id !== messageId) throw new DomainError('tradeMessageNotWaiting');
  await audit(tx, {
    actor: actorOf(context),
    action: 'operator.resendTradeMessage',
    subjectKind: 'trade',
    subjectId: copy.id,
    detail: { company: row.companyName, name: row.number, message: message.type, reason },
  });
  await announce(tx, [messageToResend({ companyId: copy.companyId, messageId })]);
}
