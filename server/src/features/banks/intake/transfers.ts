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
import type { SaidStatus } from './status-store.ts';

/**
 * What a transfer of a bank's HTTP API says: the booked entries that a file would have, and what the bank says of our order. Pure. Money has
 * left once the bank has sent the transfer; one that fails after that is the same debit and a credit that returns it; one that fails before is
 * nothing.
 */

const text = z.string().nullish();
// The text of a JSON number.
const amount = z.string().regex(/^\d{1,18}(\.\d+)?$/);
const transfer = z.object({
  id: z.string().min(1).max(100),
  request_id: text,
  status: z.string().min(1).max(40),
  short_reference_id: text,
  failure_type: text,
  failure_reason: text,
  transfer_currency: z.string().regex(/^[A-Z]{3}$/),
  transfer_amount: amount.nullish(),
  amount_beneficiary_receives: amount,
  fee_amount: amount.nullish(),
  fee_currency: text,
  /** PAYER, or BENEFICIARY who receives so much less. */
  fee_paid_by: text,
  dispatch_info: z.object({ external_reference: text }).nullish(),
  beneficiary: z
    .looseObject({ bank_details: z.looseObject({ account_name: text, account_number: text, iban: text }).nullish() })
    .nullish(),
  reference: text,
  created_at: z.string(),
  updated_at: text,
});
const stored = z.object({ transfer });
export type StoredTransfer = z.output<typeof transfer>;

/** Messages of transfers begin so, as the adapter writes them. */
export function isStoredTransfer(content: string): boolean {
  return content.startsWith('{"transfer":');
}

/** Reads a stored message. @throws ApiMessageError */
export function readStoredTransfer(content: string): StoredTransfer {
  let given: unknown;
  try {
    given = JSON.parse(content);
  } catch {
    throw new ApiMessageError('bankIn.refused.transferForm', { path: '' });
  }
  const read = stored.safeParse(given);
  if (read.success) return read.data.transfer;
  throw new ApiMessageError('bankIn.refused.transferForm', { path: read.error.issues[0]?.path.join('.') ?? '' });
}

const left: ReadonlySet<string> = new Set(['SENT', 'PAID']);
const ended: ReadonlySet<string> = new Set(['FAILED', 'CANCELLED']);

/** It failed after it had left: a return, and no refusal. */
function isReturned({ status, dispatch_info: dispatch }: StoredTransfer, { isKnown }: DepositPlace): boolean {
  return ended.has(status) && (isKnown || (dispatch?.external_reference ?? '') !== '');
}

/** The booked entries of a transfer. @throws ApiMessageError */
export function transferEntries(given: StoredTransfer, place: DepositPlace): Entry[] {
  const isBack = isReturned(given, place);
  if (!left.has(given.status) && !isBack) return [];
  const { id, status, transfer_currency: currency, updated_at: updatedAt, created_at: createdAt } = given;
  const booked = { status, currency, at: updatedAt ?? createdAt };
  const entry = (text: string, booking: Pick<Booking, 'direction' | 'reference' | 'detail'>) => {
    const minor = minorOf(text, currency);
    if (minor === null) throw new ApiMessageError('bankIn.refused.transferAmount', { amount: text, currency });
    return bookedEntry({ ...booked, ...booking, minor }, place.timeZone);
  };
  const sent = given.transfer_amount ?? given.amount_beneficiary_receives;
  const debit = entry(sent, { direction: 'debit', reference: id, detail: detailOf(given) });
  const isOurs = (given.fee_paid_by ?? 'PAYER') === 'PAYER';
  const fee = isOurs ? feeAmount(given.fee_amount, given.fee_currency, currency) : null;
  const charged = fee === null ? [] : [entry(fee, { direction: 'debit', reference: `${id}/fee` })];
  if (!isBack) return [debit, ...charged];
  const detail = { ...detailOf(given), creditorAccount: null, returned: returnOf(given) };
  return [debit, ...charged, entry(sent, { direction: 'credit', reference: `${id}/returned`, detail })];
}

function detailOf({
  request_id: requestId,
  beneficiary,
  reference,
  dispatch_info: dispatch,
}: StoredTransfer): EntryDetail {
  const { account_name: name, account_number: number, iban } = beneficiary?.bank_details ?? {};
  const account = iban ?? number;
  const { references, remittance } = plainDetail;
  return {
    ...plainDetail,
    references: { ...references, endToEnd: requestId || null, transaction: dispatch?.external_reference || null },
    creditor: name ? namedParty(name) : null,
    creditorAccount: account ? numberedAccount(account) : null,
    remittance: { ...remittance, unstructured: reference ? [reference] : [] },
  };
}

function returnOf({ failure_type: type, failure_reason: words }: StoredTransfer): NonNullable<EntryDetail['returned']> {
  return { reason: { code: type || 'OTHER', isProprietary: true }, originator: null, texts: words ? [words] : [] };
}

/** What each state is to a payment; others are the bank's own and change nothing. */
const states: Readonly<Record<string, string>> = {
  IN_APPROVAL: 'pending',
  SCHEDULED: 'accepted',
  OVERDUE: 'accepted',
  PROCESSING: 'accepted',
  SENT: 'settled',
  PAID: 'settled',
  FAILED: 'rejected',
  CANCELLED: 'cancelled',
};

export function transferStatus(given: StoredTransfer, place: DepositPlace): SaidStatus {
  const { id, request_id: requestId, status, failure_type: type, failure_reason: words } = given;
  return {
    level: 'payment',
    originalMessage: requestId || id,
    instruction: null,
    endToEnd: requestId || null,
    uetr: null,
    // A return is known by its booking.
    state: isReturned(given, place) ? 'other' : (states[status] ?? 'other'),
    status,
    reason: type || null,
    words: words ? words.slice(0, 1000) : null,
    reference: given.short_reference_id || null,
  };
}
