import * as z from 'zod/mini';
import { call } from './call.ts';
import { codeMethods, verificationCode } from './identity.ts';
import { amountText, id } from './ids.ts';
import { stages } from './transactions-rules.ts';
import { feeLevels } from './transfers-rules.ts';

export const refundPaymentRequest = call({
  name: 'refundPaymentRequest',
  method: 'POST',
  path: '/web/payment-request/refund',
  summary:
    'Gives a payment of a request back, or what of it is too much: a transfer to a payee of the company, with the code, the risk checks and the approvals of one.',
  access: 'transfer.create',
  confirms: 'transfer',
  movesMoney: true,
  body: z.strictObject({
    /** Of the transfer, which the code is bound to; chosen by the client. */
    id,
    requestId: id,
    /** The payment, by its transaction. */
    paymentId: id,
    payeeId: id,
    amount: amountText,
    /** Of the transfer, on top, out of what is available; refused with `feeChanged` when another is in force. */
    fee: amountText,
    /** Where the network fee is a choice, and there alone. */
    feeLevel: z.optional(z.enum(feeLevels)),
    codeMethod: z.enum(codeMethods),
    code: verificationCode,
  }),
  output: z.object({ id, requestId: id, stage: z.enum(stages) }),
  errors: [
    'addressIsToken',
    'addressOwn',
    'addressReserved',
    'amountAboveBalanceMinusFee',
    'amountAboveDailyLimit',
    'amountAboveTransferLimit',
    'amountBelowMinimum',
    'amountFormat',
    'amountTooLarge',
    'amountTooManyDecimals',
    'approvalNobodyCan',
    'approvalNoRule',
    'codeBurnt',
    'codeForAdministrator',
    'codeWrong',
    'coinNotOnChain',
    'companyFrozen',
    'feeChanged',
    'feeLevelMissing',
    'feeLevelUnknown',
    'feeRatesStale',
    'idTaken',
    'insufficientBalance',
    'mfaNotBound',
    'networkFeeUnknown',
    'payeeNotFound',
    'payeeUnusable',
    'payeeWaiting',
    'paymentRequestNotFound',
    'paymentRequestPaymentNotFound',
    'paymentRequestRefundTooHigh',
    'rateStale',
    'riskRefused',
    'tooManyCoins',
    'transferCodeMismatch',
    'walletFrozen',
    'walletNotFound',
    'withdrawalsPaused',
  ],
});
