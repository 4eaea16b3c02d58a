import type { Body, OutputInput } from '@causeway/contract/call.ts';
import type { CodeMethod } from '@causeway/contract/identity.ts';
import type { Locale } from '@causeway/contract/locale.ts';
import { formatAmount } from '@causeway/contract/money.ts';
import {
  type addStandingOrder,
  type listStandingOrders,
  mostStandingOrders,
  type StandingOrder,
  standingContent,
  type stopStandingOrder,
} from '@causeway/contract/standing-orders.ts';
import * as z from 'zod/mini';
import { audit } from '../../../platform/audit/record.ts';
import { databaseError, type Tx } from '../../../platform/database/database.ts';
import { announce, live } from '../../../platform/database/outbox.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import { fieldMessages } from '../../../platform/http/call-input.ts';
import type { MoneyUseCase } from '../../../platform/http/route.ts';
import { actorOf, type Session, type SignedInContext } from '../../../platform/session.ts';
import { translate } from '../../../platform/text/texts.ts';
import type { CodeFact } from '../../identity/index.ts';
import { refusal } from '../../ledger/index.ts';
import { findCompanySettings } from '../../organisation/index.ts';
import { shownSide } from '../service/limit-orders.ts';
import { readSides } from '../store/sides.ts';
import { standingMeaning } from './content.ts';
import {
  countRunning,
  findStandingOrders,
  findTurns,
  firstTurn,
  insertStandingOrder,
  type StandingOrderRow,
  stopOrder,
  type TurnRow,
} from './store.ts';
import { factsOf, sentenceId } from './words.ts';

/** What the routes bind. */
export interface StandingPorts {
  /** Uses up the code that proves an order. Throws codeWrong, codeBurnt, transferCodeMismatch, mfaNotBound, codeForAdministrator */
  verifyStandingCode(
    tx: Tx,
    request: { session: Session; method: CodeMethod; code: string; digest: string },
  ): Promise<{ method: string; id: string }>;
}

/** So many turns of each order are listed. */
const shownTurns = 10;

export async function list(tx: Tx, { locale }: SignedInContext): Promise<OutputInput<typeof listStandingOrders>> {
  const orders = await findStandingOrders(tx);
  const turns = await findTurns(tx, shownTurns);
  return {
    items: orders.map((order) =>
      shown(
        order,
        turns.filter(({ orderId }) => orderId === order.id),
        locale,
      ),
    ),
  };
}

/**
 * Makes a standing order (`add`). What its key is bound to leaves the code out: a member may ask for a new one and try again.
 */
export const adding: MoneyUseCase<typeof addStandingOrder, StandingPorts, undefined> = {
  request({ code: _code, codeMethod: _method, ...request }) {
    return request;
  },
  makes: ({ id }) => id,
  work: add,
};

/**
 * Makes a standing order; its first turn is the first after now. A repetition with the same key returns the first response.
 * @throws DomainError as `standingMeaning`, and standingLastDay, tooManyStandingOrders, idTaken; those of the code
 */
async function add(
  tx: Tx,
  context: SignedInContext & StandingPorts,
  { codeMethod: method, code, ...content }: Body<typeof addStandingOrder>,
): Promise<OutputInput<typeof addStandingOrder>> {
  const { session } = context;
  const { sellWalletId, buyWalletId, rule, every, day, time, tolerance, lastDay } = content;
  const { amountMinor, digest } = standingMeaning(
    session.companyId,
    content,
    await readSides(tx, { sellWalletId, buyWalletId }),
  );
  if ((await countRunning(tx)) >= mostStandingOrders) {
    throw new DomainError('tooManyStandingOrders', { most: mostStandingOrders });
  }
  const { timeZone } = await findCompanySettings(tx);
  const { nextAt, isAfterLast } = await firstTurn(tx, { every, day, time, timeZone, lastDay });
  if (isAfterLast) throw refusal('standingLastDay', {}, 'lastDay');
  const proof = await context.verifyStandingCode(tx, { session, method, code, digest });
  const order = {
    ...{
      id: content.id,
      memberId: session.userId,
      memberName: session.userName,
      sellWalletId,
      buyWalletId,
      rule,
      amountMinor,
    },
    ...{ every, day, time, timeZone, toleranceBasisPoints: tolerance, lastDay, digest, proof },
  };
  try {
    await insertStandingOrder(tx, order, nextAt);
  } catch (error) {
    if (databaseError(error)?.constraint === 'standing_order_pkey') throw new DomainError('idTaken');
    throw error;
  }
  await audit(tx, {
    actor: actorOf(context),
    action: 'exchange.addStanding',
    subjectKind: 'standingOrder',
    subjectId: content.id,
    detail: { digest, proof: proof.method },
  });
  await announce(tx, [live('standing', content.id)]);
  return { id: content.id, nextAt: nextAt.toISOString() };
}

/** @throws DomainError notFound, standingStopped */
export async function stop(
  tx: Tx,
  context: SignedInContext,
  { id }: Body<typeof stopStandingOrder>,
): Promise<OutputInput<typeof stopStandingOrder>> {
  const [order] = await findStandingOrders(tx, id);
  if (!order) throw new DomainError('notFound');
  if (!(await stopOrder(tx, id, 'stopped', context.session.userId))) throw new DomainError('standingStopped');
  await audit(tx, {
    actor: actorOf(context),
    action: 'exchange.stopStanding',
    subjectKind: 'standingOrder',
    subjectId: id,
  });
  await announce(tx, [live('standing', id)]);
  return { id };
}

/** What a code for a standing order is bound to, and the facts that its mail repeats. @throws DomainError validationFailed, and as `standingMeaning` */
export async function describeStandingSubject(
  tx: Tx,
  session: Session,
  content: Record<string, unknown>,
  locale: Locale,
): Promise<{ digest: string; facts: CodeFact[] }> {
  const parsed = z.safeParse(standingContent, content);
  if (!parsed.success) throw new DomainError('validationFailed', {}, fieldMessages(parsed.error, content));
  const { sellWalletId, buyWalletId } = parsed.data;
  const found = await readSides(tx, { sellWalletId, buyWalletId });
  const { sides, amountMinor, digest } = standingMeaning(session.companyId, parsed.data, found);
  return { digest, facts: factsOf(parsed.data, sides, amountMinor, locale) };
}

function shown(order: StandingOrderRow, turns: readonly TurnRow[], locale: Locale): StandingOrder {
  const { sell, buy, nextAt, stoppedAt, stopReason } = order;
  return {
    id: order.id,
    sell: shownSide(sell, locale),
    buy: shownSide(buy, locale),
    rule: order.rule,
    amount: formatAmount(order.amountMinor, sell.decimals),
    every: order.every,
    day: order.day,
    time: order.time,
    timeZone: order.timeZone,
    tolerance: order.toleranceBasisPoints,
    lastDay: order.lastDay,
    createdBy: { id: order.memberId, name: order.memberName },
    createdAt: order.createdAt.toISOString(),
    nextAt: nextAt?.toISOString() ?? null,
    stopped:
      stoppedAt === null || stopReason === null
        ? null
        : { reason: stopReason, at: stoppedAt.toISOString(), by: order.stoppedByName },
    turns: turns.map(({ dueAt, at, outcome, error, blanks, exchange }) => ({
      dueAt: dueAt.toISOString(),
      at: at.toISOString(),
      outcome,
      sentence: outcome === 'refused' && error !== null ? translate(locale, sentenceId(error), blanks) : null,
      exchange: exchange && {
        id: exchange.id,
        stage: exchange.stage,
        sold: formatAmount(BigInt(exchange.sold), sell.decimals),
        bought: formatAmount(BigInt(exchange.bought), buy.decimals),
      },
    })),
  };
}
