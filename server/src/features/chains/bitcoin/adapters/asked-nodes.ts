import type { AskedNode } from '../../nodes.ts';
import { readHeader } from '../blocks.ts';
import { createNodes, type GatewayConfig } from './gateway.ts';

/** The nodes of a Bitcoin chain, each for itself. */
export function bitcoinNodes(chain: GatewayConfig): AskedNode[] {
  return createNodes(chain).map((node) => ({
    name: node.name,
    height: () => node.head(),
    hashAt: (height) => node.blockHash(height),
    async timeAt(height) {
      const hash = await node.blockHash(height);
      const header = hash === null ? null : await node.header(hash);
      if (hash === null || header === null) throw new Error(`node ${node.name} has no block ${height}`);
      return readHeader(hash, header).time;
    },
  }));
}
