import * as z from 'zod';
import { type BankApi, BankApiError, timeOf } from './client.ts';

/** Deposits and balances as the API has them. */

/** What of a deposit decides which one it is and in which state; the rest is read when it is taken in. */
const listed = z.looseObject({
  id: z.string().min(1).max(100),
  status: z.string().min(1).max(40),
  created_at: z.string(),
  global_account_id: z.string().nullish(),
  currency: z.string().nullish(),
  amount: z.string().nullish(),
});
export type ListedDeposit = z.output<typeof listed>;

const page = z.object({ items: z.array(listed), has_more: z.boolean().nullish() });
const pageSize = 500;

/** Deposits that began at or after a time, or all; in the order in which they began. @throws BankApiError */
export async function depositsSince(api: BankApi, since: Date | null): Promise<ListedDeposit[]> {
  // The newest come first: what arrives meanwhile moves others to the next page, and none is left out.
  const found = new Map<string, ListedDeposit>();
  for (let number = 0; ; number += 1) {
    const from = since === null ? {} : { from_created_at: since.toISOString() };
    const query = { ...from, page_num: String(number), page_size: String(pageSize) };
    const { items, has_more: hasMore } = await api.get('/api/v1/deposits', page, query);
    for (const item of items) if (!found.has(item.id)) found.set(item.id, item);
    if (!hasMore || items.length === 0) break;
  }
  return [...found.values()].sort((one, other) => begunAt(one) - begunAt(other));
}

/** Null: the bank knows none of this id. @throws BankApiError */
export async function depositById(api: BankApi, id: string): Promise<ListedDeposit | null> {
  try {
    return await api.get(`/api/v1/deposits/${encodeURIComponent(id)}`, listed);
  } catch (error) {
    if (error instanceof BankApiError && error.status === 404 && error.outcome === 'refused') return null;
    throw error;
  }
}

function begunAt({ created_at: text }: ListedDeposit): number {
  return timeOf(text).getTime();
}

const balances = z.array(z.object({ currency: z.string(), total_amount: z.string() }));

/** What the bank says that there is, in whole units by currency. @throws BankApiError */
export async function currentBalances(api: BankApi): Promise<Map<string, string>> {
  const stated = await api.get('/api/v1/balances/current', balances);
  return new Map(stated.map(({ currency, total_amount: amount }) => [currency, amount]));
}
