import type { HDKey } from '@scure/bip32';
import type { BitcoinNetwork } from '../../../platform/config/chains.ts';
import { invariant } from '../../../platform/domain-error.ts';
import type { Derive, KeyFamily } from '../signer/family.ts';
import { addressOf, companyAccountPath, extendedKeyOf, keyAt, treasuryPath } from './derivation.ts';

/** A key that signs, and the P2WPKH address that it signs for. */
export interface BitcoinKey {
  address: string;
  /** Compressed. */
  publicKey: Uint8Array;
  privateKey: Uint8Array;
}

/** The keys that sign on the chains of one network. */
export interface BitcoinKeys {
  /** The key of a company's address, by its ordinal (`derivation.ts`). */
  company(index: number, ordinal: number): BitcoinKey;
  /** Holds the platform's own coins, which settle exchanges with companies. */
  treasury: BitcoinKey;
}

/** An address of a payment is first checked and then signed for: as many as one transaction has are derived once. */
const mostKnown = 2_000;

export function bitcoinKeys(derive: Derive, network: BitcoinNetwork): BitcoinKeys {
  const account = derive(companyAccountPath(network));
  const known = new Map<string, BitcoinKey>();
  return {
    company(index, ordinal) {
      const name = `${index}/${ordinal}`;
      const key = known.get(name) ?? signingKey(keyAt(account, index, ordinal), network);
      if (known.size >= mostKnown) known.clear();
      known.set(name, key);
      return key;
    },
    treasury: signingKey(derive(treasuryPath(network)), network),
  };
}

/**
 * What the worker is configured with: BITCOIN_XPUB and BITCOIN_TREASURY, of the main network and of each test network, since a key store
 * does not know which of them is served.
 */
export const bitcoinKeyFamily: KeyFamily = {
  name: 'bitcoin',
  publicKeysOf(derive) {
    const xpub = (network: BitcoinNetwork) => extendedKeyOf(derive(companyAccountPath(network)), network);
    const treasury = (network: BitcoinNetwork) => bitcoinKeys(derive, network).treasury.address;
    return {
      xpub: xpub('main'),
      treasury: treasury('main'),
      testXpub: xpub('test'),
      testTreasury: treasury('test'),
      regtestTreasury: treasury('regtest'),
    };
  },
};

function signingKey({ publicKey, privateKey }: HDKey, network: BitcoinNetwork): BitcoinKey {
  invariant(publicKey && privateKey, 'a key derived from the seed can sign');
  return { address: addressOf(publicKey, network), publicKey, privateKey };
}
