import { randomUUID } from 'node:crypto';
import { converted, rateOf } from './currencies.ts';
import { announce } from './messages.ts';
import {
  type Answer,
  type Card,
  type EventType,
  IssuerRefusal,
  type Merchant,
  type Reader,
  type Step,
  type Transaction,
  type Tx,
  transactionAt,
} from './model.ts';
import { currencyOf, transactionShape } from './shapes.ts';

/** The life of a card's transaction as the vendor publishes it: each step appends an event and announces the whole transaction. */

export const AUTHORISATION_TYPES = [
  'AUTHORIZATION',
  'BALANCE_INQUIRY',
  'CREDIT_AUTHORIZATION',
  'FINANCIAL_AUTHORIZATION',
  'FINANCIAL_CREDIT_AUTHORIZATION',
] as const satisfies readonly EventType[];
export type AuthorisationType = (typeof AUTHORISATION_TYPES)[number];

export type Purchase = {
  type: AuthorisationType;
  /** Billing currency; the sign follows from the type. */
  amount: number;
  merchantCurrency?: string | undefined;
  merchantAmount?: number | undefined;
  merchant: Merchant;
  isOnline: boolean;
  isPartialCapable: boolean;
};

export type Decision = { result: string; detailedResult: string; approvedAmount: number | null; answer: Answer | null };

/** How long a hold lasts that is neither cleared nor reversed. */
const HOLD_MS = 7 * 24 * 3_600_000;
const CREDIT_TYPES: readonly EventType[] = ['CREDIT_AUTHORIZATION', 'FINANCIAL_CREDIT_AUTHORIZATION'];
const FINANCIAL_TYPES: readonly EventType[] = ['FINANCIAL_AUTHORIZATION', 'FINANCIAL_CREDIT_AUTHORIZATION'];
export const APPROVED: Decision = {
  result: 'APPROVED',
  detailedResult: 'APPROVED',
  approvedAmount: null,
  answer: null,
};

/** A transaction that is not stored yet, and the request that begins it. */
export function drafted(card: Readonly<Card>, wish: Purchase, now: number): { transaction: Transaction; step: Step } {
  const billing = currencyOf(card);
  const { merchantCurrency = billing } = wish;
  const sign = CREDIT_TYPES.includes(wish.type) ? -1 : 1;
  const amount = sign * Math.abs(wish.amount);
  const known = wish.merchantAmount;
  const merchantAmount =
    known === undefined
      ? converted(amount, billing, merchantCurrency, rateOf(billing, merchantCurrency))
      : sign * Math.abs(known);
  const transaction: Transaction = {
    token: randomUUID(),
    card: card.token,
    merchant: wish.merchant,
    billingCurrency: billing,
    merchantCurrency,
    rate: rateOf(merchantCurrency, billing),
    isOnline: wish.isOnline,
    isPartialCapable: wish.isPartialCapable,
    status: 'PENDING',
    result: 'APPROVED',
    authorised: 0,
    held: 0,
    settled: 0,
    merchantAuthorised: 0,
    merchantSettled: 0,
    steps: [],
    createdAt: now,
    updatedAt: now,
    expiresAt: now + HOLD_MS,
    answers: [],
  };
  const isFinancial = FINANCIAL_TYPES.includes(wish.type);
  return { transaction, step: stepOf(wish.type, { amount, merchantAmount, now, isFinancial }) };
}

/** A further amount of a transaction that is held: the same transaction, asked for as another authorisation. @throws IssuerRefusal 400, 404 */
export function increment(
  read: Reader,
  token: string,
  amount: number,
  now: number,
): { transaction: Transaction; step: Step } {
  const transaction = transactionAt(read, token);
  if (transaction.status !== 'PENDING') throw new IssuerRefusal(400, 'Only a pending authorization can be increased.');
  const merchantAmount = inMerchantCurrency(transaction, amount);
  return { transaction, step: stepOf('AUTHORIZATION', { amount, merchantAmount, now }) };
}

/** Writes down what became of a request. */
export function decide(
  tx: Tx,
  { transaction, step }: { transaction: Transaction; step: Step },
  decision: Decision,
): void {
  // An increment may have met a clearing on its way.
  const known = tx.get('transactions', transaction.token) ?? transaction;
  const { result, detailedResult, approvedAmount, answer } = decision;
  const isApproved = result === 'APPROVED';
  const isPartial = isApproved && approvedAmount !== null && approvedAmount < step.amount;
  const amount = isPartial ? approvedAmount : step.amount;
  const merchantAmount = isPartial ? inMerchantCurrency(known, approvedAmount) : step.merchantAmount;
  const decided: Step = { ...step, amount, merchantAmount, result, detailedResult };
  const isFirst = known.steps.length === 0;
  const base = {
    ...known,
    answers: answer === null ? known.answers : [...known.answers, answer],
    ...(isFirst ? { result } : {}),
  };
  if (!isApproved) {
    record(tx, { ...base, ...(isFirst ? { status: 'DECLINED' as const } : {}) }, decided);
    return;
  }
  const grown = {
    ...base,
    authorised: base.authorised + amount,
    merchantAuthorised: base.merchantAuthorised + merchantAmount,
  };
  if (step.type === 'BALANCE_INQUIRY') record(tx, { ...grown, status: 'SETTLED' }, decided);
  else if (!step.isFinancial) record(tx, { ...grown, held: grown.held + amount }, decided);
  else record(tx, { ...grown, ...settledBy(grown, amount, merchantAmount), status: 'SETTLED' }, decided);
}

/** Changes what is held to `amount`, without asking. @throws IssuerRefusal 400, 404 */
export function advise(tx: Tx, token: string, amount: number, now: number): void {
  const known = transactionAt(tx, token);
  if (known.status !== 'PENDING') throw new IssuerRefusal(400, 'Only a pending authorization can be advised.');
  const merchantAmount = inMerchantCurrency(known, amount);
  const changed = { ...known, held: amount, authorised: amount, merchantAuthorised: merchantAmount };
  record(tx, changed, stepOf('AUTHORIZATION_ADVICE', { amount, merchantAmount, now }));
}

/**
 * Settles an amount, by default what is held. What is held beyond it stays held, for further clearings, until it expires; a final clearing lets
 * it expire at once. @throws IssuerRefusal 400, 404
 */
export function clear(
  tx: Tx,
  token: string,
  { amount, isFinal = false, now }: { amount?: number | undefined; isFinal?: boolean; now: number },
): void {
  const known = transactionAt(tx, token);
  if (known.status === 'DECLINED') throw new IssuerRefusal(400, 'A declined transaction cannot be cleared.');
  const usual = known.held === 0 ? known.authorised : known.held;
  const sign = known.authorised < 0 ? -1 : 1;
  const cleared = amount === undefined ? usual : sign * Math.abs(amount);
  if (cleared === 0) throw new IssuerRefusal(400, 'There is nothing to clear.');
  const merchantAmount = inMerchantCurrency(known, cleared);
  const left = sign * Math.max(0, Math.abs(known.held) - Math.abs(cleared));
  const settled = { ...known, ...settledBy(known, cleared, merchantAmount), held: left, status: 'SETTLED' as const };
  record(tx, settled, stepOf('CLEARING', { amount: cleared, merchantAmount, now, isFinancial: true }));
  if (isFinal && left !== 0) expire(tx, token, now);
}

/** Gives back what is held, or a part of it. @throws IssuerRefusal 400, 404 */
export function reverse(tx: Tx, token: string, amount: number | undefined, now: number): void {
  const known = transactionAt(tx, token);
  if (known.status !== 'PENDING' || known.settled !== 0)
    throw new IssuerRefusal(400, 'Only a pending authorization can be voided.');
  const given = amount ?? known.held;
  if (given <= 0 || given > known.held) throw new IssuerRefusal(400, 'The amount is more than the pending amount.');
  const held = known.held - given;
  const step = stepOf('AUTHORIZATION_REVERSAL', {
    amount: -given,
    merchantAmount: -inMerchantCurrency(known, given),
    now,
  });
  record(tx, { ...known, held, status: held === 0 ? 'VOIDED' : 'PENDING' }, step);
}

/** Lets everything that is held go. @throws IssuerRefusal 400, 404 */
export function expire(tx: Tx, token: string, now: number): void {
  const known = transactionAt(tx, token);
  if (known.held === 0) throw new IssuerRefusal(400, 'There is no pending amount.');
  const { held } = known;
  const step = stepOf('AUTHORIZATION_EXPIRY', { amount: -held, merchantAmount: -inMerchantCurrency(known, held), now });
  record(tx, { ...known, held: 0, status: known.settled === 0 ? 'EXPIRED' : known.status }, step);
}

/** A credit that the network approved on the issuer's behalf: announced, cleared later. @returns the token */
export function adviseCredit(tx: Tx, card: Readonly<Card>, wish: Omit<Purchase, 'type'>, now: number): string {
  const { transaction, step } = drafted(card, { ...wish, type: 'CREDIT_AUTHORIZATION' }, now);
  decide(tx, { transaction, step: { ...step, type: 'CREDIT_AUTHORIZATION_ADVICE' } }, APPROVED);
  return transaction.token;
}

/** A refund that no authorisation precedes. @returns the token */
export function giveBack(tx: Tx, card: Readonly<Card>, wish: Omit<Purchase, 'type'>, now: number): string {
  return posted(tx, card, { ...wish, type: 'CREDIT_AUTHORIZATION' }, 'RETURN', now);
}

/** A clearing that no authorisation precedes: the merchant posts it by force. @returns the token */
export function forcePost(tx: Tx, card: Readonly<Card>, wish: Omit<Purchase, 'type'>, now: number): string {
  return posted(tx, card, { ...wish, type: 'AUTHORIZATION' }, 'CLEARING', now);
}

function posted(tx: Tx, card: Readonly<Card>, wish: Purchase, type: EventType, now: number): string {
  const { transaction, step } = drafted(card, wish, now);
  const settled = { ...transaction, ...settledBy(transaction, step.amount, step.merchantAmount) };
  record(tx, { ...settled, status: 'SETTLED' }, { ...step, type, isFinancial: true });
  return transaction.token;
}

/** Takes a refund back. @throws IssuerRefusal 400, 404 */
export function reverseReturn(tx: Tx, token: string, now: number): void {
  const known = transactionAt(tx, token);
  if (known.settled >= 0) throw new IssuerRefusal(400, 'Only a settled return can be reversed.');
  const amount = -known.settled;
  const merchantAmount = -known.merchantSettled;
  const step = stepOf('RETURN_REVERSAL', { amount, merchantAmount, now, isFinancial: true });
  record(tx, { ...known, ...settledBy(known, amount, merchantAmount) }, step);
}

/** Lets go what is older than a hold lasts. */
export function expireDue(tx: Tx, now: number): void {
  for (const { token, held, expiresAt } of tx.all('transactions'))
    if (held !== 0 && expiresAt <= now) expire(tx, token, now);
}

function record(tx: Tx, transaction: Readonly<Transaction>, step: Step): void {
  const stored: Transaction = { ...transaction, steps: [...transaction.steps, step], updatedAt: step.at };
  tx.put('transactions', stored.token, stored);
  announce(tx, 'card_transaction.updated', transactionShape(stored), step.at);
}

function settledBy(known: Readonly<Transaction>, amount: number, merchantAmount: number) {
  return { settled: known.settled + amount, merchantSettled: known.merchantSettled + merchantAmount };
}

/** At the rate of the transaction; the whole of what was authorised is what the merchant said. */
function inMerchantCurrency(known: Readonly<Transaction>, amount: number): number {
  if (amount === known.authorised && known.authorised !== 0) return known.merchantAuthorised;
  const { billingCurrency: billing, merchantCurrency } = known;
  return converted(amount, billing, merchantCurrency, rateOf(billing, merchantCurrency));
}

function stepOf(
  type: EventType,
  {
    amount,
    merchantAmount,
    now,
    isFinancial = false,
  }: { amount: number; merchantAmount: number; now: number; isFinancial?: boolean },
): Step {
  const approved = { result: 'APPROVED', detailedResult: 'APPROVED' };
  return { token: randomUUID(), type, at: now, amount, merchantAmount, ...approved, isFinancial };
}
