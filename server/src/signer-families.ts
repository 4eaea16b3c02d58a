import {
  bitcoinKeyFamily,
  createEvmSigner,
  type EvmSigningLimits,
  evmJournal,
  evmKeys,
  journalFamilies,
  type KeyFamily,
  type Keys,
  type SignerFamilies,
  signerFamilies,
} from './features/chains/index.ts';
import { type ChainConfig, isEvmChain } from './platform/config/chains.ts';

/** The families of chains that are signed for, in the signer and the commands on its files (docs/adr/0056). */

/** Families whose public keys the key store names beside EVM's. */
export const keyFamilies: readonly KeyFamily[] = [bitcoinKeyFamily];

/** Families whose entries the journal may have. One stays here for ever once it has signed. */
export const journaled = journalFamilies([evmJournal]);

export function signersOf(keys: Keys, chains: readonly ChainConfig[], limits: EvmSigningLimits): SignerFamilies {
  return signerFamilies([createEvmSigner({ keys: evmKeys(keys.derive), chains: chains.filter(isEvmChain), limits })]);
}
