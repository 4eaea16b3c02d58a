import type { FeeLevel } from '@causeway/contract/transfers-rules.ts';
import { sql } from 'kysely';
import type { CompaniesTx, Tx } from '../../../platform/database/database.ts';

/** What a transfer was promised to pay for its block; the network fee in the chain's minor units. */
export interface PromisedNetworkFee {
  companyId: string;
  id: string;
  level: FeeLevel;
  networkFeeMinor: bigint;
  vsize: number;
}

/** The statement that writes them; none where there are none. */
export function insertPromised(tx: CompaniesTx, promised: readonly PromisedNetworkFee[]): Promise<unknown>[] {
  if (promised.length === 0) return [];
  const column = <T>(of: (one: PromisedNetworkFee) => T) => promised.map(of);
  return [
    sql`
      insert into bitcoin_fee (company_id, transaction_id, level, network_fee, vsize)
      select * from unnest(${column(({ companyId }) => companyId)}::uuid[], ${column(({ id }) => id)}::uuid[],
        ${column(({ level }) => level)}::text[], ${column(({ networkFeeMinor }) => networkFeeMinor.toString())}::bigint[],
        ${column(({ vsize }) => vsize)}::integer[])`.execute(tx),
  ];
}

/** Null for a transfer whose network fee was no choice. */
export async function findPromised(
  tx: Tx,
  transactionId: string,
): Promise<Omit<PromisedNetworkFee, 'companyId' | 'id'> | null> {
  const { rows } = await sql<{ level: FeeLevel; networkFee: string; vsize: number }>`
    select level, network_fee::text as "networkFee", vsize from bitcoin_fee
    where company_id = company_id() and transaction_id = ${transactionId}`.execute(tx);
  const [row] = rows;
  return row ? { level: row.level, networkFeeMinor: BigInt(row.networkFee), vsize: row.vsize } : null;
}
