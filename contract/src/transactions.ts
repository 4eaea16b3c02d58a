import * as z from 'zod/mini';
import { approvalOutcomes } from './approvals-rules.ts';
import { verificationAnswers } from './bank-payees-rules.ts';
import { call, nothing } from './call.ts';
import { cardDetail } from './card-detail.ts';
import { chosenFee, depositTerms } from './chain-detail.ts';
import { exchangeDetail } from './exchange-detail.ts';
import { file } from './files.ts';
import { amountText, chainId, coin, id, instant, page, pageQuery, text } from './ids.ts';
import { name } from './names.ts';
import { baseCurrencies } from './organisation-rules.ts';
import { chargeBearers, payoutForms } from './payments-rules.ts';
import {
  categoryMaxLength,
  invoiceNumberMaxLength,
  savedFilterMaxLength,
  stages,
  transactionDirections,
  transactionStatuses,
  transactionTypes,
} from './transactions-rules.ts';

export type { ChosenFee, DepositTerms } from './chain-detail.ts';
export type { ExchangeDetail } from './exchange-detail.ts';
export * from './transactions-rules.ts';

const party = z.object({ name: z.nullable(z.string()), account: z.nullable(z.string()) });

/** How much of a currency one whole unit was worth, a plain decimal; who said so, and when. */
const valuedBy = z.object({ rate: z.string(), source: z.string(), at: instant });

/** What something was worth when it was written; a null amount: no price was known. */
export const transactionValue = z.object({
  usd: z.nullable(z.string()),
  price: z.nullable(valuedBy),
  /** In the company's base currency; by the exchange rate of that moment, or of that day (UTC) where another currency was the base then. */
  base: z.object({
    currency: z.enum(baseCurrencies),
    amount: z.nullable(z.string()),
    rate: z.nullable(valuedBy),
    rateOf: z.nullable(z.enum(['moment', 'day'])),
  }),
});
export type TransactionValue = z.output<typeof transactionValue>;

export const transaction = z.object({
  id,
  type: z.enum(transactionTypes),
  status: z.enum(transactionStatuses),
  stage: z.enum(stages),
  createdAt: instant,
  updatedAt: instant,
  completedAt: z.nullable(instant),
  coin,
  decimals: z.number(),
  /** Null where the wallet is at a bank. */
  chain: z.nullable(chainId),
  /** The chain or the bank of its wallet, in the reader's language. */
  placeName: z.string(),
  walletId: id,
  /** Unsigned; `direction` says which way it went. */
  quantity: z.string(),
  direction: z.enum(transactionDirections),
  fee: z.string(),
  description: z.string(),
  payer: party,
  payee: party,
  payeeId: z.nullable(id),
  /** Until when the payee's account counted as a changed one when it was submitted; null: it did not. */
  payeeChangedUntil: z.nullable(instant),
  exchangeRate: z.nullable(z.string()),
  estimatedCredited: z.nullable(z.string()),
  actualCredited: z.nullable(z.string()),
  hash: z.nullable(z.string()),
  /** Blocks on top, and how many are needed; null before the chain has it. */
  confirmations: z.nullable(z.number()),
  confirmationsNeeded: z.nullable(z.number()),
  initiator: z.nullable(z.string()),
  value: transactionValue,
  /** The other row of a pair: a refund's transfer, a cancelled transfer's refund. */
  relatedId: z.nullable(id),
  /** The invoice that it pays, and what it is filed under; null where none was given. */
  invoiceNumber: z.nullable(z.string()),
  category: z.nullable(z.string()),
});
export type Transaction = z.output<typeof transaction>;

export const timelineEntry = z.object({
  stage: z.enum(stages),
  at: instant,
  /** A person's name, or null for the system. */
  actor: z.nullable(z.string()),
  /** What belongs to the stage: the hash of a broadcast, the reason of a failure. */
  hash: z.nullable(z.string()),
  reason: z.nullable(z.string()),
  confirmations: z.nullable(z.number()),
});
export type TimelineEntry = z.output<typeof timelineEntry>;

/** What an approver decided of it. */
export const transactionDecision = z.object({
  name: z.string(),
  outcome: z.enum(approvalOutcomes),
  at: instant,
  /** The person on leave in whose place it was decided. */
  deputyFor: z.nullable(z.string()),
});
export type TransactionDecision = z.output<typeof transactionDecision>;

/** A small transfer that was sent first, to see that it arrives. Amounts in whole coins. */
export const transferTest = z.object({
  /** What test and rest come to together. */
  total: z.string(),
  rest: z.string(),
  /** The transfer of the rest that is on its way or has arrived; null: none yet, or it failed. */
  restId: z.nullable(id),
});

/** Why a bank refused a payment or sent it back. */
export const bankReason = z.object({
  /** The bank's code, as AC04; null where it gave none. */
  code: z.nullable(z.string()),
  /** What it means, in the reader's language. */
  sentence: z.nullable(z.string()),
  /** The bank's own words. */
  words: z.nullable(z.string()),
});
export type BankReason = z.output<typeof bankReason>;

/** What the bank said of a payment, and when. */
const bankAnswer = z.object({
  /** The bank's code of its state, as ACSP, and of its reason, as AC04; null where it gave none. */
  status: z.nullable(z.string()),
  reason: z.nullable(z.string()),
  /** The reason in the reader's language. */
  sentence: z.nullable(z.string()),
  /** The bank's own words. */
  words: z.nullable(z.string()),
  at: instant,
});

export const payoutDetail = z.object({
  form: z.enum(payoutForms),
  /** What the payee is credited, and the fee of the way; of a payment out of coins both were bought. */
  paid: z.object({ asset: z.string(), decimals: z.number(), amount: z.string(), fee: z.string() }),
  bankName: z.string(),
  /** The holder's name as it was sent, and the account as people read it. */
  payeeName: z.string(),
  payeeBank: z.nullable(z.string()),
  payeeCountry: z.string(),
  /** As in `bank-payees.ts`. */
  fields: z.array(z.object({ name: z.string(), label: z.string(), value: z.string() })),
  way: z.string(),
  charges: z.enum(chargeBearers),
  purpose: z.nullable(z.string()),
  /** What the payee reads. */
  remittance: z.nullable(z.string()),
  /** The account was a changed one when it was submitted, until then. */
  changedUntil: z.nullable(instant),
  /** The account before the change. */
  accountBefore: z.nullable(z.object({ name: z.string(), account: z.string(), country: z.string() })),
  /** What the payee's bank said of the name; `at`: when it was asked for this payment, null where it said so before. */
  verification: z.nullable(
    z.object({ answer: z.enum(verificationAnswers), bankName: z.nullable(z.string()), at: z.nullable(instant) }),
  ),
  expected: z.object({ earliest: z.iso.date(), latest: z.iso.date() }),
  /** UUID of the payment through all banks (SWIFT gpi); null where its bank takes none. */
  uetr: z.nullable(id),
  /** How banks and payee name it (EndToEndId). */
  endToEndId: z.string(),
  /** The message to the bank that has it, and the file; null until it is instructed. */
  messageId: z.nullable(z.string()),
  fileName: z.nullable(z.string()),
  /** The id that a bank with an HTTP API gave it. */
  transferId: z.nullable(z.string()),
  answers: z.array(bankAnswer),
});
export type PayoutDetail = z.output<typeof payoutDetail>;

export const transactionDetail = z.extend(transaction, {
  /** Its value as it was kept in the base currency of then; null where that is still the base currency, or none was kept. */
  recordedValue: z.nullable(z.object({ currency: z.string(), amount: z.string() })),
  /** What it was exchanged for; null for types that exchange nothing. */
  exchange: z.nullable(
    z.object({
      asset: z.string(),
      quantity: z.string(),
      /** Whole units of that asset for one whole unit of this one. */
      rate: z.nullable(z.string()),
      rateSource: z.nullable(z.string()),
      rateAt: z.nullable(instant),
      quoteId: z.nullable(id),
    }),
  ),
  /** The day from which it counts; null where that is the day of its completion. */
  valueDate: z.nullable(z.string()),
  /** The bank's own name of the payment. */
  bankReference: z.nullable(z.string()),
  timeline: z.array(timelineEntry),
  /** What it waits for now, in the reader's language; null when finished. */
  waitingFor: z.nullable(z.string()),
  waitingSince: z.nullable(instant),
  /** Something holds it up that does not pass of itself: a held address, a payment before it that is not explained. */
  heldUp: z.boolean(),
  /** About when it will be final; null before it is sent, while something holds it up, and once the moment has passed. */
  expectedAt: z.nullable(instant),
  attachments: z.array(file),
  notes: z.string(),
  /** The broadcast hashes, the newest first; more than one after a fee replacement. */
  hashes: z.array(z.string()),
  explorerUrl: z.nullable(z.string()),
  /** Null as long as no block has it. */
  blockNumber: z.nullable(z.number()),
  /** Of a transfer whose network fee was a choice. */
  networkFee: z.nullable(chosenFee),
  /** Of a deposit that is seen before a block has it. */
  waiting: z.nullable(depositTerms),
  cancellable: z.boolean(),
  /** The approval that it had to pass; null when none was asked for. */
  approvalTaskId: z.nullable(id),
  /** Who decided on it, the earliest first; empty where no approval was asked for, or none is decided yet. */
  decisions: z.array(transactionDecision),
  /** Null where it is no test transfer. */
  test: z.nullable(transferTest),
  /** The test transfer whose rest it is; null: of none. */
  restOf: z.nullable(id),
  failureReason: z.nullable(z.string()),
  /** Of a payment that a bank refused or sent back, and of the refund of one. */
  bankReason: z.nullable(bankReason),
  /** Of a payment out of a bank. */
  payout: z.nullable(payoutDetail),
  /** Of either side of an exchange. */
  exchanged: z.nullable(exchangeDetail),
  /** The row of a batch that it pays; null: it is of none. */
  batch: z.nullable(z.object({ id, name: z.string(), runId: id, runNumber: z.number(), row: z.number() })),
  /** The guaranteed trade whose seller it pays; null: of none. `milestone`: its name, where it pays one. */
  trade: z.nullable(z.object({ id, number: z.string(), milestone: z.nullable(z.string()) })),
  /** The payment request that it pays, or is a refund of; null: it is of none. */
  paymentRequest: z.nullable(z.object({ id, title: z.string(), reference: z.string() })),
  /** Of a purchase by card or a refund of one. */
  card: z.nullable(cardDetail),
});
export type TransactionDetail = z.output<typeof transactionDetail>;

const filters = {
  type: z.optional(z.enum(transactionTypes)),
  status: z.optional(z.enum(transactionStatuses)),
  coin: z.optional(coin),
  walletId: z.optional(id),
  from: z.optional(instant),
  to: z.optional(instant),
  amountMin: z.optional(amountText),
  amountMax: z.optional(amountText),
  keyword: z.optional(text(128)),
  /** As it is written in the list of categories. */
  category: z.optional(text(categoryMaxLength)),
  /** A part of it is enough. */
  invoiceNumber: z.optional(text(invoiceNumberMaxLength)),
  /** Those that pay rows of this batch, or of one of its runs. */
  batchId: z.optional(id),
  batchRunId: z.optional(id),
  /** Those that pay this payment request, and refunds of it. */
  request: z.optional(id),
  /** Those that were paid by this card, or refunded to it. */
  cardId: z.optional(id),
  sort: z.optional(z.enum(['time', 'amount'])),
  order: z.optional(z.enum(['asc', 'desc'])),
};

export const listTransactions = call({
  name: 'listTransactions',
  method: 'GET',
  path: '/web/crypto/transaction',
  summary: 'Transactions of the company; amounts are compared in whole coins.',
  access: 'transaction.view',
  query: z.strictObject({ ...pageQuery, ...filters }),
  output: page(transaction),
  errors: ['cursorInvalid'],
});

export const exportTransactions = call({
  name: 'exportTransactions',
  method: 'GET',
  path: '/web/crypto/transaction/export',
  summary: 'The filtered list as CSV (UTF-8 with byte order mark, formulas neutralised), at most 50,000 rows.',
  access: 'transaction.export',
  query: z.strictObject(filters),
  output: z.null(),
  answer: 'file',
  errors: ['exportTooLarge'],
});

export const getTransaction = call({
  name: 'getTransaction',
  method: 'GET',
  path: '/web/crypto/transaction/{id}',
  summary: 'One transaction with its timeline.',
  access: 'transaction.view',
  params: z.object({ id }),
  output: transactionDetail,
  errors: [],
});

export const downloadReceipt = call({
  name: 'downloadReceipt',
  method: 'GET',
  path: '/web/crypto/transaction/{id}/receipt',
  summary: 'The receipt of one transaction as PDF, in the language of the request.',
  access: 'transaction.view',
  params: z.object({ id }),
  output: z.null(),
  answer: 'file',
  errors: [],
});

export const listCategories = call({
  name: 'listCategories',
  method: 'GET',
  path: '/web/crypto/transaction/category',
  summary: 'The categories that the company has filed transactions under, in alphabetical order.',
  access: 'transaction.view',
  output: z.array(z.object({ id, name: z.string() })),
  errors: [],
});

export const deleteCategory = call({
  name: 'deleteCategory',
  method: 'DELETE',
  path: '/web/crypto/transaction/category/{id}',
  summary: 'Takes a category out of the list; transactions that are filed under it keep it.',
  access: 'transfer.create',
  params: z.object({ id }),
  output: nothing,
  errors: ['notFound'],
});

const savedFilter = z.object({
  id,
  name: z.string(),
  /** As the address of the list has them. */
  filters: z.record(z.string(), z.string()),
});
export type SavedFilter = z.output<typeof savedFilter>;

export const listSavedFilters = call({
  name: 'listSavedFilters',
  method: 'GET',
  path: '/web/crypto/transaction/saved-filter',
  summary: 'The filters of this list that the caller has saved, by name.',
  access: 'transaction.view',
  output: z.array(savedFilter),
  errors: [],
});

const filterText = z.optional(text(128));

export const saveFilter = call({
  name: 'saveFilter',
  method: 'POST',
  path: '/web/crypto/transaction/saved-filter',
  summary: 'Saves filters of this list under a name, for the caller alone.',
  access: 'transaction.view',
  body: z.strictObject({
    id: z.optional(id),
    name: name(savedFilterMaxLength),
    /** Days are `YYYY-MM-DD` of the reader’s calendar. */
    filters: z.strictObject({
      keyword: filterText,
      type: filterText,
      status: filterText,
      coin: filterText,
      walletId: filterText,
      category: filterText,
      invoiceNumber: filterText,
      batchId: filterText,
      batchRunId: filterText,
      request: filterText,
      cardId: filterText,
      from: filterText,
      to: filterText,
      amountMin: filterText,
      amountMax: filterText,
      sort: filterText,
      order: filterText,
    }),
  }),
  output: savedFilter,
  errors: ['idTaken', 'savedFilterExists', 'tooManySavedFilters'],
});

export const deleteSavedFilter = call({
  name: 'deleteSavedFilter',
  method: 'DELETE',
  path: '/web/crypto/transaction/saved-filter/{id}',
  summary: 'Deletes a filter that the caller has saved.',
  access: 'transaction.view',
  params: z.object({ id }),
  output: nothing,
  errors: ['notFound'],
});
