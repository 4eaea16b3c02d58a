import * as z from 'zod/mini';
import { bankPayeeVersion } from './bank-payees.ts';
import { call } from './call.ts';
import { exchangeQuote } from './exchange.ts';
import { exchangeStops } from './exchange-rules.ts';
import { maxAttachments } from './files-rules.ts';
import { codeMethods, verificationCode } from './identity.ts';
import { amountText, asset, id, instant, text } from './ids.ts';
import { name } from './names.ts';
import { chargeBearers, payoutForms, payoutRoutes, purposes, remittanceMaxLength } from './payments-rules.ts';
import { categoryMaxLength, invoiceNumberMaxLength, stages, transactionStatuses } from './transactions-rules.ts';
import { foreseenReview } from './transfers.ts';
import { notesMaxLength } from './transfers-rules.ts';

export * from './payments-rules.ts';

/** Payments out of a wallet at a bank to a saved bank account (decisions, "Payments"). */

const remittance = z.optional(text(remittanceMaxLength));
const terms = {
  /** Who bears the charges of the banks; what the way offers. */
  charges: z.optional(z.enum(chargeBearers)),
  /** ISO 20022's external list "Purpose"; needed where the country asks for it. */
  purpose: z.optional(z.enum(purposes)),
  /** What the payee reads. A reference of theirs (ISO 11649) alone travels in the field for it. */
  remittance,
};

/** Whom a payment pays, how much, and what goes with it. */
const paying = {
  payeeId: id,
  /** The payee's account as the person saw it; refused with `payeeAccountChanged` once another has taken its place. */
  versionId: id,
  amount: amountText,
  ...terms,
  attachmentIds: z.array(id).check(z.maxLength(maxAttachments, 'field.tooManyAttachments')),
  /** For the company itself; the payee never sees them. */
  notes: z.optional(text(notesMaxLength)),
};

/** What a payment is, apart from its proof: the content that codes and approvals are bound to. */
export const payoutContent = z.strictObject({
  /** Chosen by the client, so that a repeated submit is the same payment. */
  id,
  form: z.enum(payoutForms),
  walletId: id,
  ...paying,
});
export type PayoutContent = z.output<typeof payoutContent>;

/**
 * What a payment out of a coin wallet is, apart from its proof: the payee is credited exactly the amount, in the currency of the payee's account, and what it
 * costs is quoted.
 */
export const cryptoPayoutContent = z.strictObject({
  id,
  /** Of the coin that pays. */
  walletId: id,
  /** Of the payee's currency: its bank pays, and what comes back is credited there. */
  bankWalletId: id,
  /** The most of the coin that leaves, fee included. */
  bound: amountText,
  ...paying,
});
export type CryptoPayoutContent = z.output<typeof cryptoPayoutContent>;

const proven = {
  invoiceNumber: z.optional(name(invoiceNumberMaxLength)),
  category: z.optional(name(categoryMaxLength)),
  /** The fee the person saw; refused with `feeChanged` when another is in force. */
  fee: amountText,
  codeMethod: z.enum(codeMethods),
  code: verificationCode,
};

/** What refuses the content of a payment, by either call. */
const contentErrors = [
  'amountFormat',
  'amountTooManyDecimals',
  'amountTooLarge',
  'walletNotFound',
  'payoutNotAtBank',
  'payeeNotFound',
] as const;

const submitErrors = [
  ...contentErrors,
  'amountBelowMinimum',
  'amountAboveTransferLimit',
  'amountAboveDailyLimit',
  'amountAboveBalanceMinusFee',
  'approvalNoRule',
  'approvalNobodyCan',
  'bankAccountOwn',
  'chargesNotOffered',
  'codeWrong',
  'codeBurnt',
  'codeForAdministrator',
  'currencyNotAtBank',
  'feeChanged',
  'idTaken',
  'insufficientBalance',
  'mfaNotBound',
  'notFound',
  'payeeAccountChanged',
  'payeeAddressLacking',
  'payeeNameLatin',
  'payeeOtherCurrency',
  'payeeUnusable',
  'payeeWaiting',
  'payoutPurposeNeeded',
  'payoutWayClosed',
  'payoutsPaused',
  'rateStale',
  'remittanceCharacters',
  'remittanceTooLong',
  'riskRefused',
  'transferCodeMismatch',
  'walletFrozen',
] as const;

const submitted = z.object({ id, status: z.enum(transactionStatuses), stage: z.enum(stages), createdAt: instant });

export const fiatTransferOut = call({
  name: 'fiatTransferOut',
  method: 'POST',
  path: '/web/crypto/fiat-transfer-out',
  summary:
    'Sends a currency from a wallet at a bank to the bank account of a saved payee; the amount leaves in full, the fee comes on top.',
  access: 'transfer.create',
  confirms: 'payout',
  movesMoney: true,
  body: z.extend(payoutContent, { form: z.literal('transfer'), ...proven }),
  output: submitted,
  errors: submitErrors,
});

export const createPayment = call({
  name: 'createPayment',
  method: 'POST',
  path: '/web/crypto/payment',
  summary: 'Pays a business counterparty from a wallet of the same currency, with up to five PDF vouchers.',
  access: 'transfer.create',
  confirms: 'payout',
  movesMoney: true,
  body: z.extend(payoutContent, { form: z.literal('payment'), kind: z.literal('fiat_payout'), ...proven }),
  output: submitted,
  errors: [...submitErrors, 'voucherNotPdf'],
});

/** What the exchange of a payment out of coins may be refused with. */
const coinErrors = ['exchangePairOff', 'exchangeSameWallet', 'exchangeTooSmall', 'quoteUnavailable'] as const;

export const createCryptoPayment = call({
  name: 'createCryptoPayment',
  method: 'POST',
  path: '/web/crypto/payment/coins',
  summary:
    'Pays a business counterparty out of a coin wallet at a quote: the payee is credited exactly the amount. Without review the coins are sold at once; with it, at the rate of the moment of approval within the bound.',
  access: 'transfer.create',
  confirms: 'cryptoPayout',
  movesMoney: true,
  body: z.extend(cryptoPayoutContent, { kind: z.literal('crypto_payout'), quoteId: id, ...proven }),
  output: submitted,
  errors: [
    ...submitErrors,
    ...coinErrors,
    'voucherNotPdf',
    'exchangeOutOfBound',
    'quoteExpired',
    'quoteNotFound',
    'quoteOfAnother',
    'quoteUsed',
  ],
});

export const cryptoPayoutQuote = z.extend(exchangeQuote, {
  /** What the payee is credited, and the fee of its way beside it: both are bought, in the payee's currency. */
  payout: z.object({ asset, decimals: z.number(), amount: z.string(), fee: z.string() }),
});
export type CryptoPayoutQuote = z.output<typeof cryptoPayoutQuote>;

export const quoteCryptoPayment = call({
  name: 'quoteCryptoPayment',
  method: 'POST',
  path: '/web/crypto/payment/coins/quote',
  summary:
    'What a payment out of a coin wallet costs, firm for half a minute and for one use, and what the company’s rules would make of it; moves nothing.',
  access: 'transfer.create',
  body: z.strictObject({ walletId: id, bankWalletId: id, payeeId: id, amount: amountText, ...terms }),
  output: cryptoPayoutQuote,
  errors: [...contentErrors, ...coinErrors, 'payeeOtherCurrency', 'payoutWayClosed', 'walletFrozen'],
});

export const getCryptoPaymentOptions = call({
  name: 'getCryptoPaymentOptions',
  method: 'GET',
  path: '/web/crypto/payment/coins/options',
  summary: 'The coin wallets that can pay a payee, and through which wallet at a bank; and why one of them cannot now.',
  access: 'transfer.create',
  query: z.strictObject({ payeeId: id }),
  output: z.object({
    currency: asset,
    /** Of the payee's currency; none: one has to be opened before, since what comes back is credited there. */
    banks: z.array(z.object({ walletId: id, placeName: z.string(), cannotPay: z.nullable(z.enum(exchangeStops)) })),
    coins: z.array(
      z.object({
        walletId: id,
        asset,
        decimals: z.number(),
        placeName: z.string(),
        available: z.string(),
        cannotPay: z.nullable(z.enum(exchangeStops)),
      }),
    ),
  }),
  errors: ['payeeNotFound'],
});

export const cancelPayout = call({
  name: 'cancelPayout',
  method: 'PUT',
  path: '/web/crypto/payment/cancel',
  summary:
    'Cancels a payment of one’s own until the bank is instructed, one out of coins until it is approved; the hold is given back.',
  access: 'transfer.create',
  movesMoney: true,
  body: z.strictObject({ id }),
  output: z.object({ id, status: z.enum(transactionStatuses), stage: z.enum(stages), refundId: z.nullable(id) }),
  errors: ['notFound', 'payoutNotCancellable', 'payoutNotOwn'],
});

/** A text as the payee's bank will read it. */
const printed = z.object({ text: z.string(), lost: z.array(z.string()) });

const arrival = z.object({
  /** The day from which the bank counts. */
  counted: z.iso.date(),
  earliest: z.iso.date(),
  latest: z.iso.date(),
  /** False where the holidays of a year on the way are not published yet, so that its weekdays counted as working days. */
  certain: z.boolean(),
});

/** What a payment would be, were it submitted now. */
export const payoutOutlook = z.object({
  asset,
  decimals: z.number(),
  bankName: z.string(),
  available: z.string(),
  fee: z.string(),
  minimum: z.string(),
  /** The most at once; null: no limit of the operator's. */
  transferLimit: z.nullable(z.string()),
  /** The most within a day of the company's time zone, without fees; null: no limit of the operator's. */
  dailyLimit: z.nullable(z.string()),
  /** The account that would be paid, and the one before it while the payee counts as changed. */
  account: bankPayeeVersion,
  before: z.nullable(bankPayeeVersion),
  changedUntil: z.nullable(instant),
  route: z.enum(payoutRoutes),
  charges: z.array(z.enum(chargeBearers)),
  isPurposeNeeded: z.boolean(),
  remittance: z.object({
    /** Characters that the way carries. */
    most: z.number(),
    /** What will be printed; null where nothing was written. */
    printed: z.nullable(printed),
    /** It travels as the payee's reference (ISO 11649). */
    isReference: z.boolean(),
  }),
  /** The payee's name as it will be sent. */
  nameSent: printed,
  arrival,
  /** Null until an amount is named. */
  review: z.nullable(foreseenReview),
});
export type PayoutOutlook = z.output<typeof payoutOutlook>;

export const foreseePayout = call({
  name: 'foreseePayout',
  method: 'GET',
  path: '/web/crypto/payment/outlook',
  summary:
    'What a payment would be, were it submitted now: fee, arrival, what the payee reads, what stops it, who would have to approve it. It decides, counts and records nothing.',
  access: 'transfer.create',
  query: z.strictObject({
    form: z.enum(payoutForms),
    walletId: id,
    payeeId: id,
    amount: z.optional(amountText),
    ...terms,
  }),
  output: payoutOutlook,
  errors: [...contentErrors, 'payeeOtherCurrency', 'payoutWayClosed', 'currencyNotAtBank'],
});
