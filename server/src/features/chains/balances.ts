import { isBitcoinGateway } from './bitcoin/gateway.ts';
import type { ChainGateway } from './gateway.ts';

/** What is asked of one address; `contract` null for the chain's own coin. */
export interface AskedBalance {
  contract: string | null;
  address: string;
}

/** Balances that are asked for at the same time. */
const atOnce = 16;

/**
 * Balances at the end of a block, in their order and in minor units. A node of Bitcoin reads its whole set of outputs for one address, and the
 * same for all of them together.
 * @throws NoAgreement
 */
export async function readBalances(
  gateway: ChainGateway,
  asked: readonly AskedBalance[],
  height: number,
): Promise<bigint[]> {
  if (asked.length === 0) return [];
  if (isBitcoinGateway(gateway)) {
    return gateway.balances(
      asked.map(({ address }) => address),
      height,
    );
  }
  const found: bigint[] = [];
  for (let from = 0; from < asked.length; from += atOnce) {
    const some = asked.slice(from, from + atOnce);
    found.push(...(await Promise.all(some.map(({ contract, address }) => gateway.balance(contract, address, height)))));
  }
  return found;
}
