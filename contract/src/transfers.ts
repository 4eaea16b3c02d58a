import * as z from 'zod/mini';
import { call } from './call.ts';
import { maxAttachments } from './files-rules.ts';
import { codeMethods, verificationCode } from './identity.ts';
import { amountText, id, instant, text } from './ids.ts';
import { name } from './names.ts';
import { codeRecipients } from './organisation-rules.ts';
import { categoryMaxLength, invoiceNumberMaxLength, stages, transactionStatuses } from './transactions-rules.ts';
import { feeLevels, foreseenOutcomes, foreseenStops, notesMaxLength } from './transfers-rules.ts';

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
    /**
     * What it is filed under. Neither code nor approvals are bound to it (decisions, "Transactions"): it says nothing of what leaves, and to whom.
     * A category that differs from one of the list in capitals alone is that one.
     */
    invoiceNumber: z.optional(name(invoiceNumberMaxLength)),
    category: z.optional(name(categoryMaxLength)),
    /** A test transfer: what test and rest are to come to together. */
    testTotal: z.optional(amountText),
    /** The test transfer whose rest this is; it must have arrived. */
    restOf: z.optional(id),
    /**
     * The fee the person saw; refused with `feeChanged` when another is in force. Where the network fee is a choice it is what the transfer pays,
     * and is refused only when it is far from what its level costs by now.
     */
    fee: amountText,
    /** Where the network fee is a choice (`listNetworkFees`), and there alone. */
    feeLevel: z.optional(z.enum(feeLevels)),
    codeMethod: z.enum(codeMethods),
    code: verificationCode,
  }),
  output: z.object({ id, status: z.enum(transactionStatuses), stage: z.enum(stages), createdAt: instant }),
  errors: [
    'amountFormat',
    'amountTooManyDecimals',
    'amountTooLarge',
    'amountBelowMinimum',
    'amountAboveTransferLimit',
    'amountAboveDailyLimit',
    'amountAboveBalanceMinusFee',
    'codeWrong',
    'codeBurnt',
    'codeForAdministrator',
    'coinNotOnChain',
    'feeChanged',
    'feeLevelMissing',
    'feeLevelUnknown',
    'networkFeeUnknown',
    'feeRatesStale',
    'tooManyCoins',
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
    'testNotArrived',
    'testOfAnother',
    'testRestSent',
    'testTotalTooSmall',
    'transferCodeMismatch',
    'walletFrozen',
    'walletNotFound',
    'withdrawalsPaused',
    'approvalNoRule',
    'approvalNobodyCan',
    'rateStale',
    'riskRefused',
  ],
});

/** What the company's rules and controls would make of it, were it submitted now. */
export const foreseenReview = z.object({
  /**
   * What would refuse it before approvals are asked for, with the sentence of that refusal in the reader's language; null: nothing, or no
   * payee was named to judge by.
   */
  stop: z.nullable(z.object({ by: z.enum(foreseenStops), sentence: z.string() })),
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
  summary:
    'What a transfer would meet, were it submitted now: what stops it, and who would have to approve it. It decides, counts and records nothing.',
  access: 'transfer.create',
  /** Without a payee the amount alone is looked at. */
  query: z.strictObject({ walletId: id, payeeId: z.optional(id), amount: amountText }),
  output: foreseenReview,
  errors: ['amountFormat', 'amountTooManyDecimals', 'amountTooLarge', 'payeeNotFound', 'walletNotFound'],
});

/** What a transfer would cost at one level; amounts in whole coins. */
export const networkFeeOption = z.object({
  level: z.enum(feeLevels),
  /** The whole fee: the network's and, where the operator takes one, the operator's. */
  fee: amountText,
  networkFee: amountText,
  /** Satoshis per virtual byte, at most three decimals. */
  feeRate: z.string(),
  /** Virtual bytes of the transaction. */
  vsize: z.number(),
  /** In US dollars; null while the coin has no price. */
  feeUsd: z.nullable(z.string()),
  /** What arrives: the amount asked for or, of everything, what the fee leaves. */
  amount: amountText,
  debited: amountText,
  /** About how long until a block takes it. */
  expectedSeconds: z.number(),
});
export type NetworkFeeOption = z.output<typeof networkFeeOption>;

export const listNetworkFees = call({
  name: 'listNetworkFees',
  method: 'GET',
  path: '/web/crypto/transfer-out/network-fees',
  summary:
    'What a transfer would pay for its block, by how soon it is to be taken, computed over the coins that it would spend. On a chain whose fee is no choice the list is empty.',
  access: 'transfer.create',
  /** `all`: everything that can be sent, less the fee; otherwise `amount`. Without a payee the largest kind of address is counted. */
  query: z.strictObject({
    walletId: id,
    payeeId: z.optional(id),
    amount: z.optional(amountText),
    all: z.optional(z.literal('true')),
  }),
  output: z.object({
    items: z.array(networkFeeOption),
    /** Coins that stay behind when everything is sent, since spending them costs more than they are worth; null: none. */
    leftBehind: z.nullable(z.object({ coins: z.number(), amount: amountText })),
    /** When these rates were published. */
    publishedAt: z.nullable(instant),
  }),
  errors: [
    'amountFormat',
    'amountTooManyDecimals',
    'amountTooLarge',
    'amountAboveBalanceMinusFee',
    'networkFeeUnknown',
    'feeRatesStale',
    'payeeNotFound',
    'tooManyCoins',
    'walletNotFound',
  ],
});

/** What it would take to have a waiting transfer's block sooner; amounts in whole coins. */
export const speedUpOffer = z.object({
  /** As it is. */
  fee: amountText,
  feeRate: z.string(),
  /** As it would be: the whole fee, of which `extra` is new. */
  newFee: amountText,
  newFeeRate: z.string(),
  extra: amountText,
  /** In US dollars; null while the coin has no price. */
  extraUsd: z.nullable(z.string()),
  expectedSeconds: z.number(),
});
export type SpeedUpOffer = z.output<typeof speedUpOffer>;

const speedUpErrors = [
  'notFound',
  'networkFeeUnknown',
  'feeRatesStale',
  'speedUpUnavailable',
  'transferNotOwn',
] as const;

export const quoteSpeedUp = call({
  name: 'quoteSpeedUp',
  method: 'GET',
  path: '/web/crypto/transfer-speed-up',
  summary: 'What a transfer that waits for a block would pay to be taken into the next one.',
  access: 'transfer.create',
  query: z.strictObject({ id }),
  output: speedUpOffer,
  errors: [...speedUpErrors],
});

export const speedUpTransfer = call({
  name: 'speedUpTransfer',
  method: 'POST',
  path: '/web/crypto/transfer-speed-up',
  summary:
    'Raises the network fee of a transfer of one’s own that waits for a block: a dearer transaction that pays the same takes its place. The extra fee is held at once.',
  access: 'transfer.create',
  movesMoney: true,
  /** `fee`: the new fee that the person saw; refused with `feeChanged` when the offer is another by now. */
  body: z.strictObject({ id, fee: amountText }),
  output: z.object({ id, fee: amountText, stage: z.enum(stages) }),
  errors: [
    ...speedUpErrors,
    'amountFormat',
    'amountTooManyDecimals',
    'amountTooLarge',
    'feeChanged',
    'insufficientBalance',
    'walletFrozen',
  ],
});

/** What the acceleration of a deposit costs at one level. */
export const accelerationOption = z.object({
  level: z.enum(feeLevels),
  fee: amountText,
  /** What the miner gets for each virtual byte of both transactions. */
  feeRate: z.string(),
  /** In US dollars; null while the coin has no price. */
  feeUsd: z.nullable(z.string()),
  /** What the deposit is worth after it. */
  worth: amountText,
  expectedSeconds: z.number(),
});
export type AccelerationOption = z.output<typeof accelerationOption>;

const accelerationErrors = [
  'notFound',
  'networkFeeUnknown',
  'feeRatesStale',
  'accelerationUnavailable',
  'accelerationNotNeeded',
  'accelerationTooSmall',
] as const;

export const quoteAcceleration = call({
  name: 'quoteAcceleration',
  method: 'GET',
  path: '/web/crypto/deposit-acceleration',
  summary: 'What it would cost to have a deposit that waits for a block taken into one sooner, at each level.',
  access: 'transfer.create',
  query: z.strictObject({ depositId: id }),
  output: z.object({
    /** What the deposit pays now, in satoshis per virtual byte, with all that it needs before. */
    feeRate: z.string(),
    /** The levels that pay more than that. */
    items: z.array(accelerationOption),
    walletId: id,
  }),
  errors: [...accelerationErrors],
});

export const accelerateDeposit = call({
  name: 'accelerateDeposit',
  method: 'POST',
  path: '/web/crypto/deposit-acceleration',
  summary:
    'Accelerates a deposit that waits for a block: a transaction of the company’s spends its output to the company’s change and pays the miner for both. The fee is held at once.',
  access: 'transfer.create',
  movesMoney: true,
  /** `id`: of the acceleration, chosen by the client. `fee`: what the person saw; refused with `feeChanged` when its level costs another by now. */
  body: z.strictObject({ id, depositId: id, feeLevel: z.enum(feeLevels), fee: amountText }),
  output: z.object({ id, fee: amountText, stage: z.enum(stages) }),
  errors: [
    ...accelerationErrors,
    'amountFormat',
    'amountTooManyDecimals',
    'amountTooLarge',
    'coinNotOnChain',
    'feeChanged',
    'idTaken',
    'insufficientBalance',
    'walletFrozen',
    'withdrawalsPaused',
  ],
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
