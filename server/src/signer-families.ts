import {
  type BitcoinSigningLimits,
  bitcoinJournal,
  bitcoinKeyFamily,
  createBitcoinSigner,
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
import { bitcoinNetworkOf, type ChainConfig, isBitcoinChain, isEvmChain } from './platform/config/chains.ts';
import type { SignerConfig } from './platform/config/config.ts';

/** The families of chains that are signed for, in the signer and the commands on its files (docs/adr/0056). */

/** Families whose public keys the key store names beside EVM's. */
export const keyFamilies: readonly KeyFamily[] = [bitcoinKeyFamily];

/** Families whose entries the journal may have. One stays here for ever once it has signed. */
export const journaled = journalFamilies([evmJournal, bitcoinJournal]);

interface SigningLimits {
  evm: EvmSigningLimits;
  bitcoin: BitcoinSigningLimits;
}

/** Beyond these the signer refuses, by its own configuration. */
export function limitsOf(config: SignerConfig): SigningLimits {
  const treasuryPerDay = config.SIGNER_TREASURY_PER_DAY;
  return {
    evm: {
      maxNetworkFeeWei: config.SIGNER_MAX_NETWORK_FEE_WEI,
      maxAdvanceWei: config.SIGNER_MAX_ADVANCE_WEI,
      maxAdvancesPerHour: config.SIGNER_MAX_ADVANCES_PER_HOUR,
      treasuryPerDay,
    },
    bitcoin: {
      maxFeeRate: config.SIGNER_BITCOIN_MAX_FEE_RATE,
      maxFeePercent: config.SIGNER_BITCOIN_MAX_FEE_PERCENT,
      smallFeeMinor: BigInt(config.SIGNER_BITCOIN_SMALL_FEE),
      maxAccelerationsPerHour: config.SIGNER_BITCOIN_MAX_ACCELERATIONS_PER_HOUR,
      treasuryPerDay,
    },
  };
}

export function signersOf(keys: Keys, chains: readonly ChainConfig[], limits: SigningLimits): SignerFamilies {
  const { derive } = keys;
  const bitcoin = { derive, network: bitcoinNetworkOf(chains), chains: chains.filter(isBitcoinChain) };
  return signerFamilies([
    createEvmSigner({ keys: evmKeys(derive), chains: chains.filter(isEvmChain), limits: limits.evm }),
    createBitcoinSigner({ ...bitcoin, limits: limits.bitcoin }),
  ]);
}
