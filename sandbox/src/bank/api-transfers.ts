import { randomUUID } from 'node:crypto';
import { partyOf, validatedBeneficiary } from './api-beneficiaries.ts';
import { addEvent } from './api-events.ts';
import { ApiError, type Json, jsonAmount, objectAt, text, timeOf } from './api-json.ts';
import { dateAt } from './calendar.ts';
import { amountText, BankRefusal, CUSTOMER, minorOf } from './catalogue.ts';
import { customerAccount, type Turn } from './ledger.ts';
import type { Party, Payment, Transfer } from './model.ts';
import { acceptPayment, reasonOf, refusePayment, returnPayment, settlePayment } from './payments.ts';
import type { Reader } from './store.ts';

/** Airwallex's transfers over the bank's payments. */

const FAILURES: Readonly<Record<string, string>> = {
  AC01: 'INVALID_ACCOUNT_NAME_OR_NUMBER',
  AC04: 'ACCOUNT_CLOSED',
  AC06: 'ACCOUNT_UNDER_RESTRICTION',
  AM04: 'INSUFFICIENT_FUNDS',
  BE04: 'INVALID_BENEFICIARY_DETAILS',
  BE22: 'INVALID_BENEFICIARY_DETAILS',
  DUPL: 'DUPLICATION_RETURN',
  RC01: 'INVALID_BANK_OR_BRANCH_CODE',
};

/** What a transfer asks for, checked. @throws ApiError */
function readTransfer(
  turn: Reader,
  body: Json,
): { currency: string; amount: bigint; beneficiary: Json; payee: Party; date: string } {
  const currency = text(body, 'transfer_currency', 3);
  const source = text(body, 'source_currency', 3, currency);
  if (source !== currency)
    throw new ApiError(400, 'unsupported_conversion', 'A conversion is not offered.', 'source_currency');
  text(body, 'reference', 140);
  text(body, 'reason', 50);
  const amount = moneyAt(body, currency);
  const beneficiary = beneficiaryOf(turn, body);
  const date = text(body, 'transfer_date', 10, '');
  try {
    customerAccount(turn, 'meridian', currency);
  } catch (error) {
    if (error instanceof BankRefusal) throw new ApiError(400, 'invalid_argument', error.message, 'transfer_currency');
    throw error;
  }
  return { currency, amount, beneficiary, payee: partyOf(beneficiary), date };
}

function moneyAt(body: Json, currency: string): bigint {
  const given = ['transfer_amount', 'source_amount'].filter((name) => body[name] !== undefined && body[name] !== null);
  const [name] = given;
  if (name === undefined || given.length > 1)
    throw new ApiError(400, 'invalid_argument', 'Give either transfer_amount or source_amount.', 'transfer_amount');
  try {
    return minorOf(String(body[name]), currency);
  } catch (error) {
    if (error instanceof BankRefusal) throw new ApiError(400, 'invalid_argument', error.message, name);
    throw error;
  }
}

function beneficiaryOf(turn: Reader, body: Json): Json {
  const id = body['beneficiary_id'];
  if (typeof id !== 'string') return validatedBeneficiary(objectAt(body, 'beneficiary'));
  const known = turn.get('beneficiaries', id);
  if (known === undefined)
    throw new ApiError(400, 'invalid_argument', 'There is no such beneficiary.', 'beneficiary_id');
  return objectAt(known.request, 'beneficiary');
}

/** @throws ApiError */
export function validateTransfer(turn: Reader, body: Json): Json {
  readTransfer(turn, body);
  return {};
}

/** @throws ApiError */
export function createTransfer(turn: Turn, body: Json): string {
  const { currency, amount, beneficiary, payee, date } = readTransfer(turn, body);
  const id = randomUUID();
  const requestId = text(body, 'request_id', 50);
  const payment = acceptPayment(turn, {
    bank: 'meridian',
    currency,
    amount,
    payee,
    text: text(body, 'reference', 140),
    messageId: id,
    endToEndId: requestId,
    requestedDate: date === '' ? dateAt(turn.now) : date,
    chargeBearer: text(body, 'swift_charge_option', 10, ''),
    reference: undefined,
    paymentInformationId: undefined,
    instructionId: undefined,
    uetr: undefined,
  });
  const transfer: Transfer = {
    id,
    payment: payment.id,
    request: body,
    beneficiary,
    status: '',
    createdAt: turn.now,
    updatedAt: turn.now,
    shortReference: `P${payment.id.slice(-9)}`,
  };
  turn.put('transfers', id, transfer);
  followPayment(turn, payment);
  return id;
}

/** Brings a transfer to the state of its payment, with an event for each state on the way. */
export function followPayment(turn: Turn, payment: Readonly<Payment>): void {
  const transfer = turn.get('transfers', payment.messageId);
  if (transfer === undefined) return;
  const steps = stepsOf(turn, payment);
  for (const status of steps.slice(steps.indexOf(transfer.status) + 1)) setStatus(turn, transfer.id, status);
}

function stepsOf(turn: Turn, { state, executionDate }: Readonly<Payment>): string[] {
  switch (state) {
    case 'accepted':
      return [executionDate > dateAt(turn.now) ? 'SCHEDULED' : 'PROCESSING'];
    case 'pending':
      return ['PROCESSING'];
    case 'settled':
      return ['SENT', 'PAID'];
    case 'cancelled':
      return ['CANCELLED'];
    case 'rejected':
    case 'returned':
      return ['FAILED'];
  }
}

function setStatus(turn: Turn, id: string, status: string): void {
  const transfer = turn.get('transfers', id);
  if (transfer === undefined) return;
  turn.put('transfers', id, { ...transfer, status, updatedAt: turn.now });
  addEvent(turn, `payout.transfer.${status.toLowerCase()}`, shownTransfer(turn, id));
}

/** @throws ApiError */
export function cancelTransfer(turn: Turn, id: string): Json {
  const { payment } = transferAt(turn, id);
  try {
    followPayment(turn, refusePayment(turn, payment.id, reasonOf('CUST'), 'cancelled'));
  } catch (error) {
    if (error instanceof BankRefusal) throw new ApiError(400, 'invalid_status_for_operation', error.message, 'id');
    throw error;
  }
  return {};
}

/** The sandbox's own call: moves a transfer to a state. @throws ApiError */
export function transition(turn: Turn, id: string, body: Json): void {
  const { transfer, payment } = transferAt(turn, id);
  const next = text(body, 'next_status', 30);
  const failure = text(body, 'failure_type', 60, 'BENEFICIARY_BANK_RETURNED');
  const code = Object.entries(FAILURES).find(([, type]) => type === failure)?.[0] ?? 'MS03';
  const isOpen = payment.state === 'accepted' || payment.state === 'pending';
  if (next === 'SENT' && isOpen) {
    settlePayment(turn, payment.id);
    setStatus(turn, id, 'SENT');
  } else if (next === 'PAID' && (isOpen || transfer.status === 'SENT')) {
    if (isOpen) settlePayment(turn, payment.id);
    if (isOpen) setStatus(turn, id, 'SENT');
    setStatus(turn, id, 'PAID');
  } else if (next === 'FAILED' && (isOpen || payment.state === 'settled')) {
    const reason = reasonOf(code, failure);
    turn.put('transfers', id, { ...transfer, failureType: failure });
    followPayment(turn, isOpen ? refusePayment(turn, payment.id, reason) : returnPayment(turn, payment.id, reason));
  } else if (next === 'CANCELLED' && isOpen) {
    followPayment(turn, refusePayment(turn, payment.id, reasonOf('CUST'), 'cancelled'));
  } else if (next === 'PROCESSING' && transfer.status === 'SCHEDULED') {
    setStatus(turn, id, 'PROCESSING');
  } else {
    throw new ApiError(
      400,
      'invalid_status_for_operation',
      `A transfer that is ${transfer.status} does not become ${next}.`,
      'next_status',
    );
  }
}

function transferAt(turn: Reader, id: string): { transfer: Readonly<Transfer>; payment: Readonly<Payment> } {
  const transfer = turn.get('transfers', id);
  const payment = transfer && turn.get('payments', transfer.payment);
  if (transfer === undefined || payment === undefined)
    throw new ApiError(404, 'not_found', 'There is no such transfer.');
  return { transfer, payment };
}

/** @throws ApiError */
export function shownTransfer(turn: Reader, id: string): Json {
  const { transfer, payment } = transferAt(turn, id);
  const { request } = transfer;
  const amount = jsonAmount(amountText(BigInt(payment.amount), payment.currency));
  const isFailed = transfer.status === 'FAILED';
  return {
    id,
    request_id: payment.endToEndId,
    short_reference_id: transfer.shortReference,
    status: transfer.status,
    ...(isFailed
      ? {
          failure_type: transfer.failureType ?? FAILURES[payment.reason?.code ?? ''] ?? 'OTHER',
          failure_reason: payment.reason?.text ?? '',
        }
      : {}),
    amount_beneficiary_receives: amount,
    amount_payer_pays: amount,
    transfer_amount: amount,
    transfer_currency: payment.currency,
    source_amount: amount,
    source_currency: payment.currency,
    transfer_date: payment.executionDate,
    dispatch_date: payment.executionDate,
    ...(payment.bookings[0] === undefined
      ? {}
      : { dispatch_info: { external_reference: payment.bookings[0], external_reference_type: 'TRN' } }),
    transfer_method: text(request, 'transfer_method', 20, 'LOCAL'),
    fee_amount: 0,
    fee_currency: payment.currency,
    fee_paid_by: text(request, 'fee_paid_by', 20, 'PAYER'),
    funding: {
      status: payment.state === 'rejected' && payment.reason?.code === 'AM04' ? 'FAILED' : 'FUNDED',
      funding_source_id: payment.account,
    },
    payer: { entity_type: 'COMPANY', company_name: CUSTOMER, address: { country_code: 'HK' } },
    beneficiary: transfer.beneficiary,
    ...(typeof request['beneficiary_id'] === 'string' ? { beneficiary_id: request['beneficiary_id'] } : {}),
    ...(typeof request['swift_charge_option'] === 'string'
      ? { swift_charge_option: request['swift_charge_option'] }
      : {}),
    ...(typeof request['metadata'] === 'object' && request['metadata'] !== null
      ? { metadata: request['metadata'] }
      : {}),
    reason: text(request, 'reason', 50, ''),
    reference: text(request, 'reference', 140, ''),
    remarks: text(request, 'remarks', 140, ''),
    created_at: timeOf(transfer.createdAt),
    updated_at: timeOf(transfer.updatedAt),
  };
}
