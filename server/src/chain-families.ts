import { bitcoinFamily, type ChainFamilies, evmFamily, familiesByName } from './features/chains/index.ts';
import { bitcoinNetworkOf, type ChainConfig } from './platform/config/chains.ts';

/**
 * Every family of chains, in the processes that read addresses, list coins or judge payments. A family of which no chain is configured is
 * among them, since the registry keeps chains that were.
 */
export function chainFamiliesOf(chains: readonly ChainConfig[]): ChainFamilies {
  return familiesByName([evmFamily, bitcoinFamily(bitcoinNetworkOf(chains))]);
}
