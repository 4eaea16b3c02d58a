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

/** Books a fee of the bank's. An account may go below zero by it. @throws BankRefusal AM03, AM12 */
export function bookFee(turn: Turn, wish: { bank: BankId; currency: string; amount: string; text: string }): Booking {
  const amount = minorOf(wish.amount, wish.currency);
  return book(turn, {
    bank: wish.bank,
    currency: wish.currency,
    amount: -amount,
    contra: 'income',
    code: ['ACMT', 'MDOP', 'CHRG'],
    text: wish.text,
    details: [],
  });
}

/** Takes back an entry that came in, whole, as the payer's bank may ask for. @throws BankRefusal AM04, MS03 */
export function reverseBooking(turn: Turn, id: string, reason: { code: string; text: string }): Booking {
  const original = turn.get('bookings', id);
  if (original === undefined || BigInt(original.amount) <= 0n || original.isReversal)
    throw new BankRefusal('MS03', 'Only an entry that came in is taken back.');
  if (turn.all('bookings').some((other) => other.isReversal && other.details[0]?.paymentInformationId === id))
    throw new BankRefusal('MS03', 'The entry was taken back before.');
  const amount = BigInt(original.amount);
  if (available(customerAccount(turn, original.bank, original.currency)) < amount)
    throw new BankRefusal('AM04', 'The account does not hold the amount any more.');
  return book(turn, {
    bank: original.bank,
    currency: original.currency,
    amount: -amount,
    contra: 'clearing',
    code: ['PMNT', 'RCDT', 'RPCR'],
    text: `Reversal of ${id}`,
    isReversal: true,
    details: original.details.map(({ id: _, amount: part, ...detail }) => ({
      ...detail,
      amount: BigInt(part),
      paymentInformationId: id,
      returned: reason,
    })),
  });
}
