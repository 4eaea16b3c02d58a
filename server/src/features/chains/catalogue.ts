import { sql } from 'kysely';
import type { PlatformTx } from '../../platform/database/database.ts';

/** A coin on a chain; minimums, fee and limits in the coin's minor units, as they are for the company of the transaction. */
export interface ChainCoin {
  coin: string;
  decimals: number;
  /** As the chain writes it; null for the chain's own coin. */
  contract: string | null;
  minimumMinor: bigint;
  rechargeMinimumMinor: bigint;
  feeMinor: bigint;
  /** Null: no limit. */
  transferLimitMinor: bigint | null;
  dailyLimitMinor: bigint | null;
  enabled: boolean;
  /** Switched off by the operator, or the whole chain is. */
  withdrawalsPaused: boolean;
  depositsPaused: boolean;
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
      coalesce(priced.withdrawal_minimum, a.minimum) as "minimumMinor",
      coalesce(priced.recharge_minimum, a.minimum) as "rechargeMinimumMinor",
      coalesce(priced.withdrawal_fee, ca.withdraw_fee) as "feeMinor",
      priced.transfer_limit as "transferLimitMinor", priced.daily_limit as "dailyLimitMinor", ca.enabled,
      ca.withdrawals_paused or c.paused as "withdrawalsPaused", ca.deposits_paused or c.paused as "depositsPaused"
    from chain c join chain_asset ca on ca.chain_id = c.id join asset a on a.id = ca.coin
    cross join lateral prices_at(company_id(), ca.coin, ca.chain_id, now()) priced
    order by c.name, c.id, ca.contract is not null, ca.coin`.execute(tx);
  const chains = new Map<string, CatalogueChain>();
  for (const row of rows) {
    const { chainEnabled, id, name, family, evmChainId, confirmations, blockTimeMs, nativeCoin, explorerUrl, ...coin } =
      row;
    const own = { id, name, family, evmChainId, confirmations, blockTimeMs, nativeCoin, explorerUrl };
    const chain = chains.get(own.id) ?? { ...own, enabled: chainEnabled, coins: [] };
    chain.coins.push(coin);
    chains.set(own.id, chain);
  }
  return [...chains.values()];
}

/** Whether the operator has switched off a chain, or withdrawals of a coin on it: nothing leaves. */
export async function isSwitchedOff(tx: PlatformTx, chainId: string, coin: string): Promise<boolean> {
  const { rows } = await sql`
    select from chain c left join chain_asset ca on ca.chain_id = c.id and ca.coin = ${coin}
    where c.id = ${chainId} and (c.paused or ca.withdrawals_paused)`.execute(tx);
  return rows.length > 0;
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
