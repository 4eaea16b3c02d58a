import { HDKey } from '@scure/bip32';
import type { BitcoinNetwork } from '../../../platform/config/chains.ts';
import { invariant } from '../../../platform/domain-error.ts';
import { keyHashAddress } from './addresses.ts';
import { keyHash } from './bytes.ts';

/**
 * Where keys come from (BIP 32, BIP 84). Below the account, whose extended public key the worker knows, each company has an index, and
 * under it a branch for addresses that are shown and one for change, as an account of BIP 84 has: another wallet that gets a company's
 * extended public key finds its coins. The treasury is under a hardened account of its own.
 */

const external = 0;
const change = 1;

/** From this ordinal on, a company's addresses are opened for one purpose each, such as a payment request: a wallet that restores by a gap limit has to be given them. */
export const firstApartOrdinal = 500_000_000;

/** From this ordinal on, a company's addresses take change, and are never shown. */
const firstChangeOrdinal = 1_000_000_000;

/** BIP 44's numbers of coins: 1 is every test network's. */
const coinOf = (network: BitcoinNetwork): 0 | 1 => (network === 'main' ? 0 : 1);

export const companyAccountPath = (network: BitcoinNetwork): string => `m/84'/${coinOf(network)}'/0'`;
export const treasuryPath = (network: BitcoinNetwork): string => `m/84'/${coinOf(network)}'/2'/0/0`;

/** How extended keys of a network begin: `xpub`, `tpub` (BIP 32). */
const mainVersions = { private: 0x0488ade4, public: 0x0488b21e };
const testVersions = { private: 0x04358394, public: 0x043587cf };
const versionsOf = (network: BitcoinNetwork) => (network === 'main' ? mainVersions : testVersions);

/** The ordinal of a company's change address of an index. */
export function changeOrdinal(index: number): number {
  invariant(Number.isInteger(index) && index >= 0 && index < firstChangeOrdinal, `${index} is an index of change`);
  return firstChangeOrdinal + index;
}

export function isChange(ordinal: number): boolean {
  return ordinal >= firstChangeOrdinal;
}

/** Whether a number is the ordinal of an address: one on either branch. */
export function isOrdinal(ordinal: number): boolean {
  return Number.isInteger(ordinal) && ordinal >= 0 && ordinal < 2 * firstChangeOrdinal;
}

/** The branch and the index of an ordinal, below a company's key. */
export function pathOf(ordinal: number): readonly [branch: 0 | 1, index: number] {
  invariant(isOrdinal(ordinal), `${ordinal} is an ordinal`);
  return isChange(ordinal) ? [change, ordinal - firstChangeOrdinal] : [external, ordinal];
}

/** The key of an address below the companies' account, with the private half where the account has its own. */
export function keyAt(account: HDKey, companyIndex: number, ordinal: number): HDKey {
  const [branch, index] = pathOf(ordinal);
  return branchAt(account, companyIndex, branch).deriveChild(index);
}

/** Branches of companies, by their account: a payment of a thousand inputs has keys of one or two. */
const branches = new WeakMap<HDKey, Map<string, HDKey>>();
const mostBranches = 256;

function branchAt(account: HDKey, companyIndex: number, branch: 0 | 1): HDKey {
  const known = branches.get(account) ?? new Map<string, HDKey>();
  branches.set(account, known);
  const name = `${companyIndex}/${branch}`;
  const key = known.get(name) ?? account.deriveChild(companyIndex).deriveChild(branch);
  if (known.size >= mostBranches) known.clear();
  known.set(name, key);
  return key;
}

/**
 * The companies' account from its extended public key.
 * @throws Error when it is none, or another network's
 */
export function accountOf(xpub: string, network: BitcoinNetwork): HDKey {
  const account = HDKey.fromExtendedKey(xpub, versionsOf(network));
  invariant(account.privateKey === null, 'the extended key is a public one');
  return account;
}

/** The extended public key as the network writes it. */
export function extendedKeyOf(
  { publicKey, chainCode, depth, index, parentFingerprint }: HDKey,
  network: BitcoinNetwork,
) {
  invariant(publicKey && chainCode, 'a derived key has its public half');
  const versions = versionsOf(network);
  return new HDKey({ versions, publicKey, chainCode, depth, index, parentFingerprint }).publicExtendedKey;
}

/** The P2WPKH address of a compressed public key. */
export function addressOf(publicKey: Uint8Array, network: BitcoinNetwork): string {
  return keyHashAddress(keyHash(publicKey), network);
}
