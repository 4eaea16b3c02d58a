import type { OutputInput, Query } from '@causeway/contract/call.ts';
import type { exportTransactions, listTransactions } from '@causeway/contract/transactions.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import { decodeCursor, maxExactTotal, pageOf, sizeOf, timeCursor, totalOf } from '../../../platform/http/page.ts';
import type { SignedInContext } from '../../../platform/session.ts';
import { readTransactions } from '../store/reading.ts';
import {
  countMatching,
  type Position,
  readTransactionCount,
  searchTransactions,
  type TransactionFilter,
  type TransactionOrder,
} from '../store/search.ts';
import { asTransaction } from './view.ts';

/**
 * One page of the company's transactions. The total is exact to 10,000; without a filter it is kept, not counted.
 * @throws DomainError cursorInvalid
 */
export async function list(
  tx: Tx,
  { locale }: Pick<SignedInContext, 'locale'>,
  query: Query<typeof listTransactions>,
): Promise<OutputInput<typeof listTransactions>> {
  const filter = filterOf(query);
  const order = orderOf(query);
  const size = sizeOf(query.size);
  const found = await searchTransactions(tx, filter, order, positionOf(query.cursor, order), size + 1);
  const { items, next } = pageOf(found, size, ({ sortValue, id }) => [sortValue, id]);
  const rows = await readTransactions(
    tx,
    items.map(({ id }) => id),
  );
  const filtered = Object.values(filter).some((value) => value !== undefined);
  const count = filtered ? await countMatching(tx, filter, maxExactTotal + 1) : await readTransactionCount(tx);
  return { items: rows.map((row) => asTransaction(row, locale)), ...totalOf(count), next };
}

/** The filter of a query; an empty keyword is none, and times stay within what the database can hold. */
export function filterOf(query: Query<typeof exportTransactions>): TransactionFilter {
  const { type, status, coin, walletId, amountMin, amountMax, batchId, batchRunId, request, cardId } = query;
  const typed = (text: string | undefined) => text?.trim() || undefined;
  return {
    type,
    status,
    coin,
    walletId,
    from: instantOf(query.from),
    to: instantOf(query.to),
    amountMin,
    amountMax,
    keyword: typed(query.keyword),
    category: typed(query.category),
    invoiceNumber: typed(query.invoiceNumber),
    batchId,
    batchRunId,
    request,
    cardId,
  };
}

export function orderOf(query: { sort?: 'time' | 'amount' | undefined; order?: 'asc' | 'desc' | undefined }) {
  return { by: query.sort ?? 'time', descending: query.order !== 'asc' } satisfies TransactionOrder;
}

function instantOf(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const earliest = Date.UTC(1970, 0, 1);
  return new Date(Math.max(new Date(text).getTime(), earliest)).toISOString();
}

/** Where a page of that order begins; null at its start. @throws DomainError cursorInvalid */
export function positionOf(cursor: string | undefined, order: TransactionOrder): Position | null {
  if (order.by === 'time') {
    const position = timeCursor(cursor);
    return position && { sortValue: position.time, id: position.id };
  }
  const values = decodeCursor(cursor, ['string', 'string']);
  if (values === null) return null;
  const [sortValue, id] = values;
  if (!/^\d{1,78}\.\d{18}$/.test(sortValue) || !/^[0-9a-f-]{36}$/.test(id)) throw new DomainError('cursorInvalid');
  return { sortValue, id };
}
