import { dayStatement, notification, type TestBooking } from './bank-intake.ts';
import { endToEndOf, paid, sentBack, statusReport } from './payouts.ts';

/** A bank in a random history: its books, what it was asked to pay, and its files, each of which it sends when the history says so. */
export interface ModelBank {
  /** Takes orders, as they are written in files. */
  take(files: readonly { text: string }[]): void;
  payIn(account: string, minor: bigint): void;
  endDay(): void;
  /** What the bank was asked to pay. */
  asked: Map<string, Asked>;
  /** Files that were not sent yet. */
  waiting: ModelFile[];
  accept(payment: Asked): void;
  refuse(payment: Asked): void;
  pay(payment: Asked): void;
  giveBack(payment: Asked, minor: bigint): void;
  /** Of the installation's account. */
  balance(): bigint;
}

export interface Asked {
  endToEnd: string;
  messageId: string;
  minor: bigint;
  state: 'asked' | 'accepted' | 'refused' | 'paid' | 'returned';
}

export interface ModelFile {
  content: string;
  /** What who reads it learns. */
  says: readonly Fact[];
}

export type Fact =
  | { fact: 'accepted' | 'refused' | 'paid'; endToEnd: string }
  | { fact: 'returned'; endToEnd: string; minor: bigint }
  | { fact: 'paidIn'; ref: string; account: string; minor: bigint };

const decimal = (minor: bigint) => (Number(minor) / 100).toFixed(2);
const minorOf = (text: string) => BigInt(Math.round(Number(text) * 100));

export function modelBank(account: string): ModelBank {
  const asked = new Map<string, Asked>();
  const waiting: ModelFile[] = [];
  let today: { booking: TestBooking; fact: Fact }[] = [];
  let [day, opening, booked] = [1, 0n, 0n];
  const date = () =>
    `2026-${String(Math.ceil(day / 28)).padStart(2, '0')}-${String(((day - 1) % 28) + 1).padStart(2, '0')}`;
  const book = (booking: TestBooking, minor: bigint, fact: Fact) => {
    const entry = { ...booking, date: date() };
    today.push({ booking: entry, fact });
    booked += minor;
    waiting.push({ content: notification([entry], { of: account }), says: [fact] });
  };
  const say = (payment: Asked, state: 'accepted' | 'refused') => {
    const { endToEnd, messageId } = payment;
    payment.state = state;
    const status = state === 'accepted' ? { status: 'ACSP' } : { status: 'RJCT', reason: 'AC04' };
    waiting.push({ content: statusReport(messageId, [{ endToEnd, ...status }]), says: [{ fact: state, endToEnd }] });
  };
  let last = 0;
  return {
    asked,
    waiting,
    take(files) {
      for (const { text } of files) {
        const messageId = /<MsgId>(\w+)</.exec(text)?.[1] ?? '';
        for (const [, endToEnd = '', amount = ''] of text.matchAll(
          /<EndToEndId>(\w+)<.*?<InstdAmt Ccy="HKD">([\d.]+)</g,
        )) {
          if (asked.has(endToEnd)) throw new Error(`${endToEnd} is asked for twice`);
          asked.set(endToEnd, { endToEnd, messageId, minor: minorOf(amount), state: 'asked' });
        }
      }
    },
    payIn(to, minor) {
      last += 1;
      const ref = `IN-${account}-${last}`;
      const details = [{ to, payer: 'A customer', tx: ref }];
      book({ amount: decimal(minor), ref, details }, minor, { fact: 'paidIn', ref, account: to, minor });
    },
    endDay() {
      const bookings = today.map(({ booking }) => booking);
      const content = dayStatement(bookings, { of: account, date: date(), opening: decimal(opening) });
      waiting.push({ content, says: today.map(({ fact }) => fact) });
      [today, opening, day] = [[], booked, day + 1];
    },
    accept: (payment) => say(payment, 'accepted'),
    refuse: (payment) => say(payment, 'refused'),
    pay(payment) {
      payment.state = 'paid';
      const { endToEnd, minor } = payment;
      book(paid(endToEnd, decimal(minor)), -minor, { fact: 'paid', endToEnd });
    },
    giveBack(payment, minor) {
      payment.state = 'returned';
      const { endToEnd } = payment;
      book(sentBack(endToEnd, decimal(minor)), minor, { fact: 'returned', endToEnd, minor });
    },
    balance: () => booked,
  };
}

/** What who has read these facts knows of a payment. */
export function knownOf(facts: readonly Fact[], id: string): { stage: string | null; backMinor: bigint } {
  const endToEnd = endToEndOf(id);
  const of = facts.filter((fact) => 'endToEnd' in fact && fact.endToEnd === endToEnd);
  const has = (name: Fact['fact']) => of.some(({ fact }) => fact === name);
  const back = of.find((fact) => fact.fact === 'returned');
  if (has('paid')) {
    return back?.fact === 'returned'
      ? { stage: 'returned', backMinor: back.minor }
      : { stage: 'completed', backMinor: 0n };
  }
  const stage = has('refused') ? 'failed' : has('accepted') ? 'accepted' : null;
  return { stage, backMinor: 0n };
}
