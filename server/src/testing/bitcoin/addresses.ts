import { createHash, createECDH } from 'node:crypto';
import { bitcoinAddressOf } from '../../features/chains/index.ts';

/** The regtest address (P2WPKH) of a key that the text gives: of no company. */
export function strangersAddress(text: string): string {
  const key = createECDH('secp256k1');
  key.setPrivateKey(createHash('sha256').update(text).digest());
  return bitcoinAddressOf(new Uint8Array(key.getPublicKey(null, 'compressed')), 'regtest');
}
