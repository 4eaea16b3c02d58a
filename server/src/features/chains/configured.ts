import { type ChainConfig, isBitcoinChain } from '../../platform/config/chains.ts';
import { bitcoinNodes } from './bitcoin/adapters/asked-nodes.ts';
import { createBitcoinGateway } from './bitcoin/adapters/gateway.ts';
import { evmNodes } from './evm/adapters/asked-nodes.ts';
import { createEvmGateway } from './evm/adapters/gateway.ts';
import type { ChainGateway } from './gateway.ts';
import type { AskedNode } from './nodes.ts';

/** What a configured chain is reached by, whichever its family. */

export function createGateway(chain: ChainConfig): ChainGateway {
  return isBitcoinChain(chain) ? createBitcoinGateway(chain) : createEvmGateway(chain);
}

/** Its nodes, each for itself. */
export function nodesOf(chain: ChainConfig): AskedNode[] {
  return isBitcoinChain(chain) ? bitcoinNodes(chain) : evmNodes(chain);
}
