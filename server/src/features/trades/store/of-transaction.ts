import type { TransactionDetail } from '@causeway/contract/transactions.ts';
import { sql } from 'kysely';
import type { Tx } from '../../../platform/database/database.ts';

/** What trades know of transactions and of lines of wallets' statements. */

/** The trade whose seller it pays; null: of none. */
export async function tradeOfTransaction(tx: Tx, transactionId: string): Promise<TransactionDetail['trade']> {
  const { rows } = await sql<NonNullable<TransactionDetail['trade']>>`
    select t.id, t.number, (
      select m ->> 'name' from jsonb_array_elements(t.milestones) m where m ->> 'id' = r.milestone_id limit 1
    ) as milestone
    from trade_release r join trade t on t.company_id = r.company_id and t.id = r.trade_id
    where r.company_id = company_id() and r.transaction_id = ${transactionId}`.execute(tx);
  return rows[0] ?? null;
}

/** By the ids of those that pay a seller, the trade's number. */
export async function tradesOfTransactions(tx: Tx, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const { rows } = await sql<{ id: string; number: string }>`
    select r.transaction_id as id, t.number
    from trade_release r join trade t on t.company_id = r.company_id and t.id = r.trade_id
    where r.company_id = company_id() and r.transaction_id = any (${[...ids]}::uuid[])`.execute(tx);
  return new Map(rows.map(({ id, number }) => [id, number]));
}

/** By the ids of lines of timelines, which are the sources of trades' postings, the trade. */
export async function tradesOfLines(
  tx: Tx,
  ids: readonly string[],
): Promise<ReadonlyMap<string, { id: string; number: string }>> {
  const { rows } = await sql<{ lineId: string; id: string; number: string }>`
    select l.id as "lineId", t.id, t.number
    from trade_line l join trade t on t.company_id = l.company_id and t.id = l.trade_id
    where l.company_id = company_id() and l.id = any (${[...ids]}::uuid[])`.execute(tx);
  return new Map(rows.map(({ lineId, ...trade }) => [lineId, trade]));
}
