import { sql } from 'kysely';
import type { PlatformTx } from '../../platform/database/database.ts';

/** A coin on a chain; minimum and fee in the coin's minor units. */
export interface ChainCoin {
  coin: string;
  decimals: number;
  /** As the chain writes it; null for the chain's own coin. */
  contract: string | null;
  minimumMinor: bigint;
  feeMinor: bigint;
  enabled: boolean;
}

/** A chain of this installation, switched off ones included, with the coins on it. */
export interface CatalogueChain {
  id: string;
  name: string;
  /** Names its `ChainFamily`. */
  family: string;
  /** EIP-155; null where the chain is of another family. */
  evmChainId: number | null;
  confirmations: number;
  /** How long the chain takes for a block. */
  blockTimeMs: number;
  nativeCoin: string;
  explorerUrl: string | null;
  enabled: boolean;
  coins: ChainCoin[];
}

type Row = Omit<CatalogueChain, 'coins' | 'enabled'> & ChainCoin & { chainEnabled: boolean };

/** Every chain and coin of the registry, in the order of their names. */
export async function findChains(tx: PlatformTx): Promise<CatalogueChain[]> {
  const { rows } = await sql<Row>`
    select c.id, c.name, c.family, c.evm_chain_id as "evmChainId", c.confirmations,
      c.block_time_ms as "blockTimeMs", c.native_coin as "nativeCoin",
      c.explorer_url as "explorerUrl", c.enabled as "chainEnabled", ca.coin, a.decimals, ca.contract,
      a.minimum as "minimumMinor", ca.withdraw_fee as "feeMinor", ca.enabled
    from chain c join chain_asset ca on ca.chain_id = c.id join asset a on a.id = ca.coin
    order by c.name, c.id, ca.contract is not null, ca.coin`.execute(tx);
  const chains = new Map<string, CatalogueChain>();
  for (const row of rows) {
    const { coin, decimals, contract, minimumMinor, feeMinor, enabled, chainEnabled, ...own } = row;
    const chain = chains.get(own.id) ?? { ...own, enabled: chainEnabled, coins: [] };
    chain.coins.push({ coin, decimals, contract, minimumMinor, feeMinor, enabled });
    chains.set(own.id, chain);
  }
  return [...chains.values()];
}

/**
 * About how many seconds pass until a payment is final on the chain: those of the blocks that it still needs, the one that takes it up
 * among them.
 * @param confirmed blocks on top of the one that has it; null while no block has it
 */
export function secondsUntilFinal(
  { blockTimeMs, confirmations }: Pick<CatalogueChain, 'blockTimeMs' | 'confirmations'>,
  confirmed: number | null = null,
): number {
  const blocks = confirmed === null ? confirmations + 1 : Math.max(confirmations - confirmed, 0);
  return Math.ceil((blocks * blockTimeMs) / 1000);
}
