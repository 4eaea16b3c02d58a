import { type Tx, together } from '../../../platform/database/database.ts';
import { announce, live, type OutboxEvent } from '../../../platform/database/outbox.ts';
import { newId } from '../../../platform/ids.ts';
import { accountsByKind, move, openAccounts, post } from '../../ledger/index.ts';
import { changeStage, insertTransactions, reached, resizeCardPayment } from '../../transactions/index.ts';
import { repayDeficit, takeFromWallet } from '../../wallets/index.ts';
import { movesOf, type Sums, sumUp } from '../domain.ts';
import { purchaseNews } from '../events.ts';
import { blockCard } from '../store/cards.ts';
import {
  type EventCard,
  findPurchase,
  insertPurchase,
  type PurchaseRow,
  readSaid,
  updatePurchase,
  type Where,
} from '../store/purchases.ts';

/** What a purchase posts, under its transaction: the kinds of its later postings have a number. */
export const cardPostings = {
  hold: 'card.hold',
  release: 'card.release',
  clear: 'card.clear',
  refund: 'card.refund',
  refundReversed: 'card.refundReversed',
} as const;

const descriptions: Record<'hold' | 'release' | 'clear', string> = {
  hold: 'held for a purchase by card',
  release: 'hold of a purchase by card released',
  clear: 'purchase by card cleared',
};

/** A purchase as it is before anything was said of it. */
type Before = Omit<PurchaseRow, 'id' | 'cardId' | 'walletId'>;

/**
 * Brings books, transaction and row of a purchase to what all that was said of it comes to (docs/adr/0102-…). The card is locked. What was said has been written down.
 * @param causeId the row that made it, the source of a shortfall that is made good
 * @throws DomainError insufficientBalance where an authorisation of ours holds more than there is
 */
export async function bringUp(
  tx: Tx,
  card: EventCard,
  token: string,
  where: Where & { at: Date },
  causeId: string,
  by: 'us' | 'issuer',
): Promise<Sums> {
  const known = await findPurchase(tx, token);
  const sums = sumUp(await readSaid(tx, token));
  await settle(tx, { card, token, where, causeId, by, known, sums });
  return sums;
}

/**
 * Holds what is approved of a purchase of which nothing was said before: what `bringUp` comes to there, as statements that share a round trip.
 * @returns the statements, issued in the order of their locks; the posting rejects with DomainError insufficientBalance
 */
export function hold(
  tx: Tx,
  {
    card,
    accounts,
    asked,
    amountMinor,
  }: {
    card: EventCard;
    accounts: { availableId: string; outboundId: string };
    asked: Where & { purchaseToken: string; at: Date };
    amountMinor: bigint;
  },
): Promise<unknown>[] {
  const [id, token] = [newId(), asked.purchaseToken];
  const sums: Sums = { heldMinor: amountMinor, clearedMinor: 0n, isForced: false };
  const posting = { kind: cardPostings.hold, sourceId: id, description: descriptions.hold };
  return [
    ...insertWithTransaction(tx, { card, token, where: asked, sums }, id, 1),
    post(tx, { id: newId(), ...posting, legs: move(accounts.availableId, accounts.outboundId, amountMinor) }),
    announce(tx, [
      ...[purchaseNews(id, 'held'), reached(id, 'held')],
      ...[live('card', card.id), live('transaction', id), live('balance', card.walletId)],
    ]),
  ];
}

interface Settling {
  card: EventCard;
  token: string;
  where: Where & { at: Date };
  causeId: string;
  /** What we approve has to fit into what is available; what the issuer has done is taken all the same. */
  by: 'us' | 'issuer';
  known: PurchaseRow | null;
  sums: Sums;
}

/** As `bringUp`, with what is known of it. */
async function settle(tx: Tx, settling: Settling): Promise<void> {
  const { token, known, sums } = settling;
  const before: Before = known ?? {
    token,
    heldMinor: 0n,
    clearedMinor: 0n,
    forced: false,
    overdrawnMinor: 0n,
    postings: 0,
  };
  const moves = movesOf(before, sums);
  const isMoved = moves.outboundMinor !== 0n || moves.cardMinor !== 0n;
  // What comes to nothing from the beginning, such as an authorisation that the issuer declined, is no purchase.
  if (!isMoved) return;
  const id = known?.id ?? newId();
  const postings = before.postings + 1;
  if (!known) await together(insertWithTransaction(tx, settling, id, 0));
  await postMoves(tx, settling, { id, number: postings, moves }, before);
}

async function postMoves(
  tx: Tx,
  settling: Settling,
  { id, number, moves }: { id: string; number: number; moves: ReturnType<typeof movesOf> },
  before: Before,
): Promise<void> {
  const { card, known, sums, causeId, by, where } = settling;
  const { outboundMinor, cardMinor, availableMinor } = moves;
  const word = cardMinor !== 0n ? 'clear' : outboundMinor > 0n ? 'hold' : 'release';
  const posting = {
    kind: number === 1 ? cardPostings[word] : `${cardPostings[word]}.${number}`,
    sourceId: id,
    description: descriptions[word],
  };
  if (cardMinor !== 0n) await openAccounts(tx, card.walletId, card.asset, ['card']);
  const accounts = await accountsByKind(
    tx,
    card.walletId,
    cardMinor === 0n ? (['available', 'outbound'] as const) : (['available', 'outbound', 'card'] as const),
  );
  const others = [
    { accountId: accounts.outbound.id, amountMinor: outboundMinor },
    ...('card' in accounts ? [{ accountId: accounts.card.id, amountMinor: cardMinor }] : []),
  ].filter(({ amountMinor }) => amountMinor !== 0n);
  let missingMinor = 0n;
  if (availableMinor < 0n && by === 'issuer') {
    missingMinor = await takeFromWallet(tx, card.walletId, -availableMinor, posting, others, null);
  } else {
    const legs = [{ accountId: accounts.available.id, amountMinor: availableMinor }, ...others];
    await post(tx, { id: newId(), ...posting, legs: legs.filter(({ amountMinor }) => amountMinor !== 0n) });
  }
  if (availableMinor > 0n) await repayDeficit(tx, card.walletId, causeId);
  const isOver = sums.heldMinor === 0n;
  const clearedAt = cardMinor > 0n ? where.at : null;
  const forced = sums.isForced || before.forced;
  const overdrawnMinor = before.overdrawnMinor + missingMinor;
  await updatePurchase(tx, { id, ...sums, forced, overdrawnMinor, postings: number }, clearedAt);
  if (known) await followStage(tx, id, sums);
  if (missingMinor > 0n) await blockCard(tx, card.id);
  const news: OutboxEvent[] = [];
  if (!known && !isOver) news.push(purchaseNews(id, 'held'), reached(id, 'held'));
  if (isOver && sums.clearedMinor > 0n) news.push(purchaseNews(id, 'paid'), reached(id, 'completed'));
  if (isOver && sums.clearedMinor === 0n) news.push(reached(id, 'reversed'));
  if (missingMinor > 0n) news.push(purchaseNews(id, 'overdrawn'));
  else if (forced && !before.forced) news.push(purchaseNews(id, 'forced'));
  await announce(tx, [...news, live('card', card.id), live('transaction', id), live('balance', card.walletId)]);
}

function insertWithTransaction(
  tx: Tx,
  { card, token, where, sums }: Pick<Settling, 'card' | 'token' | 'where' | 'sums'>,
  id: string,
  postings: number,
): Promise<unknown>[] {
  const isOver = sums.heldMinor === 0n;
  const transaction = insertTransactions(tx, [
    {
      id,
      type: 'card_payment',
      walletId: card.walletId,
      coin: card.asset,
      quantityMinor: sums.heldMinor + sums.clearedMinor,
      payeeName: where.merchant.name,
      initiator: { id: card.holderId, name: card.holderName },
      timeline: isOver ? [{ stage: 'held' }, { stage: 'completed' }] : [{ stage: 'held' }],
    },
  ]);
  const purchase = insertPurchase(tx, {
    ...where,
    ...{ id, token, cardId: card.id, originId: card.originId, walletId: card.walletId },
    ...{ heldMinor: sums.heldMinor, clearedMinor: sums.clearedMinor, forced: sums.isForced, postings },
  });
  return [transaction, purchase];
}

/** The transaction's amount is what is held and cleared; it ends once nothing is held, and begins again where more is held later. */
async function followStage(tx: Tx, id: string, { heldMinor, clearedMinor }: Sums): Promise<void> {
  if (heldMinor + clearedMinor > 0n) await resizeCardPayment(tx, id, heldMinor + clearedMinor);
  if (heldMinor > 0n) await changeStage(tx, id, ['completed', 'reversed'], { stage: 'held' });
  else if (clearedMinor > 0n) await changeStage(tx, id, ['held', 'reversed'], { stage: 'completed' });
  else await changeStage(tx, id, ['held'], { stage: 'reversed', reason: 'stage.reason.cardReleased' });
}
