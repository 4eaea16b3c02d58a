import { createECDH, createHash } from 'node:crypto';
import { addressOf } from '../../features/chains/bitcoin/derivation.ts';

/** The regtest address (P2WPKH) of a key that the text gives: of no company. */
export function strangersAddress(text: string): string {
  const key = createECDH('secp256k1');
  key.setPrivateKey(createHash('sha256').update(text).digest());
  return addressOf(new Uint8Array(key.getPublicKey(null, 'compressed')), 'regtest');
}
