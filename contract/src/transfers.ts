import * as z from 'zod/mini';
import { call } from './call.ts';
import { file } from './files.ts';
import { maxAttachments } from './files-rules.ts';
import { codeMethods, verificationCode } from './identity.ts';
import { amountText, chainId, coin, id, instant, page, pageQuery, text } from './ids.ts';
import { codeRecipients } from './organisation-rules.ts';
import { foreseenOutcomes, notesMaxLength, stages, transactionStatuses, transactionTypes } from './transfers-rules.ts';

export * from './transfers-rules.ts';

/** What a transfer is, apart from its proof: the content that codes, approvals and signatures are bound to. */
export const transferContent = z.strictObject({
  /** Chosen by the client, so that a repeated submit is the same transfer. */
  id,
  walletId: id,
  payeeId: id,
  amount: amountText,
  attachmentIds: z.array(id).check(z.maxLength(maxAttachments, 'field.tooManyAttachments')),
  notes: z.optional(text(notesMaxLength)),
});
export type TransferContent = z.output<typeof transferContent>;

const party = z.object({ name: z.nullable(z.string()), account: z.nullable(z.string()) });

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
  chain: z.nullable(chainId),
  chainName: z.nullable(z.string()),
  walletId: id,
  /** Unsigned; `direction` says which way it went. */
  quantity: z.string(),
  direction: z.enum(['in', 'out']),
  fee: z.string(),
  description: z.string(),
  payer: party,
  payee: party,
  payeeId: z.nullable(id),
  exchangeRate: z.nullable(z.string()),
  estimatedCredited: z.nullable(z.string()),
  actualCredited: z.nullable(z.string()),
  hash: z.nullable(z.string()),
  /** Blocks on top, and how many are needed; null before the chain has it. */
  confirmations: z.nullable(z.number()),
  confirmationsNeeded: z.nullable(z.number()),
  initiator: z.nullable(z.string()),
  /** The other row of a pair: a refund's transfer, a cancelled transfer's refund. */
  relatedId: z.nullable(id),
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

export const transactionDetail = z.extend(transaction, {
  timeline: z.array(timelineEntry),
  /** What it waits for now, in the reader's language; null when finished. */
  waitingFor: z.nullable(z.string()),
  waitingSince: z.nullable(instant),
  attachments: z.array(file),
  notes: z.string(),
  /** The broadcast hashes, the newest first; more than one after a fee replacement. */
  hashes: z.array(z.string()),
  explorerUrl: z.nullable(z.string()),
  blockNumber: z.nullable(z.number()),
  cancellable: z.boolean(),
  /** The approval that it had to pass; null when none was asked for. */
  approvalTaskId: z.nullable(id),
  failureReason: z.nullable(z.string()),
});
export type TransactionDetail = z.output<typeof transactionDetail>;

export const transferOut = call({
  name: 'transferOut',
  method: 'POST',
  path: '/web/crypto/transfer-out',
  summary: 'Sends crypto from a wallet to a saved payee; the amount arrives in full, the fee comes on top.',
  access: 'transfer.create',
  confirms: 'transfer',
  movesMoney: true,
  body: z.extend(transferContent, {
    /** The fee the person saw; refused with `feeChanged` when another is in force. */
    fee: amountText,
    codeMethod: z.enum(codeMethods),
    code: verificationCode,
  }),
  output: z.object({ id, status: z.enum(transactionStatuses), stage: z.enum(stages), createdAt: instant }),
  errors: [
    'amountFormat',
    'amountTooManyDecimals',
    'amountTooLarge',
    'amountBelowMinimum',
    'amountAboveBalanceMinusFee',
    'codeWrong',
    'codeBurnt',
    'codeForAdministrator',
    'coinNotOnChain',
    'feeChanged',
    'idTaken',
    'insufficientBalance',
    'mfaNotBound',
    'notFound',
    'payeeNotFound',
    'payeeUnusable',
    'addressOwn',
    'addressReserved',
    'addressIsToken',
    'transferCodeMismatch',
    'walletFrozen',
    'walletNotFound',
    'approvalNoRule',
    'approvalNobodyCan',
    'rateStale',
    'riskRefused',
  ],
});

/** What the company's rules would ask for, were it submitted now. */
export const foreseenReview = z.object({
  /** `off`: nobody is asked; the last three: it would be refused, for want of a rule, of people, or of a fresh price. */
  outcome: z.enum(foreseenOutcomes),
  /** The rule that would apply. */
  rule: z.nullable(z.string()),
  /** One after the other: for whom each would wait, in words. */
  steps: z.array(z.object({ needed: z.number(), waitingFor: z.string() })),
  /** Whom the code by mail would go to; while it goes to the administrators, an authenticator's does not do. */
  codeRecipient: z.enum(codeRecipients),
});
export type ForeseenReview = z.output<typeof foreseenReview>;

export const foreseeReview = call({
  name: 'foreseeReview',
  method: 'GET',
  path: '/web/crypto/transfer-out/review',
  summary: 'Who would have to approve a transfer of this amount, were it submitted now; it decides nothing.',
  access: 'transfer.create',
  query: z.strictObject({ walletId: id, amount: amountText }),
  output: foreseenReview,
  errors: ['amountFormat', 'amountTooManyDecimals', 'amountTooLarge', 'walletNotFound'],
});

export const cancelTransfer = call({
  name: 'cancelTransfer',
  method: 'PUT',
  path: '/web/crypto/transfer-cancel',
  summary: 'Cancels a transfer of one’s own until it is handed to signing; the hold is given back.',
  access: 'transfer.create',
  movesMoney: true,
  body: z.strictObject({ id }),
  output: z.object({ id, status: z.enum(transactionStatuses), stage: z.enum(stages), refundId: z.nullable(id) }),
  errors: ['notFound', 'transferNotCancellable', 'transferNotOwn'],
});

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
