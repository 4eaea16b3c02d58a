import * as z from 'zod/mini';
import { call } from './call.ts';
import { maxAttachments } from './files-rules.ts';
import { codeMethods, verificationCode } from './identity.ts';
import { amountText, id, instant, text } from './ids.ts';
import { codeRecipients } from './organisation-rules.ts';
import { stages, transactionStatuses } from './transactions-rules.ts';
import { foreseenOutcomes, notesMaxLength } from './transfers-rules.ts';

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
    'payeeWaiting',
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
  /** `off`: no approval is needed; the last three: it would be refused, for want of a rule, of approvers, or of a fresh price. */
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
