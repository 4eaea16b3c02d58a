import * as z from 'zod/mini';
import { call } from './call.ts';
import { cardDay } from './cards-limits.ts';
import { cardPayment } from './cards-payments.ts';
import { id } from './ids.ts';

/** Receipts of what cards paid: seen, replaced, missing, and exported (docs/adr/0109-…). Part of the feature cards. */

export const getCardPayment = call({
  name: 'getCardPayment',
  method: 'GET',
  path: '/web/card/payment/{id}',
  summary: 'A purchase by card, with its receipt: of a member who may not see cards, one of their own.',
  access: 'signed-in',
  params: z.object({ id }),
  output: cardPayment,
  errors: ['cardPaymentNotFound'],
});

export const countMissingCardReceipts = call({
  name: 'countMissingCardReceipts',
  method: 'GET',
  path: '/web/card/receipts/missing',
  summary: 'How many payments by card lack a receipt.',
  access: 'signed-in',
  output: z.object({
    /** Of cards that the reader holds. */
    mine: z.number(),
    /** Of all cards of the company; null where the reader may not see cards. */
    company: z.nullable(z.number()),
  }),
  errors: [],
});

export const downloadCardReceipt = call({
  name: 'downloadCardReceipt',
  method: 'GET',
  path: '/web/card/receipt/{id}',
  summary: 'The receipt itself, always as an attachment: for who may see cards, the holder, and who added it.',
  access: 'signed-in',
  params: z.object({ id }),
  output: z.null(),
  answer: 'file',
  errors: ['cardReceiptNotFound'],
});

export const replaceCardReceipt = call({
  name: 'replaceCardReceipt',
  method: 'POST',
  path: '/web/card/receipt/replace',
  summary: 'Puts another receipt, which was uploaded before, in the place of one.',
  access: 'signed-in',
  body: z.strictObject({
    /** The receipt that is replaced. */
    id,
    /** Of the new one; chosen by the client. */
    newId: id,
    fileId: id,
  }),
  output: z.object({ id }),
  errors: ['cardReceiptNotFound', 'cardReceiptFileUnknown', 'idTaken'],
});

export const exportCardReceiptFiles = call({
  name: 'exportCardReceiptFiles',
  method: 'GET',
  path: '/web/card/receipts/archive',
  summary:
    'What cards paid in a period of at most a year, for the accountant: ZIP of the receipts, named by date, merchant, amount and transaction, beside a CSV that names the file of each payment.',
  access: 'transaction.export',
  query: z.strictObject({ from: cardDay, to: cardDay }),
  output: z.null(),
  answer: 'file',
  errors: ['cardPeriodInvalid'],
});
