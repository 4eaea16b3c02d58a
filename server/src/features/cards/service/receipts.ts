import { createHash } from 'node:crypto';
import type { Body, OutputInput } from '@causeway/contract/call.ts';
import type {
  addCardReceipt,
  removeCardReceipt,
  uploadCardReceipt,
  waiveCardReceipt,
} from '@causeway/contract/cards-payments.ts';
import type { countMissingCardReceipts, replaceCardReceipt } from '@causeway/contract/cards-receipts.ts';
import { formatAmount } from '@causeway/contract/money.ts';
import { audit } from '../../../platform/audit/record.ts';
import { databaseError, type Tx } from '../../../platform/database/database.ts';
import { announce, live } from '../../../platform/database/outbox.ts';
import { DomainError, invariant } from '../../../platform/domain-error.ts';
import type { FileAnswer } from '../../../platform/http/call-answer.ts';
import type { Upload } from '../../../platform/http/call-input.ts';
import { newId } from '../../../platform/ids.ts';
import { actorOf, type OpenContext, type SignedInContext } from '../../../platform/session.ts';
import { checkUpload, type FilesPorts, findFiles, readFile, storeFile } from '../../files/index.ts';
import { isHeic, withoutMetadata } from '../photo.ts';
import { findCandidates, findPayment, type PaymentRow } from '../store/payments.ts';
import {
  countMissing,
  findReceipt,
  insertReceipt,
  isOwnFile,
  lockPurchase,
  type ReceiptRow,
  removeReceiptRow,
  setReceiptState,
  setWithoutReceipt,
} from '../store/receipts.ts';
import { isHand, mayChange, shownPayments, takesReceipt } from './payments.ts';
import { holderSeen } from './show.ts';

/** The receipts of what cards paid (docs/adr/0109-…). */

/**
 * Stores a photo without where and when it was taken, or a PDF as it is.
 * @throws DomainError cardReceiptDamaged, cardReceiptHeic, fileEmpty, fileTooLarge, fileTypeNotAllowed, storageFull, validationFailed (its name)
 */
export async function uploadReceipt(
  context: OpenContext & FilesPorts & { upload: Upload },
): Promise<OutputInput<typeof uploadCardReceipt>> {
  if (isHeic(context.upload.content)) throw new DomainError('cardReceiptHeic');
  const { name, type, content: given } = await checkUpload(context.upload);
  const content = withoutMetadata(type, given);
  if (content === null) throw new DomainError('cardReceiptDamaged');
  const id = newId();
  const sha256 = createHash('sha256').update(content).digest();
  const [stored] = await storeFile(context, { id, name, type, content, sha256 }, (tx) => findFiles(tx, [id]));
  invariant(stored, 'the file that was stored is there');
  return stored;
}

const mostCandidates = 5;

/**
 * Adds a receipt to the payment that is named, or to the one payment that fits amount and day. Where none or several fit, nothing is added, and they are listed.
 * @throws DomainError cardReceiptFileUnknown, cardPaymentNotFound, cardReceiptTaken, idTaken
 */
export async function addReceipt(
  tx: Tx,
  context: SignedInContext,
  body: Body<typeof addCardReceipt>,
): Promise<OutputInput<typeof addCardReceipt>> {
  const { session } = context;
  const { id, fileId, paymentId, amount, date, merchant } = body;
  if (!(await isOwnFile(tx, fileId, session.userId))) throw new DomainError('cardReceiptFileUnknown');
  const earlier = await findRepeated(tx, context, { id, fileId });
  if (earlier) return { id, paymentId: earlier.purchaseId, candidates: [] };
  const named = paymentId === null ? null : await namedPayment(tx, context, paymentId);
  const candidates = named
    ? []
    : await findCandidates(tx, managedBy(context), { amount, date, merchant }, mostCandidates);
  const fitting = candidates.filter((row) => amount !== null && isOfAmount(row, amount) && isNear(row, date));
  const chosen = named ?? (fitting.length === 1 ? (fitting[0] ?? null) : null);
  if (!chosen) return { id, paymentId: null, candidates: await shownPayments(tx, candidates, session) };
  await insert(tx, { id, fileId, purchaseId: chosen.id, amount, date, merchant, addedBy: session.userId });
  await setReceiptState(tx, chosen.id, 'matched');
  await record(tx, context, 'cards.addReceipt', chosen.cardId, { transactionId: chosen.id });
  return { id, paymentId: chosen.id, candidates: [] };
}

/** The receipt as it was added before, where the answer was lost on its way and the request comes again. */
async function findRepeated(
  tx: Tx,
  { session }: SignedInContext,
  { id, fileId }: { id: string; fileId: string },
): Promise<ReceiptRow | null> {
  const earlier = await findReceipt(tx, id);
  return earlier?.fileId === fileId && earlier.addedBy === session.userId ? earlier : null;
}

/** Whose payments a member may bring receipts for: everyone's (null), or their own. */
function managedBy({ session }: SignedInContext): string | null {
  return session.permissions.includes('card.manage') ? null : session.userId;
}

/** @throws DomainError cardReceiptTaken, idTaken */
async function insert(tx: Tx, receipt: Parameters<typeof insertReceipt>[1]): Promise<void> {
  try {
    await insertReceipt(tx, receipt);
  } catch (error) {
    const constraint = databaseError(error)?.constraint;
    if (constraint === 'card_receipt_pkey') throw new DomainError('idTaken');
    if (constraint === 'card_receipt_purchase') throw new DomainError('cardReceiptTaken');
    throw error;
  }
}

function isOfAmount({ amountMinor, decimals, merchantAmount }: PaymentRow, amount: string): boolean {
  const plain = (text: string) => (text.includes('.') ? text.replace(/0+$/, '').replace(/\.$/, '') : text);
  return [formatAmount(amountMinor, decimals), merchantAmount].some(
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
  await lockPurchase(tx, id);
  const payment = await findPayment(tx, id, holderSeen(session));
  if (!payment || !isHand(payment, session)) throw new DomainError('cardPaymentNotFound');
  if (payment.receiptId !== null) throw new DomainError('cardReceiptTaken');
  if (!takesReceipt(payment)) throw new DomainError('cardPaymentNotFound');
  return payment;
}

/**
 * Takes a receipt off its payment: by its holder, who manages cards, or who added it.
 * @throws DomainError cardReceiptNotFound
 */
export async function removeReceipt(
  tx: Tx,
  context: SignedInContext,
  { id }: Body<typeof removeCardReceipt>,
): Promise<OutputInput<typeof removeCardReceipt>> {
  const { purchaseId, cardId } = await takeOff(tx, context, id);
  if (purchaseId !== null) await setWithoutReceipt(tx, purchaseId);
  await record(tx, context, 'cards.removeReceipt', cardId, { transactionId: purchaseId });
  return { id };
}

/** @throws DomainError cardReceiptNotFound, cardReceiptFileUnknown, idTaken */
export async function replaceReceipt(
  tx: Tx,
  context: SignedInContext,
  { id, newId: next, fileId }: Body<typeof replaceCardReceipt>,
): Promise<OutputInput<typeof replaceCardReceipt>> {
  const { session } = context;
  if (!(await isOwnFile(tx, fileId, session.userId))) throw new DomainError('cardReceiptFileUnknown');
  if (await findRepeated(tx, context, { id: next, fileId })) return { id: next };
  const { purchaseId, cardId } = await takeOff(tx, context, id);
  if (purchaseId === null) throw new DomainError('cardReceiptNotFound');
  const said = { amount: null, date: null, merchant: '' };
  await insert(tx, { id: next, fileId, purchaseId, ...said, addedBy: session.userId });
  await setReceiptState(tx, purchaseId, 'matched');
  await record(tx, context, 'cards.replaceReceipt', cardId, { transactionId: purchaseId });
  return { id: next };
}

/** @throws DomainError cardReceiptNotFound, also where another request takes it off at the same time */
async function takeOff(tx: Tx, { session }: SignedInContext, id: string): Promise<ReceiptRow> {
  const receipt = await findReceipt(tx, id);
  if (!receipt || !mayChange(receipt, session)) throw new DomainError('cardReceiptNotFound');
  if (receipt.purchaseId !== null) await lockPurchase(tx, receipt.purchaseId);
  if (!(await removeReceiptRow(tx, id))) throw new DomainError('cardReceiptNotFound');
  return receipt;
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

/**
 * The stored receipt. Its name is what was uploaded, its type what its bytes say. A file that was stored another way is stripped here.
 * @throws DomainError cardReceiptNotFound
 */
export async function downloadReceipt(context: OpenContext & FilesPorts, { id }: { id: string }): Promise<FileAnswer> {
  const { database, session } = context;
  const { file, fileId } = await database.withCompany(
    session.companyId,
    async (tx) => {
      const receipt = await findReceipt(tx, id);
      const mayRead = receipt !== null && [receipt.holderId, receipt.addedBy].includes(session.userId);
      if (!receipt || !(mayRead || session.permissions.includes('card.view')))
        throw new DomainError('cardReceiptNotFound');
      return { file: (await findFiles(tx, [receipt.fileId]))[0], fileId: receipt.fileId };
    },
    { readOnly: true },
  );
  invariant(file, 'a receipt has its file');
  const bytes = await readFile(context, fileId);
  return { name: file.name, type: file.type, content: withoutMetadata(file.type, bytes) ?? bytes };
}

export async function countMissingReceipts(
  tx: Tx,
  { session }: SignedInContext,
): Promise<OutputInput<typeof countMissingCardReceipts>> {
  const { mine, company } = await countMissing(tx, session.userId);
  return { mine, company: session.permissions.includes('card.view') ? company : null };
}

async function record(
  tx: Tx,
  context: SignedInContext,
  action: 'cards.addReceipt' | 'cards.removeReceipt' | 'cards.replaceReceipt' | 'cards.waiveReceipt',
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
