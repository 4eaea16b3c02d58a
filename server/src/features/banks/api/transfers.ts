import * as z from 'zod';
import { type BankApi, BankApiError, timeOf } from './client.ts';
import { parseExactly } from './exact-json.ts';

/** Transfers over the bank's API. Amounts are texts in whole units. */

/** What of a transfer decides which one it is and in which state; the rest is read when it is taken in. */
const listed = z.looseObject({
  id: z.string().min(1).max(100),
  request_id: z.string().max(100).nullish(),
  status: z.string().min(1).max(40),
  created_at: z.string(),
});
export type ListedTransfer = z.output<typeof listed>;

const page = z.object({ items: z.array(listed), page_after: z.string().nullish() });
const pageSize = '500';

export interface NewTransfer {
  /** The idempotency key: the same id is the same transfer for ever, and another content under it is refused. At most 50 characters. */
  requestId: string;
  currency: string;
  amount: string;
  /** What of the order its terms say. */
  instruction: TransferInstruction;
}

export interface TransferInstruction {
  /** The payee in the bank's own form (`beneficiary` of its API). */
  beneficiary: Readonly<Record<string, unknown>>;
  /** What the payee reads, at most 140 characters. */
  reference: string;
  /** The bank's code of the purpose, as `goods_purchased`. */
  reason: string;
  method: 'LOCAL' | 'SWIFT';
  /** With SWIFT: who bears the charges. */
  chargeOption?: 'SHARED' | 'PAYER';
}

/** An order as it is sent and stored. The amount is a JSON number with exactly the given digits. */
export function transferText({ requestId, currency, amount, instruction }: NewTransfer): string {
  const { beneficiary, reference, reason, method, chargeOption } = instruction;
  const body = {
    request_id: requestId,
    transfer_currency: currency,
    source_currency: currency,
    beneficiary,
    reference,
    reason,
    transfer_method: method,
    ...(chargeOption === undefined ? {} : { swift_charge_option: chargeOption }),
  };
  if (!/^(?:0|[1-9]\d*)(?:\.\d+)?$/.test(amount)) throw new Error(`${amount} is no JSON number`);
  return `${JSON.stringify(body).slice(0, -1)},"transfer_amount":${amount}}`;
}

const ordered = z.object({ request_id: z.string(), transfer_currency: z.string(), transfer_amount: z.string() });

/**
 * Sends an order. Where the bank says that the id was used, it is asked for it, so that a repeated order returns the first.
 * @throws BankApiError unknown: ask `findTransfer`, and never order under another id
 */
export async function createTransfer(api: BankApi, text: string): Promise<ListedTransfer> {
  try {
    return await api.post('/api/v1/transfers/create', listed, text);
  } catch (error) {
    if (!(error instanceof BankApiError) || error.code !== 'duplicate_request') throw error;
    const { request_id: requestId, ...order } = ordered.parse(parseExactly(text));
    const known = await findTransfer(api, requestId);
    if (known && isSameOrder(known, order)) return known;
    throw new BankApiError('unknown', error.message, { status: error.status, code: error.code, source: error.source });
  }
}

function isSameOrder(
  { transfer_currency: currency, transfer_amount: amount, amount_beneficiary_receives: receives }: ListedTransfer,
  order: { transfer_currency: string; transfer_amount: string },
): boolean {
  const isIt = (given: unknown) => typeof given === 'string' && isSameAmount(given, order.transfer_amount);
  return currency === order.transfer_currency && (isIt(amount) || isIt(receives));
}

/** The transfer of a request id; null: the bank has none. @throws BankApiError */
export async function findTransfer(api: BankApi, requestId: string): Promise<ListedTransfer | null> {
  const { items } = await api.get('/api/v1/transfers', page, { request_id: requestId, page_size: '100' });
  return items.find((item) => item.request_id === requestId) ?? null;
}

/** Null: the bank knows none of this id. @throws BankApiError */
export async function transferById(api: BankApi, id: string): Promise<ListedTransfer | null> {
  try {
    return await api.get(`/api/v1/transfers/${encodeURIComponent(id)}`, listed);
  } catch (error) {
    if (error instanceof BankApiError && error.status === 404 && error.outcome === 'refused') return null;
    throw error;
  }
}

/** Transfers that began at or after a time, or all; in the order in which they began. @throws BankApiError */
export async function transfersSince(api: BankApi, since: Date | null): Promise<ListedTransfer[]> {
  const found = new Map<string, ListedTransfer>();
  const from = since === null ? {} : { from_created_at: since.toISOString() };
  for (let after: string | null = null; ; ) {
    const cursor: Record<string, string> = after === null ? {} : { page: after };
    const { items, page_after: next = null } = await api.get('/api/v1/transfers', page, {
      ...from,
      ...cursor,
      page_size: pageSize,
    });
    for (const item of items) if (!found.has(item.id)) found.set(item.id, item);
    if (next === null || items.length === 0) break;
    after = next;
  }
  return [...found.values()].sort((one, other) => begunAt(one) - begunAt(other));
}

function begunAt({ created_at: text }: ListedTransfer): number {
  return timeOf(text).getTime();
}

/** `100` and `100.00` are the same. */
function isSameAmount(one: string, other: string): boolean {
  const plain = (amount: string) => (amount.includes('.') ? amount.replace(/\.?0+$/, '') : amount);
  return plain(one) === plain(other);
}
