import { evmFamily, type FamilyOf, type RailFamily } from './features/rails/index.ts';
import type { ChainConfig } from './platform/config/chains.ts';
import { invariant } from './platform/domain-error.ts';

/** The families of chains that payments leave over. */
const families: Readonly<Partial<Record<ChainConfig['family'], RailFamily>>> = { evm: evmFamily };

/** The family of each configured chain. */
export function railFamilies(chains: readonly Pick<ChainConfig, 'id' | 'family'>[]): FamilyOf {
  const byChain = new Map(chains.map(({ id, family }) => [id, families[family]]));
  return (chainId) => {
    const family = byChain.get(chainId);
    invariant(family, `payments leave over chain ${chainId}`);
    return family;
  };
}
