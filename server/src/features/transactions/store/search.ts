import { sql } from 'kysely';
import type { PlatformTx, Tx } from '../../../platform/database/database.ts';

/** What a list of transactions is narrowed to; amounts in whole coins, times as ISO 8601. Absent means any. */
export interface TransactionFilter {
  type?: string | undefined;
  status?: string | undefined;
  coin?: string | undefined;
  walletId?: string | undefined;
  from?: string | undefined;
  /** Exclusive. */
  to?: string | undefined;
  amountMin?: string | undefined;
  amountMax?: string | undefined;
  keyword?: string | undefined;
  category?: string | undefined;
  /** A part of it. */
  invoiceNumber?: string | undefined;
  batchId?: string | undefined;
  batchRunId?: string | undefined;
  /** A payment request. */
  request?: string | undefined;
  cardId?: string | undefined;
}

export interface TransactionOrder {
  by: 'time' | 'amount';
  descending: boolean;
}

/** A row's place in the order: the sort value as the database writes it, and the id. */
export interface Position {
  id: string;
  sortValue: string;
}

/** The ids of one page in their order, from after a position on. The rows are read under row-level security then. */
export async function searchTransactions(
  tx: Tx,
  filter: TransactionFilter,
  order: TransactionOrder,
  after: Position | null,
  limit: number,
): Promise<Position[]> {
  const { rows } = await sql<Position>`
    select id, sort_value as "sortValue" from transaction_search(${JSON.stringify(filter)}::jsonb, ${order.by},
      ${order.descending}, ${after?.sortValue ?? null}, ${after?.id ?? null}, ${limit})`.execute(tx);
  return rows;
}

/** How many match, counted no further than `most`. */
export async function countMatching(tx: Tx, filter: TransactionFilter, most: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select transaction_search_count(${JSON.stringify(filter)}::jsonb, ${most}) as count`.execute(tx);
  return rows[0]?.count ?? 0;
}

/** Takes at most `most` texts of new transactions, of any company, into the search's index; returns how many. */
export async function indexTexts(tx: PlatformTx, most: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`select transaction_text_index(${most}) as count`.execute(tx);
  return rows[0]?.count ?? 0;
}

/** How many transactions the company has: kept, not counted, and exact up to 10,000. */
export async function readTransactionCount(tx: Tx): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select coalesce(sum(rows), 0)::bigint as count from transaction_count where company_id = company_id()`.execute(tx);
  return rows[0]?.count ?? 0;
}
