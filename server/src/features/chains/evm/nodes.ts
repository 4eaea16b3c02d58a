import { Gauge } from 'prom-client';
import type { EvmChainConfig } from '../../../platform/config/chains.ts';
import { registry } from '../../../platform/process/metrics.ts';
import { createRpcEndpoint, type RpcEndpoint } from './adapters/rpc-endpoint.ts';

/** What the nodes of a chain say at one moment, side by side. */

const labelNames = ['chain', 'node'] as const;
const delay = new Gauge({
  name: 'causeway_chain_node_delay_seconds',
  help: 'How long the node took to answer',
  labelNames,
  registers: [registry],
});
const behindBlocks = new Gauge({
  name: 'causeway_chain_node_behind_blocks',
  help: 'Blocks that the node is behind the highest node of its chain',
  labelNames,
  registers: [registry],
});
const disagreeing = new Gauge({
  name: 'causeway_chain_node_disagrees',
  help: '1 while the node has another block at a height than the other nodes of its chain',
  labelNames,
  registers: [registry],
});

export interface NodeReading {
  chainId: string;
  /** Its place in the configuration, from 1. */
  node: string;
  height: number | null;
  /** When its block at this height was made. */
  blockAt: Date | null;
  delayMs: number | null;
  behind: number | null;
  disagrees: boolean;
  error: string | null;
}

interface Block {
  number: string;
  hash: string;
  timestamp: string;
}

type Head = { height: number; blockAt: Date; delayMs: number };

/** @returns a function that asks all nodes of the chain */
export function createNodeProbe(chain: EvmChainConfig): () => Promise<NodeReading[]> {
  const endpoints = chain.rpcUrls.map((url, index) => createRpcEndpoint(chain, `${index + 1}`, url));
  return async () => {
    const heads = await Promise.all(endpoints.map((endpoint) => headOf(endpoint)));
    const heights = heads.flatMap((head) => ('height' in head ? [head.height] : []));
    const highest = Math.max(...heights);
    const lowest = Math.min(...heights);
    // All of them have the block at the lowest height, whatever the others are ahead.
    const hashes = await Promise.all(
      endpoints.map((endpoint, index) => ('height' in (heads[index] ?? {}) ? hashAt(endpoint, lowest) : null)),
    );
    return heads.map((head, index) => {
      const node = `${index + 1}`;
      const disagrees = isOdd(hashes, index);
      const reading: NodeReading =
        'height' in head
          ? { chainId: chain.id, node, ...head, behind: highest - head.height, disagrees, error: null }
          : { chainId: chain.id, node, height: null, blockAt: null, delayMs: null, behind: null, disagrees, ...head };
      report(reading);
      return reading;
    });
  };
}

/** Whether this node's block is another than that of a node that answered, and not what most have. */
export function isOdd(hashes: readonly (string | null)[], index: number): boolean {
  const own = hashes[index];
  if (own === null || own === undefined) return false;
  const answered = hashes.filter((hash) => hash !== null);
  const same = answered.filter((hash) => hash === own).length;
  return answered.length > same && same * 2 <= answered.length;
}

async function headOf(endpoint: RpcEndpoint): Promise<Head | { error: string }> {
  const began = performance.now();
  try {
    const block = (await endpoint.ask('eth_getBlockByNumber', ['latest', false])) as Block;
    const delayMs = Math.round(performance.now() - began);
    return { height: Number(block.number), blockAt: new Date(Number(block.timestamp) * 1000), delayMs };
  } catch (error) {
    // Endpoints name no address in their errors.
    return { error: error instanceof Error ? error.message : 'no answer' };
  }
}

async function hashAt(endpoint: RpcEndpoint, height: number): Promise<string | null> {
  try {
    const block = (await endpoint.ask('eth_getBlockByNumber', [`0x${height.toString(16)}`, false])) as Block | null;
    return block?.hash ?? null;
  } catch {
    return null;
  }
}

function report({ chainId: chain, node, delayMs, behind, disagrees }: NodeReading): void {
  disagreeing.set({ chain, node }, disagrees ? 1 : 0);
  if (delayMs !== null) delay.set({ chain, node }, delayMs / 1000);
  if (behind !== null) behindBlocks.set({ chain, node }, behind);
}
