import { numberToHex } from 'viem/utils';
import type { EvmChainConfig } from '../../../../platform/config/chains.ts';
import type { AskedNode } from '../../nodes.ts';
import { readBlockTime, readHeader, readQuantity } from './answers.ts';
import { createRpcEndpoint } from './rpc-endpoint.ts';

/** The nodes of an EVM chain, each for itself. */
export function evmNodes(chain: EvmChainConfig): AskedNode[] {
  return chain.rpcUrls.map((url, index) => {
    const node = createRpcEndpoint(chain, `${index + 1}`, url);
    const blockAt = (height: number) => node.ask('eth_getBlockByNumber', [numberToHex(height), false]);
    return {
      name: node.name,
      height: async () => Number(readQuantity(await node.ask('eth_blockNumber', []))),
      hashAt: async (height) => readHeader(await blockAt(height))?.hash ?? null,
      timeAt: async (height) => new Date((readBlockTime(await blockAt(height)) ?? 0) * 1000),
    };
  });
}
