import { sql } from 'kysely';
import type { Tx } from '../../platform/database.ts';

/** A wallet as it is opened: one coin on one chain; the minimum in minor units. */
export interface WalletRow {
  id: string;
  chainId: string;
  chainName: string;
  coin: string;
  decimals: number;
  minimumMinor: bigint;
  /** EIP-55. */
  address: string;
  frozen: boolean;
}

/** The company's wallets in the order of chain and coin; only one when an id is named. */
export async function findWallets(tx: Tx, id: string | null = null): Promise<WalletRow[]> {
  const { rows } = await sql<WalletRow>`
    select w.id, w.chain_id as "chainId", c.name as "chainName", w.coin, a.decimals, a.minimum as "minimumMinor",
      own.address, w.frozen_at is not null as frozen
    from wallet w
    join chain c on c.id = w.chain_id
    join chain_asset ca on ca.chain_id = w.chain_id and ca.coin = w.coin
    join asset a on a.id = w.coin
    join chain_address own on own.company_id = w.company_id and own.chain_id = w.chain_id
    where w.company_id = company_id() and (${id}::uuid is null or w.id = ${id})
    order by c.name, c.id, ca.contract is not null, w.coin`.execute(tx);
  return rows;
}
