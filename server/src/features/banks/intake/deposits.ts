import * as z from 'zod';
import type { Entry, EntryDetail } from '../messages/model.ts';
import {
  ApiMessageError,
  type Booking,
  bookedEntry,
  feeAmount,
  minorOf,
  namedParty,
  numberedAccount,
  plainDetail,
} from './api-entries.ts';
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

/** Reads a stored message: a deposit and the number of the account that it was paid to. @throws ApiMessageError */
export function readStoredDeposit(content: string): StoredDeposit {
  let given: unknown;
  try {
    given = JSON.parse(content);
  } catch {
    throw new ApiMessageError('bankIn.refused.depositForm', { path: '' });
  }
  const read = stored.safeParse(given);
  if (read.success) return read.data;
  throw new ApiMessageError('bankIn.refused.depositForm', { path: read.error.issues[0]?.path.join('.') ?? '' });
}

const said = z.looseObject({ payer: z.looseObject({ name: text }).nullish(), reference: text });

/** Who pays a deposit and what they wrote, of which nothing depends on its being there; cut where a bank says more than anyone reads. */
export function payerOf(given: object): { payer: string | null; reference: string | null } {
  const read = said.safeParse(given);
  const { payer, reference } = read.success ? read.data : {};
  return { payer: payer?.name?.slice(0, 500) || null, reference: reference?.slice(0, 1000) || null };
}

/** The booked entries of a deposit. @throws ApiMessageError */
export function entriesOf({ deposit, account }: StoredDeposit, place: DepositPlace): Entry[] {
  const { id, status, amount, settled_at: settledAt } = deposit;
  const wasThere = status === 'SETTLED' || (status === 'REVERSED' && (settledAt != null || place.isKnown));
  if (!wasThere) return [];
  const entry = entryMaker(deposit, place);
  const credit = entry({ amount, direction: 'credit', reference: id, detail: detailOf(deposit, account) });
  const fee = feeAmount(deposit.fee?.amount, deposit.fee?.currency, deposit.currency);
  const charged = fee === null ? [] : [entry({ amount: fee, direction: 'debit', reference: `${id}/fee` })];
  if (status === 'SETTLED') return [credit, ...charged];
  return [credit, ...charged, entry({ amount, direction: 'debit', reference: id, isReversal: true })];
}

function entryMaker(
  { status, currency, settled_at: settledAt, created_at: createdAt }: Deposit,
  { timeZone }: DepositPlace,
) {
  const booked = { status, currency, at: settledAt ?? createdAt };
  return (given: Pick<Booking, 'direction' | 'reference' | 'isReversal' | 'detail'> & { amount: string }): Entry => {
    const { amount, ...booking } = given;
    const minor = minorOf(amount, currency);
    if (minor === null) throw new ApiMessageError('bankIn.refused.depositAmount', { amount, currency });
    return bookedEntry({ ...booked, ...booking, minor }, timeZone);
  };
}

function detailOf(
  { payer, reference, provider_transaction_id: transaction }: Deposit,
  account: string | null,
): EntryDetail {
  const institution = payer?.bank_account?.institution;
  const payerAccount = payerAccountOf(payer?.bank_account);
  return {
    ...plainDetail,
    references: { ...plainDetail.references, transaction: transaction ?? null },
    debtor: payer?.name ? namedParty(payer.name) : null,
    debtorAccount: payerAccount === null ? null : numberedAccount(payerAccount),
    debtorAgent: institution
      ? {
          bic: institution.swift_code ?? null,
          name: institution.name ?? null,
          clearingSystem: null,
          clearingMember: null,
        }
      : null,
    creditorAccount: account === null ? null : numberedAccount(account),
    remittance: { ...plainDetail.remittance, unstructured: reference ? [reference] : [] },
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
