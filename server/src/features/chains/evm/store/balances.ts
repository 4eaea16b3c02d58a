import { sql } from 'kysely';
import type { Address } from 'viem';
import type { PlatformTx } from '../../../../platform/database/database.ts';
import { platformOwnersSql } from '../../store/addresses.ts';
import { type Cursor, mayStand } from '../../store/chains.ts';

/** Up to which block the balance of each company address is explained: `chain_balance`. */

/** An address and the last block at whose end its balance was explained; null when it has never been looked at. */
export interface SweptAddress {
  companyId: string;
  address: Address;
  agreed: { height: number; wei: bigint } | null;
}

/** The next company addresses in their order. */
export async function sweptAddresses(
  tx: PlatformTx,
  chainId: string,
  after: string,
  limit: number,
): Promise<SweptAddress[]> {
  const { rows } = await sql<{ companyId: string; address: Address; height: number | null; wei: bigint | null }>`
    select a.company_id as "companyId", a.address, b.height, b.wei
    from chain_own_address a left join chain_balance b on b.chain_id = a.chain_id and b.address = a.address
    where a.chain_id = ${chainId} and a.company_id not in (${platformOwnersSql}) and a.address > ${after}
    order by a.address limit ${limit}`.execute(tx);
  return rows.map(({ companyId, address, height, wei }) => ({
    companyId,
    address,
    agreed: height === null || wei === null ? null : { height, wei },
  }));
}

/** From which block's end a balance that was never looked at has to be explained: below the first block that waits for its trace. */
export async function findLookBack(tx: PlatformTx, chainId: string, height: number): Promise<number> {
  const { rows } = await sql<{ height: number }>`
    select greatest(0, least(${height}, min(height) - 1)) as height from chain_untraced
    where chain_id = ${chainId} and height <= ${height}`.execute(tx);
  return rows[0]?.height ?? height;
}

/** Remembers that these balances are explained at the end of a block; not when the block has gone meanwhile. */
export async function rememberBalances(
  tx: PlatformTx,
  chainId: string,
  block: Cursor,
  balances: readonly { address: string; wei: bigint }[],
): Promise<void> {
  if (balances.length === 0) return;
  await sql`select from chain_cursor where chain_id = ${chainId} for share`.execute(tx);
  if (!(await mayStand(tx, chainId, block))) return;
  await sql`
    insert into chain_balance (chain_id, address, height, wei)
    select ${chainId}, b.address, ${block.height}, b.wei
    from unnest(${balances.map(({ address }) => address)}::text[], ${balances.map(({ wei }) => wei.toString())}::numeric[])
      as b (address, wei)
    on conflict (chain_id, address) do update set height = excluded.height, wei = excluded.wei`.execute(tx);
}

/** What was said of blocks above a fork is no longer true. */
export async function forgetBalances(tx: PlatformTx, chainId: string, aboveHeight: number): Promise<void> {
  await sql`delete from chain_balance where chain_id = ${chainId} and height > ${aboveHeight}`.execute(tx);
}

/**
 * Blocks up to which every address's balance is explained need no trace any more. Addresses opened since `began` are left out:
 * nothing is missing on them before their first look.
 */
export async function forgetExplained(
  tx: PlatformTx,
  chainId: string,
  began: { at: Date; height: number },
): Promise<void> {
  await sql`
    delete from chain_untraced where chain_id = ${chainId} and height <= (
      select coalesce(min(coalesce(b.height, -1)), ${began.height})
      from (select company_id, chain_id, address, created_at from chain_address
        union all select company_id, chain_id, address, created_at from chain_further_address) a
      left join chain_balance b on b.chain_id = a.chain_id and b.address = a.address
      where a.chain_id = ${chainId} and a.company_id not in (${platformOwnersSql}) and a.created_at < ${began.at})`.execute(
    tx,
  );
}
