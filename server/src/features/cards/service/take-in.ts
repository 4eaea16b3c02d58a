import type { Database, Tx } from '../../../platform/database/database.ts';
import { announce, live } from '../../../platform/database/outbox.ts';
import { newId } from '../../../platform/ids.ts';
import { accountsByKind, move, openAccounts, post } from '../../ledger/index.ts';
import { changeStage, insertTransactions, reached } from '../../transactions/index.ts';
import { repayDeficit, takeFromWallet } from '../../wallets/index.ts';
import { isContradictory } from '../domain.ts';
import { purchaseNews } from '../events.ts';
import type { CardEvent, IssuerMessage } from '../issuer.ts';
import { blockCard } from '../store/cards.ts';
import { findOwner } from '../store/deciding.ts';
import { findEvent, isOfAnotherCard } from '../store/messages.ts';
import {
  type EventCard,
  findPurchase,
  insertCardRefund,
  insertEvent,
  lockEventCard,
  markReversed,
  readRefundEvents,
  readRefunds,
  readSaid,
  updateWhere,
} from '../store/purchases.ts';
import { keepDecline } from './declined-elsewhere.ts';
import { takeInCard } from './made.ts';
import { bringUp, cardPostings } from './move.ts';
import { type ContradictionProblem, keepContradiction, keepOfUnknownCard, keepUnread, textOf } from './unbooked.ts';

/** What the issuer says happened: each event once, in whatever order they arrive (docs/adr/0102-…). */

/** @param body as it was received, for what has to be kept */
export async function takeInMessage(database: Database, message: IssuerMessage, body: string): Promise<void> {
  switch (message.kind) {
    case 'other':
      return;
    case 'unread':
      return keepUnread(database, message, body);
    case 'card':
      if (!(await takeInCard(database, message.card)))
        await keepOfUnknownCard(database, message.card.token, null, body);
      return;
    case 'purchase':
      for (const unread of message.unread ?? []) await keepUnread(database, unread, body);
      return takeInEvents(database, message.events, body);
  }
}

/**
 * Events of one purchase, in one transaction. What cannot be booked is kept for a person, and posts nothing.
 * @param body as it was received; without it, each event by itself is what is kept
 */
export async function takeInEvents(database: Database, events: readonly CardEvent[], body?: string): Promise<void> {
  const byCard = Map.groupBy(events, ({ cardToken }) => cardToken);
  for (const [cardToken, its] of byCard) {
    const companyId = await database.withoutCompany((tx) => findOwner(tx, cardToken));
    if (companyId !== null) await database.withCompany(companyId, (tx) => takeInFor(tx, cardToken, its, body));
    else for (const event of its) await keepOfUnknownCard(database, cardToken, event, body ?? textOf(event));
  }
}

async function takeInFor(tx: Tx, cardToken: string, events: readonly CardEvent[], body?: string): Promise<void> {
  const card = await lockEventCard(tx, { token: cardToken });
  if (!card) return;
  for (const event of events) await takeInOne(tx, card, event, body ?? textOf(event));
}

async function takeInOne(tx: Tx, card: EventCard, event: CardEvent, body: string): Promise<void> {
  const { token, type, purchaseToken, amountMinor } = event;
  const keep = (problem: ContradictionProblem, about = token) =>
    keepContradiction(tx, card.id, event, { problem, about, body });
  // The issuer bills the card in its currency: an amount in another one cannot be booked.
  if (amountMinor !== null && event.currency !== card.asset) return keep('otherCurrency');
  if (await isOfAnotherCard(tx, purchaseToken, card.id)) return keep('otherCard');
  const eventId = await insertEvent(tx, card.id, event);
  if (eventId === null) {
    const known = await findEvent(tx, token);
    if (known?.type !== type || known.amountMinor !== amountMinor) await keep('otherContent');
    return;
  }
  if (type === 'declined') await keepDecline(tx, card.id, event, eventId);
  if (type === 'refunded' || type === 'refundReversed') {
    await followRefunds(tx, card, event);
    return;
  }
  await bringUp(tx, card, purchaseToken, event, eventId, 'issuer');
  if (['declined', 'authorized', 'cleared'].includes(type) && isContradictory(await readSaid(tx, purchaseToken))) {
    await keep('declinedAfterCleared', purchaseToken);
  }
  if (type !== 'cleared') return;
  const purchase = await findPurchase(tx, purchaseToken);
  if (purchase) await updateWhere(tx, purchase.id, event);
}

/** Books the refunds of a purchase that are not booked, and takes back those that were reversed: a reversal that came first waits for its refund. */
async function followRefunds(tx: Tx, card: EventCard, said: CardEvent): Promise<void> {
  const events = await readRefundEvents(tx, said.purchaseToken);
  const booked = new Set((await readRefunds(tx, said.purchaseToken)).map(({ eventId }) => eventId));
  for (const { id, type, amountMinor, at } of events) {
    if (type === 'refunded' && !booked.has(id)) await bookRefund(tx, card, { ...said, at }, id, amountMinor);
  }
  const refunds = await readRefunds(tx, said.purchaseToken);
  const used = new Set(refunds.map(({ reversedBy }) => reversedBy));
  const open = refunds.filter(({ reversedBy }) => reversedBy === null);
  for (const { id, type, amountMinor } of events) {
    if (type !== 'refundReversed' || used.has(id)) continue;
    const at = open.findIndex((refund) => refund.amountMinor === amountMinor);
    const refund = open[at];
    if (!refund) continue;
    open.splice(at, 1);
    await takeBack(tx, card, refund, id);
  }
}

async function bookRefund(
  tx: Tx,
  card: EventCard,
  said: CardEvent,
  eventId: string,
  amountMinor: bigint,
): Promise<void> {
  if (amountMinor === 0n) return;
  const id = newId();
  const purchase = await findPurchase(tx, said.purchaseToken);
  await insertTransactions(tx, [
    {
      ...{ id, type: 'card_refund', walletId: card.walletId, coin: card.asset, quantityMinor: amountMinor },
      payerName: said.merchant.name,
      relatedId: purchase?.id ?? null,
      initiator: { id: card.holderId, name: card.holderName },
      timeline: [{ stage: 'credited' }],
    },
  ]);
  await insertCardRefund(tx, { ...said, id, eventId, cardId: card.id, amountMinor });
  await openAccounts(tx, card.walletId, card.asset, ['card']);
  const accounts = await accountsByKind(tx, card.walletId, ['available', 'card']);
  await post(tx, {
    ...{ id: newId(), kind: cardPostings.refund, sourceId: id, description: 'refunded to a card' },
    legs: move(accounts.card.id, accounts.available.id, amountMinor),
  });
  await repayDeficit(tx, card.walletId, id);
  await announce(tx, [
    ...[purchaseNews(id, 'refunded'), reached(id, 'credited')],
    ...[live('card', card.id), live('transaction', id), live('balance', card.walletId)],
  ]);
}

async function takeBack(
  tx: Tx,
  card: EventCard,
  refund: { id: string; amountMinor: bigint },
  eventId: string,
): Promise<void> {
  const accounts = await accountsByKind(tx, card.walletId, ['card']);
  const missingMinor = await takeFromWallet(
    tx,
    card.walletId,
    refund.amountMinor,
    { kind: cardPostings.refundReversed, sourceId: refund.id, description: 'refund to a card taken back' },
    [{ accountId: accounts.card.id, amountMinor: refund.amountMinor }],
    null,
  );
  await markReversed(tx, refund.id, eventId);
  await changeStage(tx, refund.id, ['credited'], { stage: 'reversed', reason: 'stage.reason.cardRefundReversed' });
  if (missingMinor > 0n) await blockCard(tx, card.id);
  await announce(tx, [
    purchaseNews(refund.id, missingMinor > 0n ? 'overdrawn' : 'refundReversed'),
    reached(refund.id, 'reversed'),
    ...[live('card', card.id), live('transaction', refund.id), live('balance', card.walletId)],
  ]);
}
