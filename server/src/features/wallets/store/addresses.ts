import { sql } from 'kysely';
import type { Tx } from '../../../platform/database/database.ts';

/** An address that deposits went to, or were to go to, before the one that is shown now. */
export interface EarlierAddress {
  address: string;
  ordinal: number;
  firstUsedAt: Date | null;
}

/** Below an ordinal, the newest first; all that were ever shown where none is given. */
export async function findEarlierAddresses(
  tx: Tx,
  chainId: string,
  { before, most }: { before: number | null; most: number },
): Promise<EarlierAddress[]> {
  const { rows } = await sql<EarlierAddress>`
    select o.address, o.ordinal, o.first_used_at as "firstUsedAt" from chain_own_address o
    where ${isEarlier(chainId)} and (${before}::bigint is null or o.ordinal < ${before})
    order by o.ordinal desc limit ${most}`.execute(tx);
  return rows;
}

/** Counted up to `most`. */
export async function countEarlierAddresses(tx: Tx, chainId: string, most: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) from (select from chain_own_address o where ${isEarlier(chainId)} limit ${most}) counted`.execute(
    tx,
  );
  return rows[0]?.count ?? 0;
}

/** Those that are open beyond the one that is shown have never been; change has ordinals beyond them all. */
function isEarlier(chainId: string) {
  return sql`o.company_id = company_id() and o.chain_id = ${chainId} and not o.is_apart and o.ordinal < (
    select shown.ordinal from chain_own_address shown
    where shown.company_id = company_id() and shown.chain_id = ${chainId} and shown.address = receiving_address(${chainId}))`;
}

/** What one coin brought to an address, in its minor units. */
export interface ReceivedAt {
  address: string;
  coin: string;
  deposits: number;
  creditedMinor: bigint;
  waitingMinor: bigint;
}

export async function findReceivedAt(tx: Tx, chainId: string, addresses: readonly string[]): Promise<ReceivedAt[]> {
  const { rows } = await sql<ReceivedAt>`
    select address, coin, deposits, credited as "creditedMinor", waiting as "waitingMinor"
    from deposits_to_addresses(${chainId}, ${[...addresses]}::text[])`.execute(tx);
  return rows;
}
