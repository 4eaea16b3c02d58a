import { dateAt, workingDayFrom } from './calendar.ts';
import {
  BANK_IDS,
  BANKS,
  type BankId,
  BankRefusal,
  clearingAccount,
  collectingAccount,
  incomeAccount,
  isVirtualNumber,
} from './catalogue.ts';
import type { Account, BankSettings, Booking, Detail } from './model.ts';
import type { Reader, Tx } from './store.ts';

/** One change of the bank: its records, the time of its own clock, and the notification of each account that the change makes. */
export type Turn = Tx & { now: number; notifications: Map<string, string> };

const START: BankSettings = {
  payouts: { mode: 'settle', reason: 'AC04' },
  skipStatements: false,
  webhooks: { url: '', mode: 'on' },
};

export function settingsOf(records: Reader): Readonly<BankSettings> {
  return records.get('settings', 'now') ?? START;
}

/** Opens the accounts of both banks once. */
export function openAccounts(tx: Tx): void {
  for (const bank of BANK_IDS) {
    for (const currency of Object.keys(BANKS[bank].cutOffs)) {
      const accounts: [string, Account['kind']][] = [
        [collectingAccount(bank, currency), 'customer'],
        [clearingAccount(bank, currency), 'clearing'],
        [incomeAccount(bank, currency), 'income'],
      ];
      for (const [number, kind] of accounts) {
        if (tx.get('accounts', number) !== undefined) continue;
        tx.put('accounts', number, {
          number,
          bank,
          currency,
          kind,
          balance: '0',
          held: '0',
          statements: 0,
          closing: '0',
        });
      }
    }
  }
}

/** The next number of a sequence, from 1. */
export function nextOf(tx: Tx, name: string): number {
  const next = tx.get('counters', name)?.next ?? 1;
  tx.put('counters', name, { next: next + 1 });
  return next;
}

/** @throws BankRefusal AM03 */
export function customerAccount(records: Reader, bank: BankId, currency: string): Readonly<Account> {
  const account = records.get('accounts', collectingAccount(bank, currency));
  if (account?.kind !== 'customer' || account.currency !== currency)
    throw new BankRefusal('AM03', `${BANKS[bank].name} has no account in ${currency}.`);
  return account;
}

/**
 * The account that money for a number arrives at: a virtual number of the customer's, a global account, or the account itself.
 *
 * @throws BankRefusal AC01, AC04, AM03
 */
export function accountFor(records: Reader, bank: BankId, number: string, currency: string): Readonly<Account> {
  const account = customerAccount(records, bank, currency);
  if (number === account.number) return account;
  if (bank === 'harbour') {
    if (isVirtualNumber(number)) return account;
    throw new BankRefusal('AC01', `${number} is no account number of Harbour Bank.`);
  }
  const global = records.all('globalAccounts').find((candidate) => candidate.number === number);
  if (global === undefined) throw new BankRefusal('AC01', `${number} is no account number of Meridian Payments.`);
  if (global.status === 'CLOSED') throw new BankRefusal('AC04', `The account ${number} is closed.`);
  if (global.currency !== currency) throw new BankRefusal('AM03', `The account ${number} does not take ${currency}.`);
  return account;
}

export type NewBooking = {
  bank: BankId;
  currency: string;
  /** Minor units, signed as the customer's account sees it. */
  amount: bigint;
  contra: 'clearing' | 'income';
  code: Booking['code'];
  text: string;
  details: (Omit<Detail, 'id' | 'amount'> & { amount: bigint })[];
  isReversal?: boolean;
  valueDate?: string;
  batch?: Booking['batch'];
};

/** Books an entry on the customer's account and its opposite, and makes the notification (camt.054) due at the bank with files. */
export function book(turn: Turn, wish: NewBooking): Booking {
  const account = customerAccount(turn, wish.bank, wish.currency);
  const contra = (wish.contra === 'income' ? incomeAccount : clearingAccount)(wish.bank, wish.currency);
  const bookingDate = workingDayFrom(dateAt(turn.now));
  const id = `${BANKS[wish.bank].prefix}${bookingDate.replaceAll('-', '')}${padded(nextOf(turn, `${wish.bank}-booking`), 8)}`;
  const booking: Booking = {
    id,
    bank: wish.bank,
    account: account.number,
    contra,
    currency: wish.currency,
    amount: String(wish.amount),
    code: wish.code,
    isReversal: wish.isReversal ?? false,
    bookedAt: turn.now,
    bookingDate,
    valueDate: wish.valueDate ?? bookingDate,
    text: wish.text,
    details: wish.details.map((detail, index) => ({
      ...detail,
      id: `${id}-${index + 1}`,
      amount: String(detail.amount),
    })),
    ...(wish.batch === undefined ? {} : { batch: wish.batch }),
  };
  turn.put('bookings', id, booking);
  move(turn, account.number, wish.amount);
  move(turn, contra, -wish.amount);
  if (wish.bank === 'harbour') notify(turn, booking);
  return booking;
}

/** What is booked in one change, as by a file of many payments, is one notification for each account. */
function notify(turn: Turn, { id, account, bookingDate }: Booking): void {
  const begun = turn.notifications.get(account);
  const file = begun === undefined ? undefined : turn.get('files', begun);
  if (file?.content.kind === 'notification') {
    turn.put('files', file.name, { ...file, content: { ...file.content, bookings: [...file.content.bookings, id] } });
    return;
  }
  const number = padded(nextOf(turn, `notification-${account}`), 6);
  const name = `camt.054_${account}_${bookingDate}_${number}.xml`;
  addFile(turn, name, { kind: 'notification', bookings: [id] });
  turn.notifications.set(account, name);
}

/** Makes a file for the customer due. */
export function addFile(
  turn: Turn,
  name: string,
  content: Parameters<typeof turn.put<'files'>>[2]['content'],
  state: 'due' | 'missed' = 'due',
): void {
  turn.put('files', name, { name, at: turn.now, state, content, id: `HBRF${padded(nextOf(turn, 'file'), 10)}` });
}

/** Reserves money of an account, or frees it again (negative). */
export function hold(turn: Turn, number: string, amount: bigint): void {
  const account = known(turn, number);
  turn.put('accounts', number, { ...account, held: String(BigInt(account.held) + amount) });
}

export function available(account: Readonly<Account>): bigint {
  return BigInt(account.balance) - BigInt(account.held);
}

function move(turn: Turn, number: string, amount: bigint): void {
  const account = known(turn, number);
  turn.put('accounts', number, { ...account, balance: String(BigInt(account.balance) + amount) });
}

function known(turn: Turn, number: string): Readonly<Account> {
  const account = turn.get('accounts', number);
  if (account === undefined) throw new Error(`the bank has no account ${number}`);
  return account;
}

export function padded(value: number, digits: number): string {
  return String(value).padStart(digits, '0');
}
