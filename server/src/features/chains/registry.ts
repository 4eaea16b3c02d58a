import type pg from 'pg';
import type { ChainConfig } from '../../platform/config.ts';
import { createClient } from '../../platform/primary.ts';

/** Withdrawal fees until the operator sets others, in minor units of each coin. */
const firstFees: Record<string, bigint> = {
  ETH: 1_000_000_000_000_000n,
  USDT: 1_000_000n,
  USDC: 1_000_000n,
  HKDT: 8_000_000n,
};

/**
 * Writes the configured chains and coins into the registry. What the operator governs (fees, minimums) stays; a chain or a coin
 * on it that is no longer configured is switched off, never deleted, since old transactions name it.
 */
export async function registerChains(ownerUrl: string, chains: readonly ChainConfig[]): Promise<void> {
  const client = createClient(ownerUrl, { application_name: 'causeway-migrate' });
  await client.connect();
  try {
    await client.query('begin');
    await client.query('set local role causeway_owner');
    for (const chain of chains) await registerChain(client, chain);
    await client.query('update causeway.chain set enabled = false where not (id = any ($1))', [
      chains.map((chain) => chain.id),
    ]);
    await client.query('commit');
  } finally {
    await client.end();
  }
}

async function registerChain(client: pg.Client, chain: ChainConfig): Promise<void> {
  await client.query(
    `insert into causeway.chain as c (id, family, name, evm_chain_id, confirmations, native_coin, explorer_url)
     values ($1, $2, $3, $4, $5, $6, $7)
     on conflict (id) do update set name = excluded.name, confirmations = excluded.confirmations,
       explorer_url = excluded.explorer_url, enabled = true`,
    [chain.id, chain.family, chain.name, chain.chainId, chain.confirmations, chain.nativeCoin, chain.explorerUrl],
  );
  const coins = [{ coin: chain.nativeCoin, contract: null }, ...chain.tokens];
  for (const { coin, contract } of coins) {
    await client.query(
      `insert into causeway.chain_asset (chain_id, coin, contract, withdraw_fee) values ($1, $2, $3, $4)
       on conflict (chain_id, coin) do update set contract = excluded.contract, enabled = true`,
      [chain.id, coin, contract, (firstFees[coin] ?? 0n).toString()],
    );
  }
  await client.query('update causeway.chain_asset set enabled = false where chain_id = $1 and not (coin = any ($2))', [
    chain.id,
    coins.map(({ coin }) => coin),
  ]);
}
