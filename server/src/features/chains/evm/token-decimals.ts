import type { Address } from 'viem';
import type { EvmChainConfig } from '../../../platform/config/chains.ts';
import type { Database } from '../../../platform/database/database.ts';
import type { Log } from '../../../platform/process/log.ts';
import { StartFailure } from '../../../platform/process/start-failure.ts';
import { findChains } from '../catalogue.ts';
import type { EvmGateway } from './gateway.ts';

/**
 * A token's contract must count in the minor units of our coin: one with 18 decimals where the coin has 6 would credit a
 * million million times what arrived. Each chain's tokens are compared before anything of the chain is credited or sent.
 */

/** A configured token whose contract has other decimals than its coin; the message is a sentence for the operator. */
export class WrongDecimals extends StartFailure {}

interface Comparison {
  database: Database;
  gateway: EvmGateway;
  chain: Pick<EvmChainConfig, 'id' | 'tokens'>;
  log: Log;
}

/**
 * The gateway of a chain whose tokens are compared now, or as soon as its nodes answer: until then it reads no block's content
 * and names no network fee, so that nothing is credited and nothing is signed.
 * @throws WrongDecimals
 */
export async function withComparedDecimals(comparison: Comparison): Promise<EvmGateway> {
  const { gateway, chain, log } = comparison;
  let isCompared = false;
  const compare = async () => {
    if (isCompared) return;
    await compareDecimals(comparison);
    isCompared = true;
  };
  await compare().catch((error: unknown) => {
    if (error instanceof WrongDecimals) throw error;
    log.warn({ err: error, chain: chain.id }, 'the decimals of tokens cannot be compared yet; the chain is not read');
  });
  return {
    ...gateway,
    async contents(...range) {
      await compare();
      return gateway.contents(...range);
    },
    async fees() {
      await compare();
      return gateway.fees();
    },
  };
}

/** @throws WrongDecimals; NoAgreement while the nodes do not answer */
async function compareDecimals({ database, gateway, chain }: Comparison): Promise<void> {
  if (chain.tokens.length === 0) return;
  const known = (await database.withoutCompany(findChains)).find(({ id }) => id === chain.id);
  const decimalsOf = new Map(known?.coins.map(({ coin, decimals }) => [coin, decimals]));
  const found = await Promise.all(
    chain.tokens.map(async ({ coin, contract }) => ({
      coin,
      contract,
      decimals: await gateway.tokenDecimals(contract as Address),
    })),
  );
  for (const { coin, contract, decimals } of found) {
    const ours = decimalsOf.get(coin);
    if (ours === decimals) continue;
    throw new WrongDecimals(
      `CHAINS_FILE: the contract ${contract} on ${chain.id} has ${decimals} decimals, but ${coin} has ${ours ?? 'none'} here. ` +
        'Take the token out of the file, or list it as a coin of its own with the decimals of its contract.',
    );
  }
}
