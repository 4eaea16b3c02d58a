import * as z from 'zod/mini';
import { call } from './call.ts';
import { file } from './files.ts';
import { amountText, asset, id, instant, page, pageQuery, text } from './ids.ts';
import { arrivingStatuses, maxProofs, rechargeRemarkMaxLength, rechargeStatuses } from './recharges-rules.ts';
import { bankAccount } from './wallets.ts';

export * from './recharges-rules.ts';

/** When money is expected at the bank, by working days of the currency and of the bank's home. */
const arrival = z.object({
  /** The day from which the bank counts. */
  counted: z.iso.date(),
  earliest: z.iso.date(),
  latest: z.iso.date(),
  /** False where the holidays of a year on the way are not published yet, so that its weekdays counted as working days. */
  certain: z.boolean(),
});

export const funding = z.object({
  walletId: id,
  asset,
  decimals: z.number(),
  bankName: z.string(),
  /** For payers outside of where the other is read; null where it is the same. */
  bankEnglishName: z.nullable(z.string()),
  bankAddress: z.string(),
  account: bankAccount,
  /** ISO 11649, without spaces; the company's own for this account. */
  reference: z.string(),
  minimum: z.string(),
  /** Taken from what arrives. */
  fee: z.string(),
  /** IANA: where `cutOff` is meant. */
  timeZone: z.string(),
  /** `HH:MM`: a payment that reaches the bank at this time or later counts as of the next working day. */
  cutOff: z.string(),
  /** Today where the bank is. */
  today: z.iso.date(),
  /** Of a payment that is made now. */
  expected: arrival,
});
export type Funding = z.output<typeof funding>;

export const getFunding = call({
  name: 'getFunding',
  method: 'GET',
  path: '/web/crypto/wallets/{id}/funding',
  summary:
    'What a payer has to write to pay into a wallet at a bank, with minimum, fee, and when a payment made now is expected.',
  access: 'wallet.view',
  params: z.object({ id }),
  output: funding,
  errors: ['walletNotFound', 'rechargeNotAtBank', 'bankUnknown', 'currencyNotAtBank', 'rechargesPaused'],
});

export const downloadFunding = call({
  name: 'downloadFunding',
  method: 'GET',
  path: '/web/crypto/wallets/{id}/funding/pdf',
  summary: 'The same as PDF in the language of the request, to be sent to a payer.',
  access: 'wallet.view',
  params: z.object({ id }),
  output: z.null(),
  answer: 'file',
  errors: ['walletNotFound', 'rechargeNotAtBank', 'bankUnknown', 'currencyNotAtBank', 'rechargesPaused'],
});

export const rechargeNotice = z.object({
  id,
  walletId: id,
  asset,
  decimals: z.number(),
  bankName: z.string(),
  /** As the company announced it; what arrives may differ. */
  amount: z.string(),
  paidAt: instant,
  remark: z.string(),
  status: z.enum(rechargeStatuses),
  expected: z.object({ earliest: z.iso.date(), latest: z.iso.date() }),
  /** Still waiting although the last day on which it was expected has ended where the bank is. */
  late: z.boolean(),
  createdAt: instant,
  sender: z.string(),
  /** When it was matched or withdrawn. */
  endedAt: z.nullable(instant),
  withdrawnBy: z.nullable(z.string()),
  /** The deposit that it announced; null until the bank has booked it. */
  transactionId: z.nullable(id),
  proofs: z.array(file),
  /** Whether the person signed in may withdraw it now. */
  withdrawable: z.boolean(),
});
export type RechargeNotice = z.output<typeof rechargeNotice>;

/** A deposit that the bank has seen and not booked yet, or has rejected; once it is booked it is a transaction. */
export const arrivingDeposit = z.object({
  /** The bank's own. */
  id: z.string(),
  walletId: id,
  asset,
  decimals: z.number(),
  bankName: z.string(),
  amount: z.string(),
  /** As the bank names it; null where it does not. */
  payer: z.nullable(z.string()),
  /** What the payer wrote. */
  reference: z.nullable(z.string()),
  status: z.enum(arrivingStatuses),
  /** When the bank saw it. */
  begunAt: instant,
  /** Since when it is what it is. */
  statusAt: instant,
  expected: z.object({ earliest: z.iso.date(), latest: z.iso.date() }),
  /** Still on its way although the last day on which it was expected has ended where the bank is. */
  late: z.boolean(),
  /** The transaction by which it was credited; null until then. */
  transactionId: z.nullable(id),
});
export type ArrivingDeposit = z.output<typeof arrivingDeposit>;

const arrivingId = text(100).check(z.minLength(1, 'field.required'));

export const listArriving = call({
  name: 'listArriving',
  method: 'GET',
  path: '/web/crypto/wallets/{id}/arriving',
  summary:
    'Deposits on their way into a wallet at a bank, newest first, and those that the bank rejected in the last seven days; at most 100.',
  access: 'wallet.view',
  params: z.object({ id }),
  output: z.object({
    items: z.array(arrivingDeposit),
    /** False: the bank reports a deposit only when it is booked. */
    reported: z.boolean(),
  }),
  errors: ['walletNotFound', 'rechargeNotAtBank', 'bankUnknown', 'currencyNotAtBank'],
});

export const getArriving = call({
  name: 'getArriving',
  method: 'GET',
  path: '/web/crypto/wallets/{id}/arriving/{depositId}',
  summary: 'One deposit that the bank has reported, by the bank’s id, whatever has become of it.',
  access: 'wallet.view',
  params: z.object({ id, depositId: arrivingId }),
  output: arrivingDeposit,
  errors: ['walletNotFound', 'rechargeNotAtBank', 'bankUnknown', 'currencyNotAtBank', 'notFound'],
});

export const announceRecharge = call({
  name: 'announceRecharge',
  method: 'POST',
  path: '/web/crypto/recharge',
  summary:
    'Announces a payment into a wallet at a bank with its proof. It credits nothing: money is credited when the bank has booked it. The client chooses its id; the same announcement again is harmless.',
  access: 'transfer.create',
  body: z.strictObject({
    id,
    walletId: id,
    amount: amountText,
    paidAt: instant,
    remark: z.optional(text(rechargeRemarkMaxLength)),
    proofIds: z.array(id).check(z.minLength(1, 'field.required'), z.maxLength(maxProofs, 'field.tooLong')),
  }),
  output: rechargeNotice,
  errors: [
    'walletNotFound',
    'rechargeNotAtBank',
    'bankUnknown',
    'currencyNotAtBank',
    'rechargesPaused',
    'amountFormat',
    'amountTooManyDecimals',
    'amountTooLarge',
    'rechargeBelowMinimum',
    'rechargePaidLater',
    'rechargeProofUnknown',
    'idTaken',
  ],
});

export const listRecharges = call({
  name: 'listRecharges',
  method: 'GET',
  path: '/web/crypto/recharge',
  summary: 'Announced payments, newest first.',
  access: 'wallet.view',
  query: z.strictObject({
    ...pageQuery,
    walletId: z.optional(id),
    status: z.optional(z.enum(rechargeStatuses)),
  }),
  output: page(rechargeNotice),
  errors: ['cursorInvalid'],
});

export const getRecharge = call({
  name: 'getRecharge',
  method: 'GET',
  path: '/web/crypto/recharge/{id}',
  summary: 'One announced payment.',
  access: 'wallet.view',
  params: z.object({ id }),
  output: rechargeNotice,
  errors: ['rechargeNotFound'],
});

export const withdrawRecharge = call({
  name: 'withdrawRecharge',
  method: 'PUT',
  path: '/web/crypto/recharge/withdraw',
  summary:
    'Takes back an announcement that has not been matched: its sender or an administrator. Money that arrives is credited all the same.',
  access: 'transfer.create',
  body: z.strictObject({ id }),
  output: rechargeNotice,
  errors: ['rechargeNotFound', 'rechargeNotWaiting', 'rechargeNotOwn'],
});
