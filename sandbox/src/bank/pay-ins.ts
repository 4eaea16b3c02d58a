import { atTime, dateAt, dayAfter, workingDayFrom } from './calendar.ts';
import { BANKS, type BankId, BankRefusal, minorOf } from './catalogue.ts';
import { accountFor, available, book, customerAccount, type Turn } from './ledger.ts';
import type { BatchDetails, Booking, Party } from './model.ts';

/** Money that comes in, the bank's fees, and entries taken back. */

export type PayIn = {
  bank: BankId;
  /** A virtual account number, a global account's number, or the account itself. */
  to: string;
  currency: string;
  /** A plain decimal text in whole units. */
  amount: string;
  payer: Party;
  /** A creditor reference, in the field for it. */
  reference?: string | undefined;
  text?: string | undefined;
};

/** spaced: in the free text, as people write it. broken: its check digits no longer fit. */
export const GARBLES = ['no', 'spaced', 'broken'] as const;
export type Garble = (typeof GARBLES)[number];

/** Moves the reference of a pay-in into its free text, still legible or damaged. */
export function garbled(payIn: PayIn, how: Garble): PayIn {
  const { reference = '', text = '', ...rest } = payIn;
  if (how === 'no' || reference === '') return payIn;
  const spaced = reference.toLowerCase().replace(/(.{4})(?=.)/g, '$1 ');
  const written =
    how === 'spaced' ? spaced : spaced.replace(/[0-9a-z](?=[^0-9a-z]*$)/, (last) => (last === '7' ? '1' : '7'));
  return {
    ...rest,
    text: ['pmt ref', written, text]
      .filter((part) => part !== '')
      .join(' ')
      .slice(0, 140),
  };
}

/** @throws BankRefusal AC01, AC04, AM03, AM12 */
export function payIn(turn: Turn, wish: PayIn): Booking {
  return bookIn(turn, wish.bank, wish.currency, [wish]);
}

/** Books several pay-ins of one currency as one entry. @throws BankRefusal AC01, AC04, AM03, AM12 */
export function payInBatch(turn: Turn, wishes: readonly PayIn[], details: BatchDetails): Booking {
  const [first] = wishes;
  if (first === undefined) throw new BankRefusal('AM18', 'A batch has at least one pay-in.');
  if (wishes.some(({ bank, currency }) => bank !== first.bank || currency !== first.currency))
    throw new BankRefusal('AM03', 'A batch has one bank and one currency.');
  return bookIn(turn, first.bank, first.currency, wishes, details);
}

function bookIn(turn: Turn, bank: BankId, currency: string, wishes: readonly PayIn[], batch?: BatchDetails): Booking {
  for (const { to } of wishes) accountFor(turn, bank, to, currency);
  const details = wishes.map((wish) => ({
    amount: minorOf(wish.amount, currency),
    counterparty: wish.payer,
    paidTo: wish.to,
    reference: wish.reference,
    text: wish.text,
    endToEndId: 'NOTPROVIDED',
  }));
  return book(turn, {
    bank,
    currency,
    amount: details.reduce((sum, { amount }) => sum + amount, 0n),
    contra: 'clearing',
    code: ['PMNT', 'RCDT', batch === undefined ? 'DMCT' : 'ATXN'],
    text: batch === undefined ? 'Incoming payment' : `${details.length} incoming payments`,
    details,
    valueDate: valueDate(turn, bank, currency),
    batch,
  });
}

/** After the cut-off the money counts from the next working day. */
function valueDate(turn: Turn, bank: BankId, currency: string): string {
  const today = dateAt(turn.now);
  const isLate = turn.now >= atTime(today, BANKS[bank].cutOffs[currency] ?? '17:00');
  return workingDayFrom(isLate ? dayAfter(today) : today);
}

export interface Debit {
  bank: BankId;
  currency: string;
  amount: string;
  text: string;
  /** Who collects it by direct debit; without one it is a fee of the bank's. */
  creditor?: string | undefined;
  /** The creditor's own name of it. */
  endToEndId?: string | undefined;
}

/** Books a fee of the bank's, or what another collects. An account may go below zero by it. @throws BankRefusal AM03, AM12 */
export function bookFee(turn: Turn, { bank, currency, text, creditor, endToEndId, ...wish }: Debit): Booking {
  const amount = minorOf(wish.amount, currency);
  const isFee = creditor === undefined;
  return book(turn, {
    ...{ bank, currency, text, amount: -amount, contra: isFee ? 'income' : 'clearing' },
    code: isFee ? ['ACMT', 'MDOP', 'CHRG'] : ['PMNT', 'RDDT', 'ESDD'],
    details: isFee ? [] : [{ amount, counterparty: { name: creditor }, text, endToEndId }],
  });
}

/** Gives back a fee, or a direct debit that was returned. @throws BankRefusal MS03 */
function returnDebit(turn: Turn, original: Booking, reason: { code: string; text: string }): Booking {
  const [domain, family] = original.code;
  if (family !== 'MDOP' && family !== 'RDDT') throw new BankRefusal('MS03', 'A payment is returned, not taken back.');
  return book(turn, {
    ...{ bank: original.bank, currency: original.currency, amount: -BigInt(original.amount) },
    contra: family === 'MDOP' ? 'income' : 'clearing',
    code: [domain, family, family === 'MDOP' ? 'CHRG' : 'UPDD'],
    text: reversalText(original.id),
    isReversal: true,
    details: original.details.map(({ id: _, amount: part, ...detail }) => ({
      ...{ ...detail, amount: BigInt(part), paymentInformationId: original.id, returned: reason },
    })),
  });
}

const reversalText = (id: string) => `Reversal of ${id}`;

/**
 * Takes back an entry, whole: what came in, as the payer's bank may ask for, or what was taken, as the creditor's bank may.
 * @throws BankRefusal AM04, MS03
 */
export function reverseBooking(turn: Turn, id: string, reason: { code: string; text: string }): Booking {
  const original = turn.get('bookings', id);
  if (original === undefined || original.isReversal) throw new BankRefusal('MS03', 'There is no such entry.');
  if (turn.all('bookings').some((other) => other.isReversal && other.text === reversalText(id)))
    throw new BankRefusal('MS03', 'The entry was taken back before.');
  if (BigInt(original.amount) < 0n) return returnDebit(turn, original, reason);
  const amount = BigInt(original.amount);
  if (available(customerAccount(turn, original.bank, original.currency)) < amount)
    throw new BankRefusal('AM04', 'The account does not hold the amount any more.');
  return book(turn, {
    bank: original.bank,
    currency: original.currency,
    amount: -amount,
    contra: 'clearing',
    code: ['PMNT', 'RCDT', 'RPCR'],
    text: reversalText(id),
    isReversal: true,
    details: original.details.map(({ id: _, amount: part, ...detail }) => ({
      ...detail,
      amount: BigInt(part),
      paymentInformationId: id,
      returned: reason,
    })),
  });
}
