import { parseAmount } from '@causeway/contract/money.ts';
import type pg from 'pg';
import type { ChainShared, CoinConfig } from '../../platform/config/chains.ts';
import { ConfigError } from '../../platform/config/config.ts';
import { createClient } from '../../platform/database/primary.ts';
import { type ChainFamilies, type ChainFamily, familyOf } from './family.ts';

/** A configured chain as the registry keeps it, whatever its family. */
export interface RegisteredChain extends Omit<ChainShared, 'pollIntervalMs' | 'startBlock'> {
  /** EIP-155; only EVM chains have it. */
  chainId?: number;
  tokens?: readonly { coin: string; contract: string }[];
}

/**
 * Writes the configured chains and coins into the registry. What the operator governs (fees, minimums) stays; a chain or a coin
 * on it that is no longer configured is switched off, never deleted, since old transactions name it.
 */
export async function registerChains(
  ownerUrl: string,
  families: ChainFamilies,
  chains: readonly RegisteredChain[],
  coins: readonly CoinConfig[] = [],
): Promise<void> {
  const client = createClient(ownerUrl, { application_name: 'causeway-migrate' });
  await client.connect();
  try {
    await client.query('begin');
    await client.query('set local role causeway_owner');
    for (const coin of coins) await registerCoin(client, coin);
    await refuseUnknownCoins(client, families, chains);
    for (const chain of chains) await registerChain(client, familyOf(families, chain), chain);
    await client.query('update causeway.chain set enabled = false where not (id = any ($1))', [
      chains.map((chain) => chain.id),
    ]);
    await client.query('commit');
  } finally {
    await client.end();
  }
}

/** Amounts in the books are whole minor units: once a coin is known, its decimals are fixed. Its minimum is the operator's. */
async function registerCoin(client: pg.Client, { coin, decimals, minimum }: CoinConfig): Promise<void> {
  await client.query(
    `insert into causeway.asset (id, kind, decimals, minimum) values ($1, 'coin', $2, $3) on conflict (id) do nothing`,
    [coin, decimals, minimumOf(coin, minimum, decimals)],
  );
  const { rows } = await client.query<{ kind: string; decimals: number }>(
    'select kind, decimals from causeway.asset where id = $1',
    [coin],
  );
  if (rows[0]?.kind === 'currency')
    throw new ConfigError(`CHAINS_FILE: ${coin} is a currency, so no coin can have its name.`);
  if (rows[0]?.decimals === decimals) return;
  throw new ConfigError(
    `CHAINS_FILE: ${coin} has ${rows[0]?.decimals} decimals here, which cannot be changed to ${decimals}.`,
  );
}

function minimumOf(coin: string, minimum: string, decimals: number): string {
  const parsed = parseAmount(minimum, decimals);
  if (parsed.ok) return parsed.minor.toString();
  throw new ConfigError(`CHAINS_FILE: the minimum of ${coin} is no amount of at most ${decimals} decimals.`);
}

async function refuseUnknownCoins(
  client: pg.Client,
  families: ChainFamilies,
  chains: readonly RegisteredChain[],
): Promise<void> {
  const { rows } = await client.query<{ id: string; decimals: number }>(
    `select id, decimals from causeway.asset where kind = 'coin'`,
  );
  const decimalsOf = new Map(rows.map(({ id, decimals }) => [id, decimals]));
  for (const chain of chains) {
    const { id, nativeCoin, tokens = [] } = chain;
    const { nativeDecimals } = familyOf(families, chain);
    const unknown = [nativeCoin, ...tokens.map(({ coin }) => coin)].find((coin) => !decimalsOf.has(coin));
    if (unknown !== undefined) {
      throw new ConfigError(
        `CHAINS_FILE: chain ${id} names ${unknown}, which is not a known coin (${[...decimalsOf.keys()].sort().join(', ')}). Add it under "coins", for example {"coin": "${unknown}", "decimals": 18, "minimum": "1", "priceId": "its name at CoinGecko"}.`,
      );
    }
    if (decimalsOf.get(nativeCoin) === nativeDecimals) continue;
    throw new ConfigError(
      `CHAINS_FILE: ${nativeCoin} cannot be the native coin of ${id}, since it does not have ${nativeDecimals} decimals.`,
    );
  }
}

async function registerChain(client: pg.Client, family: ChainFamily, chain: RegisteredChain): Promise<void> {
  await client.query(
    `insert into causeway.chain as c (id, family, name, evm_chain_id, confirmations, block_time_ms, native_coin, explorer_url)
     values ($1, $2, $3, $4, $5, $6, $7, $8)
     on conflict (id) do update set name = excluded.name, confirmations = excluded.confirmations,
       block_time_ms = excluded.block_time_ms, explorer_url = excluded.explorer_url, enabled = true`,
    [
      chain.id,
      chain.family,
      chain.name,
      chain.chainId ?? null,
      chain.confirmations,
      chain.blockTimeMs,
      chain.nativeCoin,
      chain.explorerUrl,
    ],
  );
  const coins = [{ coin: chain.nativeCoin, contract: null }, ...(chain.tokens ?? [])];
  for (const { coin, contract } of coins) {
    await client.query(
      `insert into causeway.chain_asset (chain_id, coin, contract, withdraw_fee) values ($1, $2, $3, $4)
       on conflict (chain_id, coin) do update set contract = excluded.contract, enabled = true`,
      [
        chain.id,
        coin,
        contract === null ? null : family.writeContract(contract),
        (family.firstFees[coin] ?? 0n).toString(),
      ],
    );
  }
  await client.query('update causeway.chain_asset set enabled = false where chain_id = $1 and not (coin = any ($2))', [
    chain.id,
    coins.map(({ coin }) => coin),
  ]);
}
