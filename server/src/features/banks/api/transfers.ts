import * as z from 'zod';
import { type BankApi, BankApiError } from './client.ts';

/** Transfers over the bank's API. Amounts are texts in whole units. */

/** Unknown ones are the bank's own and stay as they are. */
export type TransferStatus =
  | 'IN_APPROVAL'
  | 'SCHEDULED'
  | 'OVERDUE'
  | 'PROCESSING'
  | 'SENT'
  | 'PAID'
  | 'FAILED'
  | 'CANCELLATION_REQUESTED'
  | 'CANCELLED'
  | (string & {});

export interface Transfer {
  id: string;
  requestId: string;
  status: TransferStatus;
  /** What the bank calls it in front of people. */
  shortReference: string | null;
  /** The code and the bank's words of why it failed. */
  failureType: string | null;
  failureReason: string | null;
  currency: string;
  /** What the payee gets. */
  amount: string;
  feeAmount: string | null;
  feeCurrency: string | null;
  transferDate: string | null;
  /** The reference with which it left the bank. */
  dispatchReference: string | null;
  updatedAt: string | null;
}

export interface NewTransfer {
  /** The idempotency key: the same id is the same transfer for ever, and another content under it is refused. At most 50 characters. */
  requestId: string;
  currency: string;
  amount: string;
  /** The payee in the bank's own form (`beneficiary` of its API). */
  beneficiary: Readonly<Record<string, unknown>>;
  /** What the payee reads, at most 140 characters. */
  reference: string;
  /** The bank's code of the purpose, as `payment_to_supplier`. */
  reason: string;
  method: 'LOCAL' | 'SWIFT';
  /** With SWIFT: who bears the charges. */
  chargeOption?: 'SHARED' | 'PAYER';
  /** `YYYY-MM-DD`; today without it. */
  date?: string;
}

const text = z.string().nullish();
const shape = z
  .object({
    id: z.string().min(1),
    request_id: z.string(),
    status: z.string().min(1),
    short_reference_id: text,
    failure_type: text,
    failure_reason: text,
    transfer_currency: z.string(),
    transfer_amount: z.string().nullish(),
    amount_beneficiary_receives: z.string(),
    fee_amount: text,
    fee_currency: text,
    transfer_date: text,
    dispatch_info: z.object({ external_reference: text }).nullish(),
    updated_at: text,
  })
  .transform(
    (given): Transfer => ({
      id: given.id,
      requestId: given.request_id,
      status: given.status,
      shortReference: given.short_reference_id ?? null,
      failureType: given.failure_type ?? null,
      failureReason: given.failure_reason ?? null,
      currency: given.transfer_currency,
      amount: given.amount_beneficiary_receives,
      feeAmount: given.fee_amount ?? null,
      feeCurrency: given.fee_currency ?? null,
      transferDate: given.transfer_date ?? null,
      dispatchReference: given.dispatch_info?.external_reference ?? null,
      updatedAt: given.updated_at ?? null,
    }),
  );
const page = z.object({ items: z.array(shape) });

/**
 * Orders a transfer. The bank is asked for the request id where it says that the id was used, so that a repeated order returns the first.
 * @throws BankApiError unknown: ask `findTransferByRequestId`, and never order under another id
 */
export async function createTransfer(api: BankApi, order: NewTransfer): Promise<Transfer> {
  const { requestId, currency, amount, beneficiary, reference, reason, method, chargeOption, date } = order;
  try {
    return await api.post('/api/v1/transfers/create', shape, {
      request_id: requestId,
      transfer_currency: currency,
      source_currency: currency,
      transfer_amount: amount,
      beneficiary,
      reference,
      reason,
      transfer_method: method,
      ...(chargeOption === undefined ? {} : { swift_charge_option: chargeOption }),
      ...(date === undefined ? {} : { transfer_date: date }),
    });
  } catch (error) {
    if (!(error instanceof BankApiError) || error.code !== 'duplicate_request') throw error;
    const known = await findTransferByRequestId(api, requestId);
    if (known?.currency === currency && sameAmount(known.amount, amount)) return known;
    throw error;
  }
}

/** The transfer of a request id; null: the bank has none. @throws BankApiError */
export async function findTransferByRequestId(api: BankApi, requestId: string): Promise<Transfer | null> {
  const { items } = await api.get('/api/v1/transfers', page, { request_id: requestId, page_size: '100' });
  return items.find((item) => item.requestId === requestId) ?? null;
}

/** Null: the bank knows none of this id. @throws BankApiError */
export async function transfer(api: BankApi, id: string): Promise<Transfer | null> {
  try {
    return await api.get(`/api/v1/transfers/${encodeURIComponent(id)}`, shape);
  } catch (error) {
    if (error instanceof BankApiError && error.status === 404 && error.outcome === 'refused') return null;
    throw error;
  }
}

/** Asks for it to be cancelled, which is refused once it is on its way: its state says what became of it. @throws BankApiError */
export async function cancelTransfer(api: BankApi, id: string): Promise<void> {
  await api.post(`/api/v1/transfers/${encodeURIComponent(id)}/cancel`, z.unknown(), {});
}

/** `100` and `100.00` are the same. */
function sameAmount(one: string, other: string): boolean {
  const plain = (amount: string) => (amount.includes('.') ? amount.replace(/\.?0+$/, '') : amount);
  return plain(one) === plain(other);
}
