import { sql } from 'kysely';
import type { PlatformTx, Tx } from '../../platform/database.ts';

/** A coin on a chain; minimum and fee in the coin's minor units. */
export interface ChainCoin {
  coin: string;
  decimals: number;
  /** EIP-55; null for the chain's own coin. */
  contract: string | null;
  minimumMinor: bigint;
  feeMinor: bigint;
  enabled: boolean;
}

/** A chain of this installation, switched off ones included, with the coins on it. */
export interface CatalogueChain {
  id: string;
  name: string;
  family: 'evm';
  /** EIP-155. */
  evmChainId: number;
  confirmations: number;
  nativeCoin: string;
  explorerUrl: string | null;
  enabled: boolean;
  coins: ChainCoin[];
}

type Row = Omit<CatalogueChain, 'coins' | 'enabled'> & ChainCoin & { chainEnabled: boolean };

/** Every chain and coin of the registry, in the order of their names. */
export async function findChains(tx: PlatformTx): Promise<CatalogueChain[]> {
  const { rows } = await sql<Row>`
    select c.id, c.name, c.family, c.evm_chain_id as "evmChainId", c.confirmations, c.native_coin as "nativeCoin",
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

/** The company's address on a chain, as the chain writes it; null until its wallets are opened. */
export async function findOwnAddress(tx: Tx, chainId: string): Promise<string | null> {
  const { rows } = await sql<{ address: string }>`
    select address from chain_address where company_id = company_id() and chain_id = ${chainId}`.execute(tx);
  return rows[0]?.address ?? null;
}
