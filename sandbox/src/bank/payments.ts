import { atTime, dateAt, dayAfter, workingDayFrom } from './calendar.ts';
import { BANKS, type BankId, BankRefusal, REASONS } from './catalogue.ts';
import { available, book, customerAccount, hold, nextOf, padded, settingsOf, type Turn } from './ledger.ts';
import type { Payment, PaymentState, Reason } from './model.ts';
import { payeeProblem } from './payees.ts';

/** Payments of the customer's, from their receipt to the end: reserved, then booked; refused, cancelled or returned. */

export type NewPayment = Pick<
  Payment,
  | 'payee'
  | 'reference'
  | 'text'
  | 'chargeBearer'
  | 'messageId'
  | 'paymentInformationId'
  | 'instructionId'
  | 'endToEndId'
  | 'uetr'
> & { bank: BankId; currency: string; amount: bigint; requestedDate: string };

const OPEN: ReadonlySet<PaymentState> = new Set(['pending', 'accepted']);

export const reasonOf = (code: string, text?: string): Reason => ({
  code,
  text: text ?? REASONS[code] ?? 'Refused by the bank',
});

/** Takes a payment: checks it and reserves its amount, or refuses it; either way it is on record. */
export function acceptPayment(turn: Turn, wish: NewPayment): Payment {
  const { bank, currency } = wish;
  const account = customerAccount(turn, bank, currency);
  const { mode, reason } = settingsOf(turn).payouts;
  const executionDate = executionDateOf(turn, bank, currency, wish.requestedDate);
  const id = `${BANKS[bank].prefix}P${padded(nextOf(turn, `${bank}-payment`), 10)}`;
  const problem =
    duplicateOf(turn, wish) ??
    payeeProblem(turn, wish.payee, currency, bank) ??
    (mode === 'refuse' ? reasonOf(reason) : undefined) ??
    (available(account) < wish.amount ? reasonOf('AM04') : undefined);
  const state = problem !== undefined ? 'rejected' : mode === 'delay' ? 'pending' : 'accepted';
  const payment: Payment = {
    id,
    bank,
    account: account.number,
    currency,
    amount: String(wish.amount),
    payee: wish.payee,
    reference: wish.reference,
    text: wish.text,
    chargeBearer: wish.chargeBearer,
    messageId: wish.messageId,
    paymentInformationId: wish.paymentInformationId,
    instructionId: wish.instructionId,
    endToEndId: wish.endToEndId,
    uetr: wish.uetr,
    executionDate,
    state,
    reason: problem,
    receivedAt: turn.now,
    history: [{ at: turn.now, state, reason: problem }],
    bookings: [],
  };
  turn.put('payments', id, payment);
  if (wish.uetr !== undefined) turn.put('uetrs', `${bank} ${wish.uetr}`, { payment: id });
  if (problem === undefined) hold(turn, account.number, wish.amount);
  return payment;
}

/** The day on which a payment leaves: the requested one or today, a working day, the next one after the cut-off. */
function executionDateOf(turn: Turn, bank: BankId, currency: string, requested: string): string {
  const today = dateAt(turn.now);
  const wished = workingDayFrom(requested > today ? requested : today);
  const isLate = wished === today && turn.now >= atTime(today, BANKS[bank].cutOffs[currency] ?? '17:00');
  return isLate ? workingDayFrom(dayAfter(today)) : wished;
}

/** A UETR names one payment for ever (SWIFT gpi, ISO 20022 usage); a payment that was refused may come again with a new one. */
function duplicateOf(turn: Turn, { uetr, bank }: NewPayment): Reason | undefined {
  if (uetr === undefined) return undefined;
  const isKnown = turn.get('uetrs', `${bank} ${uetr}`) !== undefined;
  return isKnown ? reasonOf('DUPL') : undefined;
}

/** Payments whose day has come and that the bank does not delay. */
export function duePayments(turn: Turn, bank: BankId): Payment[] {
  if (settingsOf(turn).payouts.mode === 'accept') return [];
  const today = dateAt(turn.now);
  return turn
    .all('payments')
    .filter((one) => one.bank === bank && one.state === 'accepted' && one.executionDate <= today);
}

/** Books a payment that was accepted or delayed. @throws BankRefusal MS03 */
export function settlePayment(turn: Turn, id: string): Payment {
  const payment = openPayment(turn, id);
  const amount = BigInt(payment.amount);
  hold(turn, payment.account, -amount);
  const booking = book(turn, {
    bank: payment.bank,
    currency: payment.currency,
    amount: -amount,
    contra: 'clearing',
    code: ['PMNT', 'ICDT', 'DMCT'],
    text: 'Outgoing payment',
    details: [detailOf(payment)],
  });
  return change(turn, payment, 'settled', undefined, booking.id);
}

/** Refuses a payment that is not booked; its amount is free again. @throws BankRefusal MS03 */
export function refusePayment(
  turn: Turn,
  id: string,
  reason: Reason,
  state: 'rejected' | 'cancelled' = 'rejected',
): Payment {
  const payment = openPayment(turn, id);
  hold(turn, payment.account, -BigInt(payment.amount));
  return change(turn, payment, state, reason);
}

/** Keeps an accepted payment until the desk settles or refuses it. @throws BankRefusal MS03 */
export function delayPayment(turn: Turn, id: string): Payment {
  return change(turn, openPayment(turn, id), 'pending');
}

/** The payee's bank sends a booked payment back, days later or at once: an entry of its own that names the first. @throws BankRefusal MS03 */
export function returnPayment(turn: Turn, id: string, reason: Reason): Payment {
  const payment = turn.get('payments', id);
  if (payment?.state !== 'settled') throw new BankRefusal('MS03', 'Only a payment that is booked is returned.');
  const booking = book(turn, {
    bank: payment.bank,
    currency: payment.currency,
    amount: BigInt(payment.amount),
    contra: 'clearing',
    code: ['PMNT', 'ICDT', 'RRTN'],
    text: `Return of ${payment.endToEndId}`,
    details: [{ ...detailOf(payment), returned: reason }],
  });
  return change(turn, payment, 'returned', reason, booking.id);
}

function openPayment(turn: Turn, id: string): Readonly<Payment> {
  const payment = turn.get('payments', id);
  if (payment === undefined) throw new BankRefusal('MS03', 'There is no such payment.');
  if (!OPEN.has(payment.state)) throw new BankRefusal('MS03', `The payment is ${payment.state}.`);
  return payment;
}

function change(
  turn: Turn,
  payment: Readonly<Payment>,
  state: PaymentState,
  reason?: Reason,
  booking?: string,
): Payment {
  const next: Payment = {
    ...payment,
    state,
    reason,
    history: [...payment.history, { at: turn.now, state, reason }],
    bookings: booking === undefined ? payment.bookings : [...payment.bookings, booking],
  };
  turn.put('payments', payment.id, next);
  return next;
}

function detailOf(payment: Readonly<Payment>) {
  const { payee, reference, text, messageId, paymentInformationId, instructionId, endToEndId, uetr } = payment;
  const amount = BigInt(payment.amount);
  return {
    amount,
    counterparty: payee,
    reference,
    text,
    messageId,
    paymentInformationId,
    instructionId,
    endToEndId,
    uetr,
  };
}
