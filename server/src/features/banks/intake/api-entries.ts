import { minorUnitsOf } from '@causeway/contract/iso-4217.ts';
import { timeOf } from '../api/client.ts';
import { dayAt } from '../arrival.ts';
import type { Entry, EntryDetail } from '../messages/model.ts';
import type { Direction } from '../messages/values.ts';

/** What a bank's HTTP API reports, as the booked entries that a file would have: pure. */

/** A message that is not as agreed; `problem` is the id of a sentence. */
export class ApiMessageError extends Error {
  readonly problem: `bankIn.refused.${'deposit' | 'transfer'}${'Form' | 'Amount'}`;
  readonly blanks: Record<string, string>;
  constructor(problem: ApiMessageError['problem'], blanks: Record<string, string>) {
    super(problem);
    this.problem = problem;
    this.blanks = blanks;
  }
}

/** An amount in whole units as minor units; decimals beyond the currency's are accepted where they are zeros. Null: it is none. */
export function minorOf(amount: string, currency: string): bigint | null {
  const decimals = minorUnitsOf(currency);
  const [, sign = '', whole = '', fraction = ''] = /^(-?)(\d{1,18})(?:\.(\d+))?$/.exec(amount) ?? [];
  const kept = fraction.replace(/0+$/, '');
  if (decimals === null || whole === '' || kept.length > decimals) return null;
  const minor = BigInt(whole + kept.padEnd(decimals, '0'));
  return sign === '-' ? -minor : minor;
}

/** A fee that the bank took in the same currency; null: it took none. */
export function feeAmount(amount: string | null | undefined, currency: string | null | undefined, of: string) {
  if (amount == null || /^0+(\.0*)?$/.test(amount) || (currency ?? of) !== of) return null;
  return amount;
}

export interface Booking {
  minor: bigint;
  currency: string;
  direction: Direction;
  /** The bank's reference of the booking. */
  reference: string;
  /** The API's own state. */
  status: string;
  /** As the API writes times. */
  at: string;
  isReversal?: boolean;
  detail?: EntryDetail;
}

export function bookedEntry(booking: Booking, timeZone: string): Entry {
  const { minor, currency, direction, reference, status, at, isReversal = false, detail } = booking;
  const date = { date: dayAt(timeOf(at), timeZone), dateTime: at };
  return {
    reference: null,
    accountServicerReference: reference,
    amount: { currency, minor },
    direction,
    isReversal,
    state: 'booked',
    stateCode: { code: status, isProprietary: true },
    bookingDate: date,
    valueDate: date,
    code: null,
    amounts: { instructed: null, transaction: null, counterValue: null, exchange: null },
    charges: [],
    batches: [],
    details: detail ? [detail] : [],
    additional: null,
  };
}

/** A detail that says nothing yet. */
export const plainDetail: EntryDetail = {
  references: {
    message: null,
    accountServicer: null,
    paymentInformation: null,
    instruction: null,
    endToEnd: null,
    uetr: null,
    transaction: null,
    mandate: null,
    cheque: null,
    clearing: null,
    accountServicerTransaction: null,
    marketInfrastructure: null,
    processing: null,
    proprietary: [],
  },
  dates: null,
  amount: null,
  direction: null,
  amounts: { instructed: null, transaction: null, counterValue: null, exchange: null },
  charges: [],
  initiatingParty: null,
  debtor: null,
  debtorAccount: null,
  debtorAgent: null,
  ultimateDebtor: null,
  creditor: null,
  creditorAccount: null,
  creditorAgent: null,
  intermediaryAgents: [],
  ultimateCreditor: null,
  purpose: null,
  remittance: { unstructured: [], structured: [], documents: [], additional: [] },
  returned: null,
  code: null,
  additional: null,
};

const unnamed = { country: null, town: null, addressLines: [], bic: null, identifications: [] };

export function namedParty(name: string): NonNullable<EntryDetail['debtor']> {
  return { ...unnamed, name };
}

export function numberedAccount(number: string): NonNullable<EntryDetail['debtorAccount']> {
  return { iban: null, scheme: null, currency: null, name: null, proxy: null, number };
}
