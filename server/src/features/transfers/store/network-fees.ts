import type { FeeLevel } from '@causeway/contract/transfers-rules.ts';
import { sql } from 'kysely';
import type { CompaniesTx } from '../../../platform/database/database.ts';

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
