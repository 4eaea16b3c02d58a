import { ECDH } from 'node:crypto';
import { HDKey } from '@scure/bip32';
import type { Address } from 'viem';
import { publicKeyToAddress } from 'viem/accounts';
import { invariant } from '../../../platform/domain-error.ts';

/**
 * Where keys come from (BIP32, BIP44). Companies' addresses are under one account, whose extended public key the
 * worker knows; the gas tank and the treasury are under hardened accounts of their own, so that none reveals anything of another.
 */
export const companyAccountPath = "m/44'/60'/0'";
export const gasTankPath = "m/44'/60'/1'/0/0";
export const treasuryPath = "m/44'/60'/2'/0/0";

/** The key of a company's address below the account: …/0/index is its own account, …/1/index/ordinal each further address. */
export function companyKey(account: HDKey, index: number, ordinal: number): HDKey {
  if (ordinal === 0) return account.deriveChild(0).deriveChild(index);
  return account.deriveChild(1).deriveChild(index).deriveChild(ordinal);
}

/** EIP-55 address of a company's index under the account's extended public key; `ordinal` 0 is its account. */
export function addressFromXpub(xpub: string, index: number, ordinal = 0): Address {
  return addressOf(companyKey(HDKey.fromExtendedKey(xpub), index, ordinal));
}

/** EIP-55. */
export function addressOf(key: HDKey): Address {
  invariant(key.publicKey, 'a derived key has its public half');
  const uncompressed = ECDH.convertKey(key.publicKey, 'secp256k1', undefined, 'hex', 'uncompressed');
  return publicKeyToAddress(`0x${uncompressed.toString()}`);
}
