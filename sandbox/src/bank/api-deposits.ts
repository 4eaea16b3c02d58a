import { randomUUID } from 'node:crypto';
import { addEvent } from './api-events.ts';
import { ApiError, isObject, type Json, jsonAmount, text, timeOf } from './api-json.ts';
import { amountText, BANKS, BankRefusal, CUSTOMER, minorOf } from './catalogue.ts';
import { customerAccount, nextOf, padded, type Turn } from './ledger.ts';
import type { Deposit, GlobalAccount } from './model.ts';
import { payIn, reverseBooking } from './pay-ins.ts';
import { reasonOf } from './payments.ts';
import type { Reader } from './store.ts';

/** Airwallex's global accounts and the deposits that arrive there. */

/** @throws ApiError */
export function createGlobalAccount(turn: Turn, body: Json): string {
  const country = text(body, 'country_code', 2);
  const features = Array.isArray(body['required_features']) ? body['required_features'].filter(isObject) : [];
  const currency = text(features[0] ?? {}, 'currency', 3);
  refuse('required_features', () => customerAccount(turn, 'meridian', currency));
  const id = randomUUID();
  turn.put('globalAccounts', id, {
    id,
    number: `${BANKS.meridian.numbers}${padded(nextOf(turn, 'global-account'), 7)}`,
    currency,
    country,
    nickName: text(body, 'nick_name', 100, ''),
    requestId: text(body, 'request_id', 50),
    status: 'ACTIVE',
    createdAt: turn.now,
  });
  return id;
}

/** @throws ApiError */
export function closeGlobalAccount(turn: Turn, id: string): void {
  turn.put('globalAccounts', id, { ...globalAccountAt(turn, id), status: 'CLOSED' });
}

export function globalAccountAt(records: Reader, id: string): Readonly<GlobalAccount> {
  const account = records.get('globalAccounts', id);
  if (account === undefined) throw new ApiError(404, 'not_found', 'There is no such global account.');
  return account;
}

export function shownGlobalAccount(account: Readonly<GlobalAccount>): Json {
  const { name, bic, city } = BANKS.meridian;
  return {
    id: account.id,
    request_id: account.requestId,
    account_name: CUSTOMER,
    account_number: account.number,
    account_type: 'Current',
    country_code: account.country,
    institution: { name, address: '8 Meridian Quay', city, zip_code: '018956' },
    nick_name: account.nickName,
    status: account.status,
    swift_code: bic,
    required_features: [{ currency: account.currency, transfer_method: 'LOCAL' }],
    supported_features: [
      {
        currency: account.currency,
        transfer_method: 'LOCAL',
        type: 'DEPOSIT',
        local_clearing_system: 'BANK_TRANSFER',
        routing_codes: [{ type: 'bank_code', value: BANKS.meridian.numbers.slice(0, 3) }],
      },
      {
        currency: account.currency,
        transfer_method: 'SWIFT',
        type: 'DEPOSIT',
        routing_codes: [{ type: 'swift', value: bic }],
      },
    ],
  };
}

export type NewDeposit = {
  globalAccount: string;
  amount: string;
  payer: Deposit['payer'];
  reference: string;
  status: Deposit['status'];
};

/** @throws ApiError */
export function createDeposit(turn: Turn, wish: NewDeposit): string {
  const account = globalAccountAt(turn, wish.globalAccount);
  if (account.status === 'CLOSED')
    throw new ApiError(400, 'invalid_argument', 'The account is closed.', 'global_account_id');
  const minor = refuse('amount', () => minorOf(wish.amount, account.currency));
  const id = randomUUID();
  const deposit: Deposit = {
    id,
    globalAccount: account.id,
    currency: account.currency,
    amount: amountText(minor, account.currency),
    payer: wish.payer,
    reference: wish.reference,
    status: 'PENDING',
    createdAt: turn.now,
  };
  setDeposit(turn, deposit);
  if (wish.status === 'SETTLED') settleDeposit(turn, id);
  if (wish.status === 'REJECTED') rejectDeposit(turn, id);
  return id;
}

/** Books a deposit that is pending. @throws ApiError */
export function settleDeposit(turn: Turn, id: string): void {
  const deposit = depositIn(turn, id, 'PENDING');
  const { currency, amount, payer, reference } = deposit;
  const to = globalAccountAt(turn, deposit.globalAccount).number;
  const booking = refuse('id', () => payIn(turn, { bank: 'meridian', to, currency, amount, payer, text: reference }));
  setDeposit(turn, { ...deposit, status: 'SETTLED', settledAt: turn.now, booking: booking.id });
}

/** @throws ApiError */
export function rejectDeposit(turn: Turn, id: string): void {
  setDeposit(turn, { ...depositIn(turn, id, 'PENDING'), status: 'REJECTED' });
}

/** Takes back a deposit that was settled. @throws ApiError */
export function reverseDeposit(turn: Turn, id: string): void {
  const deposit = depositIn(turn, id, 'SETTLED');
  refuse('id', () => reverseBooking(turn, deposit.booking ?? '', reasonOf('CUST')));
  setDeposit(turn, { ...deposit, status: 'REVERSED' });
}

function depositIn(turn: Reader, id: string, status: Deposit['status']): Readonly<Deposit> {
  const deposit = turn.get('deposits', id);
  if (deposit === undefined) throw new ApiError(404, 'not_found', 'There is no such deposit.');
  if (deposit.status !== status)
    throw new ApiError(400, 'invalid_status_for_operation', `The deposit is ${deposit.status}.`, 'id');
  return deposit;
}

function setDeposit(turn: Turn, deposit: Deposit): void {
  turn.put('deposits', deposit.id, deposit);
  addEvent(turn, `deposit.${deposit.status.toLowerCase()}`, shownDeposit(deposit));
}

export function shownDeposit(deposit: Readonly<Deposit>): Json {
  const { payer } = deposit;
  return {
    id: deposit.id,
    type: 'BANK_TRANSFER',
    status: deposit.status,
    currency: deposit.currency,
    amount: jsonAmount(deposit.amount),
    fee: { amount: 0, currency: deposit.currency },
    global_account_id: deposit.globalAccount,
    payer: {
      name: payer.name,
      ...(payer.country === undefined ? {} : { country_code: payer.country }),
      bank_account: {
        type: 'PARTIAL',
        name: payer.name,
        ...(payer.account === undefined ? {} : { partial: { account_number: payer.account } }),
        ...(payer.bic === undefined ? {} : { institution: { swift_code: payer.bic } }),
      },
    },
    reference: deposit.reference,
    ...(deposit.booking === undefined ? {} : { provider_transaction_id: deposit.booking }),
    created_at: timeOf(deposit.createdAt),
    ...(deposit.settledAt === undefined ? {} : { settled_at: timeOf(deposit.settledAt) }),
  };
}

/** A refusal of the bank's as the API says it. @throws ApiError */
function refuse<Result>(source: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (error instanceof BankRefusal) throw new ApiError(400, 'invalid_argument', error.message, source);
    throw error;
  }
}
