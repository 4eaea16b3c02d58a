import type { Body, OutputInput, Query } from '@causeway/contract/call.ts';
import type {
  addCardReceipt,
  CardPayment,
  listCardPayments,
  removeCardReceipt,
  waiveCardReceipt,
} from '@causeway/contract/cards-payments.ts';
import { formatAmount } from '@causeway/contract/money.ts';
import { audit } from '../../../platform/audit/record.ts';
import { databaseError, type Tx } from '../../../platform/database/database.ts';
import { readPage } from '../../../platform/database/list.ts';
import { announce, live } from '../../../platform/database/outbox.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import { actorOf, type SignedInContext } from '../../../platform/session.ts';
import { readCard } from '../store/list.ts';
import {
  findCandidates,
  findPayment,
  findReceipt,
  insertReceipt,
  isOwnFile,
  type PaymentRow,
  paymentList,
  removeReceiptRow,
  setReceiptState,
} from '../store/payments.ts';
import { holderSeen } from './show.ts';

/** What cards paid, and the receipts of it. */

/** @throws DomainError cardNotFound, cursorInvalid */
export async function listPayments(
  tx: Tx,
  { session, clock }: SignedInContext,
  query: Query<typeof listCardPayments>,
): Promise<OutputInput<typeof listCardPayments>> {
  const holderId = holderSeen(session);
  if (query.cardId !== undefined && (await readCard(tx, query.cardId, holderId, clock.now())) === null) {
    throw new DomainError('cardNotFound');
  }
  const { items, ...page } = await readPage(tx, paymentList, query, holderId);
  return { ...page, items: items.map(shownPayment) };
}

function shownPayment(row: PaymentRow): CardPayment {
  const say = (minor: bigint) => formatAmount(minor, row.decimals);
  const { holderId: _, amountMinor, heldMinor, clearedMinor, at, clearedAt, ...rest } = row;
  return {
    ...rest,
    ...{ amount: say(amountMinor), held: say(heldMinor), paid: say(clearedMinor) },
    at: at.toISOString(),
    clearedAt: clearedAt?.toISOString() ?? null,
  };
}

const mostCandidates = 5;

/**
 * Adds a receipt to the payment that is named, or to the one payment that fits amount and day or merchant. Where several fit, none is chosen, and they are listed.
 * @throws DomainError cardReceiptFileUnknown, cardPaymentNotFound, cardReceiptTaken, idTaken
 */
export async function addReceipt(
  tx: Tx,
  context: SignedInContext,
  body: Body<typeof addCardReceipt>,
): Promise<OutputInput<typeof addCardReceipt>> {
  const { session } = context;
  const holderId = holderSeen(session);
  const { id, fileId, paymentId, amount, date, merchant } = body;
  if (!(await isOwnFile(tx, fileId, session.userId))) throw new DomainError('cardReceiptFileUnknown');
  const named = paymentId === null ? null : await namedPayment(tx, context, paymentId);
  const candidates = named ? [] : await findCandidates(tx, holderId, { amount, date, merchant }, mostCandidates);
  const fitting = candidates.filter((row) => amount !== null && isOfAmount(row, amount) && isNear(row, date));
  const chosen = named ?? (fitting.length === 1 ? (fitting[0] ?? null) : null);
  try {
    await insertReceipt(tx, {
      id,
      fileId,
      purchaseId: chosen?.id ?? null,
      amount,
      date,
      merchant,
      addedBy: session.userId,
    });
  } catch (error) {
    const constraint = databaseError(error)?.constraint;
    if (constraint === 'card_receipt_pkey') throw new DomainError('idTaken');
    if (constraint === 'card_receipt_purchase') throw new DomainError('cardReceiptTaken');
    throw error;
  }
  if (chosen) await setReceiptState(tx, chosen.id, 'matched');
  await record(tx, context, 'cards.addReceipt', chosen?.cardId ?? null, { transactionId: chosen?.id ?? null });
  return { id, paymentId: chosen?.id ?? null, candidates: chosen ? [] : candidates.map(shownPayment) };
}

function isOfAmount({ clearedMinor, decimals, merchantAmount }: PaymentRow, amount: string): boolean {
  const plain = (text: string) => (text.includes('.') ? text.replace(/0+$/, '').replace(/\.$/, '') : text);
  return [formatAmount(clearedMinor, decimals), merchantAmount].some(
    (one) => one !== null && plain(one) === plain(amount),
  );
}

/** A receipt is of the day of the purchase, or a few days before or behind it. */
const nearDays = 4;

function isNear({ at }: PaymentRow, date: string | null): boolean {
  return date === null || Math.abs(at.getTime() - Date.parse(date)) <= nearDays * 86_400_000;
}

/** @throws DomainError cardPaymentNotFound, cardReceiptTaken */
async function namedPayment(tx: Tx, { session }: SignedInContext, id: string): Promise<PaymentRow> {
  const payment = await findPayment(tx, id, holderSeen(session));
  const isHand = payment?.holderId === session.userId || session.permissions.includes('card.manage');
  if (!payment || !isHand) throw new DomainError('cardPaymentNotFound');
  if (payment.receiptId !== null) throw new DomainError('cardReceiptTaken');
  return payment;
}

/** @throws DomainError cardReceiptNotFound */
export async function removeReceipt(
  tx: Tx,
  context: SignedInContext,
  { id }: Body<typeof removeCardReceipt>,
): Promise<OutputInput<typeof removeCardReceipt>> {
  const { session } = context;
  const receipt = await findReceipt(tx, id);
  const isHand =
    receipt !== null &&
    (receipt.addedBy === session.userId ||
      receipt.holderId === session.userId ||
      session.permissions.includes('card.manage'));
  if (!isHand) throw new DomainError('cardReceiptNotFound');
  await removeReceiptRow(tx, id);
  if (receipt.purchaseId !== null) await setReceiptState(tx, receipt.purchaseId, 'missing');
  const payment = receipt.purchaseId === null ? null : await findPayment(tx, receipt.purchaseId, null);
  await record(tx, context, 'cards.removeReceipt', payment?.cardId ?? null, { transactionId: receipt.purchaseId });
  return { id };
}

/** @throws DomainError cardPaymentNotFound, cardReceiptTaken */
export async function waiveReceipt(
  tx: Tx,
  context: SignedInContext,
  { paymentId, note }: Body<typeof waiveCardReceipt>,
): Promise<OutputInput<typeof waiveCardReceipt>> {
  const payment = await namedPayment(tx, context, paymentId);
  await setReceiptState(tx, paymentId, 'waived', note);
  await record(tx, context, 'cards.waiveReceipt', payment.cardId, { transactionId: paymentId, note });
  return { paymentId };
}

async function record(
  tx: Tx,
  context: SignedInContext,
  action: 'cards.addReceipt' | 'cards.removeReceipt' | 'cards.waiveReceipt',
  cardId: string | null,
  detail: Record<string, unknown>,
): Promise<void> {
  const subject =
    cardId === null
      ? ({ subjectKind: 'company', subjectId: tx.companyId } as const)
      : ({ subjectKind: 'card', subjectId: cardId } as const);
  await audit(tx, { actor: actorOf(context), action, ...subject, detail });
  await announce(tx, [live('card', cardId)]);
}
