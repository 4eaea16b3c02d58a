import { sql } from 'kysely';
import type { PlatformTx } from '../../../platform/database/database.ts';
import type { Block } from '../gateway.ts';

/** What the watcher remembers of a chain, and how it is governed. */

export interface Cursor {
  height: number;
  hash: string;
}

/** Keeps others from remembering anything of a block until it is known whether the block stays. */
export async function lockCursor(tx: PlatformTx, chainId: string): Promise<void> {
  await sql`select from chain_cursor where chain_id = ${chainId} for update`.execute(tx);
}

/** Raised whenever a deposit was found in a block that had been read before. */
export async function findRevision(tx: PlatformTx, chainId: string): Promise<number> {
  const { rows } = await sql<{ revision: number }>`
    select revision from chain_cursor where chain_id = ${chainId}`.execute(tx);
  return rows[0]?.revision ?? 0;
}

export async function raiseRevision(tx: PlatformTx, chainId: string): Promise<void> {
  await sql`update chain_cursor set revision = revision + 1 where chain_id = ${chainId}`.execute(tx);
}

/** Whether the watcher knows the block as one of the chain, or has forgotten all blocks of its height. */
export async function mayStand(tx: PlatformTx, chainId: string, block: Cursor): Promise<boolean> {
  const { rows } = await sql<{ stands: boolean }>`
    select exists (select from chain_block
        where chain_id = ${chainId} and height = ${block.height} and hash = ${block.hash})
      or ${block.height} < (select min(height) from chain_block where chain_id = ${chainId}) as stands`.execute(tx);
  return rows[0]?.stands ?? false;
}

export async function findCursor(tx: PlatformTx, chainId: string): Promise<Cursor | null> {
  const { rows } = await sql<Cursor>`select height, hash from chain_cursor where chain_id = ${chainId}`.execute(tx);
  return rows[0] ?? null;
}

/** The height up to which no reorganisation is expected, by the chain's depth; null while the chain is shorter. */
export async function findFinalHeight(tx: PlatformTx, chainId: string): Promise<number | null> {
  const { rows } = await sql<{ height: number }>`
    select k.height - c.confirmations as height from chain_cursor k join chain c on c.id = k.chain_id
    where k.chain_id = ${chainId} and k.height >= c.confirmations`.execute(tx);
  return rows[0]?.height ?? null;
}

/** The remembered blocks at and below a height, the highest first. */
export async function rememberedBlocks(tx: PlatformTx, chainId: string, fromHeight: number): Promise<Cursor[]> {
  const { rows } = await sql<Cursor>`
    select height, hash from chain_block where chain_id = ${chainId} and height <= ${fromHeight}
    order by height desc`.execute(tx);
  return rows;
}

/**
 * Moves the cursor to the last of these blocks: what was remembered above `aboveHeight` is replaced by them, and what is
 * `keep` blocks below the cursor is forgotten.
 */
export async function rememberBlocks(
  tx: PlatformTx,
  chainId: string,
  aboveHeight: number,
  blocks: readonly Block[],
  keep: number,
): Promise<void> {
  const last = blocks.at(-1);
  if (!last) return;
  await sql`delete from chain_block where chain_id = ${chainId}
    and (height > ${aboveHeight} or height <= ${last.height - keep})`.execute(tx);
  await sql`
    insert into chain_block (chain_id, height, hash)
    select ${chainId}, b.height, b.hash
    from unnest(${blocks.map((block) => block.height)}::bigint[], ${blocks.map((block) => block.hash)}::text[])
      as b (height, hash)
    where b.height > ${last.height - keep}`.execute(tx);
  await sql`
    insert into chain_cursor (chain_id, height, hash) values (${chainId}, ${last.height}, ${last.hash})
    on conflict (chain_id) do update set height = excluded.height, hash = excluded.hash, updated_at = now()`.execute(
    tx,
  );
}

/** A coin on one chain; `contract` is null for the chain's own. */
export interface ChainCoin {
  chainId: string;
  /** The chain's. */
  family: string;
  coin: string;
  contract: string | null;
}

/** The coins that are switched on, of the chains that are. */
export async function enabledCoins(tx: PlatformTx): Promise<ChainCoin[]> {
  const { rows } = await sql<ChainCoin>`
    select a.chain_id as "chainId", c.family, a.coin, a.contract from chain_asset a join chain c on c.id = a.chain_id
    where a.enabled and c.enabled order by a.chain_id, a.coin`.execute(tx);
  return rows;
}

/** Every coin of a chain by its contract, `native` for the chain's own, switched off or not. */
export async function coinsByContract(tx: PlatformTx, chainId: string): Promise<Map<string, string>> {
  const { rows } = await sql<{ coin: string; contract: string | null }>`
    select coin, contract from chain_asset where chain_id = ${chainId}`.execute(tx);
  return new Map(rows.map((row) => [row.contract ?? 'native', row.coin]));
}

/** How a chain is governed; heights in blocks. */
export interface ChainRules {
  id: string;
  name: string;
  /** Names its `ChainFamily`. */
  family: string;
  /** EIP-155; null where the chain is of another family. */
  evmChainId: number | null;
  confirmations: number;
  nativeCoin: string;
}

export async function findChain(tx: PlatformTx, chainId: string): Promise<ChainRules | null> {
  const { rows } = await sql<ChainRules>`
    select id, name, family, evm_chain_id as "evmChainId", confirmations, native_coin as "nativeCoin"
    from chain where id = ${chainId}`.execute(tx);
  return rows[0] ?? null;
}
