import { accountOf } from './features/chains/index.ts';
import { createBitcoinRail, evmFamily, type FamilyOf, type RailFamily } from './features/rails/index.ts';
import { type ChainConfig, isBitcoinChain } from './platform/config/chains.ts';
import { invariant } from './platform/domain-error.ts';

/**
 * The family of each configured chain, over which payments leave.
 * @param bitcoinXpub the companies' extended public key, needed where a chain of Bitcoin is configured
 */
export function railFamilies(chains: readonly ChainConfig[], bitcoinXpub: string | undefined): FamilyOf {
  const byChain = new Map(chains.map((chain) => [chain.id, familyOf(chain, bitcoinXpub)]));
  return (chainId) => {
    const family = byChain.get(chainId);
    invariant(family, `chain ${chainId} is configured`);
    return family;
  };
}

function familyOf(chain: ChainConfig, bitcoinXpub: string | undefined): RailFamily {
  if (!isBitcoinChain(chain)) return evmFamily;
  invariant(bitcoinXpub !== undefined, 'BITCOIN_XPUB is read where a chain of Bitcoin is configured');
  const { network } = chain;
  return createBitcoinRail({ account: accountOf(bitcoinXpub, network), network });
}
