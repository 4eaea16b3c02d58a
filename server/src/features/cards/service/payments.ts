import type { OutputInput, Query } from '@causeway/contract/call.ts';
import type { CardPayment, listCardPayments } from '@causeway/contract/cards-payments.ts';
import type { getCardPayment } from '@causeway/contract/cards-receipts.ts';
import { formatAmount } from '@causeway/contract/money.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { readPage } from '../../../platform/database/list.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import type { Session, SignedInContext } from '../../../platform/session.ts';
import { forcedOf, merchantFigure, type Said } from '../domain.ts';
import { readCard } from '../store/list.ts';
import { findPayment, type PaymentRow, paymentList } from '../store/payments.ts';
import { readSaidOfAll } from '../store/purchases.ts';
import { holderSeen } from './show.ts';

/** What cards paid, as pages show it. */

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
  const { items, ...page } = await readPage(tx, paymentList, query, { holderId, readerId: session.userId });
  return { ...page, items: await shownPayments(tx, items, session) };
}

/** @throws DomainError cardPaymentNotFound */
export async function getPayment(
  tx: Tx,
  { session }: SignedInContext,
  { id }: { id: string },
): Promise<OutputInput<typeof getCardPayment>> {
  const payment = await findPayment(tx, id, holderSeen(session));
  if (!payment) throw new DomainError('cardPaymentNotFound');
  return shownPayment(payment, session, await saidOfForced(tx, [payment]));
}

export async function shownPayments(tx: Tx, rows: readonly PaymentRow[], session: Session): Promise<CardPayment[]> {
  const saidOf = await saidOfForced(tx, rows);
  return rows.map((row) => shownPayment(row, session, saidOf));
}

function saidOfForced(tx: Tx, rows: readonly PaymentRow[]): Promise<ReadonlyMap<string, Said[]>> {
  return readSaidOfAll(
    tx,
    rows.flatMap(({ id, forced }) => (forced ? [id] : [])),
  );
}

function shownPayment(row: PaymentRow, session: Session, saidOf: ReadonlyMap<string, Said[]>): CardPayment {
  const say = (minor: bigint) => formatAmount(minor, row.decimals);
  const { holderId: _, receiptBy: __, amountMinor, heldMinor, clearedMinor, at, clearedAt, ...rest } = row;
  const forced = row.forced ? forcedOf(saidOf.get(row.id) ?? []) : null;
  return {
    ...rest,
    ...{ amount: say(amountMinor), held: say(heldMinor), paid: say(clearedMinor) },
    merchantAmount: merchantFigure(row.merchantAmount, row.merchantCurrency),
    forcedAs: forced && { how: forced.how, taken: say(forced.takenMinor), held: say(forced.heldMinor) },
    can: {
      addReceipt: takesReceipt(row) && isHand(row, session),
      changeReceipt: row.receiptId !== null && mayChange({ ...row, addedBy: row.receiptBy }, session),
    },
    at: at.toISOString(),
    clearedAt: clearedAt?.toISOString() ?? null,
  };
}

/** A purchase that is held or was cleared, and has none. */
export function takesReceipt({ transactionId, receiptId, heldMinor, clearedMinor }: PaymentRow): boolean {
  return transactionId !== null && receiptId === null && heldMinor + clearedMinor > 0n;
}

/** Holders and who manages cards bring receipts; an operator who looks on brings none. */
export function isHand({ holderId }: { holderId: string | null }, session: Session): boolean {
  return session.isLook !== true && (holderId === session.userId || session.permissions.includes('card.manage'));
}

export function mayChange(receipt: { holderId: string | null; addedBy: string | null }, session: Session): boolean {
  return isHand(receipt, session) || (session.isLook !== true && receipt.addedBy === session.userId);
}
