import { minorUnitsOf } from '@causeway/contract/iso-4217.ts';
import * as z from 'zod';
import { timeOf } from '../api/client.ts';
import { dayAt } from '../arrival.ts';
import type { Entry, EntryDetail } from '../messages/model.ts';
import type { Direction } from '../messages/values.ts';
import type { DepositPlace } from './deposit-store.ts';

/**
 * What a deposit of a bank's HTTP API says, as the booked entries that a file would have: pure. A deposit that is settled is one credit; one
 * that was taken back is the same credit and a debit that reverses it; one that is on its way or was rejected is nothing.
 */

const text = z.string().nullish();
const deposit = z.object({
  id: z.string().min(1).max(100),
  status: z.string().min(1),
  currency: z.string().regex(/^[A-Z]{3}$/),
  // The text of a JSON number.
  amount: z.string().regex(/^\d{1,18}(\.\d+)?$/),
  fee: z.object({ amount: z.string().regex(/^\d{1,18}(\.\d+)?$/), currency: text }).nullish(),
  payer: z
    .object({
      name: text,
      bank_account: z
        .looseObject({ type: text, institution: z.looseObject({ swift_code: text, name: text }).nullish() })
        .nullish(),
    })
    .nullish(),
  provider_transaction_id: text,
  reference: text,
  created_at: z.string(),
  settled_at: text,
});
const stored = z.object({ account: z.string().nullable(), deposit });

export type Deposit = z.output<typeof deposit>;
export type StoredDeposit = z.output<typeof stored>;

/** A message that is no deposit as agreed; `problem` is the id of a sentence. */
export class DepositError extends Error {
  readonly problem: 'bankIn.refused.depositForm' | 'bankIn.refused.depositAmount';
  readonly blanks: Record<string, string>;
  constructor(problem: DepositError['problem'], blanks: Record<string, string>) {
    super(problem);
    this.problem = problem;
    this.blanks = blanks;
  }
}

/** Reads a stored message: a deposit and the number of the account that it was paid to. @throws DepositError */
export function readStoredDeposit(content: string): StoredDeposit {
  let given: unknown;
  try {
    given = JSON.parse(content);
  } catch {
    throw new DepositError('bankIn.refused.depositForm', { path: '' });
  }
  const read = stored.safeParse(given);
  if (read.success) return read.data;
  throw new DepositError('bankIn.refused.depositForm', { path: read.error.issues[0]?.path.join('.') ?? '' });
}

/** The booked entries of a deposit. @throws DepositError */
export function entriesOf({ deposit, account }: StoredDeposit, place: DepositPlace): Entry[] {
  const { status, settled_at: settledAt } = deposit;
  const wasThere = status === 'SETTLED' || (status === 'REVERSED' && (settledAt != null || place.isKnown));
  if (!wasThere) return [];
  const credit = entry(deposit, account, place, { amount: deposit.amount, direction: 'credit', reference: deposit.id });
  const { fee } = deposit;
  const isFee =
    fee != null && !/^0+(\.0*)?$/.test(fee.amount) && (fee.currency ?? deposit.currency) === deposit.currency;
  const charged = isFee
    ? [entry(deposit, null, place, { amount: fee.amount, direction: 'debit', reference: `${deposit.id}/fee` })]
    : [];
  if (status === 'SETTLED') return [credit, ...charged];
  const back = { amount: deposit.amount, direction: 'debit', reference: deposit.id, isReversal: true } as const;
  return [credit, ...charged, entry(deposit, null, place, back)];
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

interface Booking {
  amount: string;
  direction: Direction;
  reference: string;
  isReversal?: boolean;
}

function entry(
  deposit: Deposit,
  account: string | null,
  { timeZone }: DepositPlace,
  { amount, direction, reference, isReversal = false }: Booking,
): Entry {
  const { currency, settled_at: settledAt, created_at: createdAt } = deposit;
  const minor = minorOf(amount, currency);
  if (minor === null) throw new DepositError('bankIn.refused.depositAmount', { amount, currency });
  const date = { date: dayAt(timeOf(settledAt ?? createdAt), timeZone), dateTime: settledAt ?? createdAt };
  return {
    reference: null,
    accountServicerReference: reference,
    amount: { currency, minor },
    direction,
    isReversal,
    state: 'booked',
    stateCode: { code: deposit.status, isProprietary: true },
    bookingDate: date,
    valueDate: date,
    code: null,
    amounts: { instructed: null, transaction: null, counterValue: null, exchange: null },
    charges: [],
    batches: [],
    details: direction === 'credit' ? [detailOf(deposit, account)] : [],
    additional: null,
  };
}

const nobody = { country: null, town: null, addressLines: [], bic: null, identifications: [] };

function detailOf(
  { payer, reference, provider_transaction_id: transaction }: Deposit,
  account: string | null,
): EntryDetail {
  const institution = payer?.bank_account?.institution;
  const numbered = { iban: null, scheme: null, currency: null, name: null, proxy: null };
  const payerAccount = payerAccountOf(payer?.bank_account);
  return {
    references: {
      message: null,
      accountServicer: null,
      paymentInformation: null,
      instruction: null,
      endToEnd: null,
      uetr: null,
      transaction: transaction ?? null,
      mandate: null,
      cheque: null,
      clearing: null,
      proprietary: [],
    },
    amount: null,
    direction: null,
    amounts: { instructed: null, transaction: null, counterValue: null, exchange: null },
    charges: [],
    debtor: payer?.name ? { ...nobody, name: payer.name } : null,
    debtorAccount: payerAccount === null ? null : { ...numbered, number: payerAccount },
    debtorAgent: institution
      ? {
          bic: institution.swift_code ?? null,
          name: institution.name ?? null,
          clearingSystem: null,
          clearingMember: null,
        }
      : null,
    ultimateDebtor: null,
    creditor: null,
    creditorAccount: account === null ? null : { ...numbered, number: account },
    creditorAgent: null,
    ultimateCreditor: null,
    purpose: null,
    remittance: { unstructured: reference ? [reference] : [], structured: [], documents: [], additional: [] },
    returned: null,
    code: null,
    additional: null,
  };
}

/**
 * The payer's account, in the object that the API names after its type. Of a partial number (PARTIAL, often masked) nothing is taken: a
 * payer is known again by it.
 */
function payerAccountOf(
  account: ({ type?: string | null | undefined } & Record<string, unknown>) | null | undefined,
): string | null {
  if (!account?.type || account.type === 'PARTIAL') return null;
  const inside = account[account.type.toLowerCase()];
  if (typeof inside !== 'object' || inside === null) return null;
  const { iban, account_number: number } = inside as { iban?: unknown; account_number?: unknown };
  const given = typeof iban === 'string' ? iban : number;
  return typeof given === 'string' && !given.includes('*') ? given : null;
}
