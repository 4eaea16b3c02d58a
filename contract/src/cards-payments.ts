import * as z from 'zod/mini';
import { call } from './call.ts';
import { cardDay } from './cards-limits.ts';
import {
  cardDeclineReasons,
  cardForcedHows,
  cardMerchantMaxLength,
  cardNoteMaxLength,
  cardPaymentStates,
  cardReceiptStates,
  merchantGroupNames,
} from './cards-rules.ts';
import { file, fileTypes } from './files.ts';
import { amountText, asset, id, instant, page, pageQuery, text } from './ids.ts';

/** What cards paid, and the receipts of it (docs/adr/0102-…). Part of the feature cards. Amounts in whole units. */

export const cardPayment = z.object({
  /** Of the transaction; of a declined attempt its own. */
  id,
  transactionId: z.nullable(id),
  cardId: id,
  cardName: z.string(),
  lastFour: z.nullable(z.string()),
  holder: z.string(),
  state: z.enum(cardPaymentStates),
  reason: z.nullable(z.enum(cardDeclineReasons)),
  merchant: z.string(),
  /** ISO 18245. */
  mcc: z.string(),
  group: z.enum(merchantGroupNames),
  city: z.string(),
  /** ISO 3166-1; null where the merchant's is not known. */
  country: z.nullable(z.string()),
  online: z.nullable(z.boolean()),
  asset,
  decimals: z.number(),
  /** Asked for, or held and paid; of a refund what came back. */
  amount: z.string(),
  held: z.string(),
  paid: z.string(),
  /** In the merchant's currency and at the issuer's rate; null where it is the card's. */
  merchantAmount: z.nullable(z.string()),
  merchantCurrency: z.nullable(z.string()),
  rate: z.nullable(z.string()),
  /** Paid without having been approved, or beyond what was held. */
  forced: z.boolean(),
  /**
   * How: of `above` what was `taken` in all and how much of it had been `held`; otherwise what was `taken`, or approved by the issuer, in this way. Null where
   * it was not forced, or where a message that came later covers it.
   */
  forcedAs: z.nullable(z.object({ how: z.enum(cardForcedHows), taken: z.string(), held: z.string() })),
  receipt: z.enum(cardReceiptStates),
  receiptId: z.nullable(id),
  /** Null where there is no receipt. */
  receiptFile: z.nullable(z.object({ name: z.string(), type: z.enum(fileTypes), sizeBytes: z.number() })),
  /** Why there is none, as a person said. */
  receiptNote: z.string(),
  /** What the reader may do about its receipt: the holder and who manages cards add and change it, who added it changes it. */
  can: z.object({ addReceipt: z.boolean(), changeReceipt: z.boolean() }),
  at: instant,
  clearedAt: z.nullable(instant),
});
export type CardPayment = z.output<typeof cardPayment>;

export const listCardPayments = call({
  name: 'listCardPayments',
  method: 'GET',
  path: '/web/card/payments',
  summary:
    "Attempts to pay by card with what became of them, declined ones included, the latest first: of a member who may not see cards, of the member's own.",
  access: 'signed-in',
  query: z.strictObject({
    ...pageQuery,
    cardId: z.optional(id),
    state: z.optional(z.enum(cardPaymentStates)),
    receipt: z.optional(z.enum(cardReceiptStates)),
    /** Of the reader's own cards. */
    mine: z.optional(z.enum(['true'])),
    /** Part of the merchant's name. */
    search: z.optional(text(100)),
  }),
  output: page(cardPayment),
  errors: ['cardNotFound', 'cursorInvalid'],
});

const period = { from: cardDay, to: cardDay };

export const getCardStatement = call({
  name: 'getCardStatement',
  method: 'GET',
  path: '/web/card/{id}/statement',
  summary: 'What a card paid and was refunded in a period of at most a year, as CSV or PDF.',
  access: 'signed-in',
  params: z.object({ id }),
  query: z.strictObject({ ...period, format: z.enum(['csv', 'pdf']) }),
  output: z.null(),
  answer: 'file',
  errors: ['cardNotFound', 'cardPeriodInvalid'],
});

export const uploadCardReceipt = call({
  name: 'uploadCardReceipt',
  method: 'POST',
  path: '/web/card/receipt/upload',
  summary:
    'Stores the photo or file of a receipt (multipart field `file`: PDF, PNG or JPEG) without where and when it was taken, which `addCardReceipt` then adds to a payment.',
  access: 'signed-in',
  upload: true,
  output: file,
  errors: ['cardReceiptDamaged', 'cardReceiptHeic', 'fileEmpty', 'fileTooLarge', 'fileTypeNotAllowed', 'storageFull'],
});

export const addCardReceipt = call({
  name: 'addCardReceipt',
  method: 'POST',
  path: '/web/card/receipt/add',
  summary:
    'Adds a receipt, which was uploaded before, to a payment by card; to the one that fits amount, day and merchant where none is named. Where none or several fit, nothing is added, and they are listed. Repeated with the same id and file, it answers as before.',
  access: 'signed-in',
  body: z.strictObject({
    /** Chosen by the client. */
    id,
    fileId: id,
    /** Null: the payment is looked for. */
    paymentId: z.nullable(id),
    /** As the receipt says, in the card's or the merchant's currency. */
    amount: z.nullable(amountText),
    date: z.nullable(cardDay),
    merchant: z._default(text(cardMerchantMaxLength), ''),
  }),
  output: z.object({ id, paymentId: z.nullable(id), candidates: z.array(cardPayment) }),
  errors: ['cardPaymentNotFound', 'cardReceiptTaken', 'cardReceiptFileUnknown', 'idTaken'],
});

export const removeCardReceipt = call({
  name: 'removeCardReceipt',
  method: 'POST',
  path: '/web/card/receipt/remove',
  summary: 'Takes a receipt off its payment, which then lacks one.',
  access: 'signed-in',
  body: z.strictObject({ id }),
  output: z.object({ id }),
  errors: ['cardReceiptNotFound'],
});

export const waiveCardReceipt = call({
  name: 'waiveCardReceipt',
  method: 'POST',
  path: '/web/card/receipt/waive',
  summary: 'Says that a payment has no receipt, and why.',
  access: 'card.manage',
  body: z.strictObject({ paymentId: id, note: text(cardNoteMaxLength).check(z.minLength(1, 'field.required')) }),
  output: z.object({ paymentId: id }),
  errors: ['cardPaymentNotFound', 'cardReceiptTaken'],
});

export const exportCardReceipts = call({
  name: 'exportCardReceipts',
  method: 'GET',
  path: '/web/card/receipts/export',
  summary:
    'What cards paid in a period of at most a year, for the accountant: CSV with the names of the receipts’ files.',
  access: 'transaction.export',
  query: z.strictObject(period),
  output: z.null(),
  answer: 'file',
  errors: ['cardPeriodInvalid'],
});
