import { hex } from '@scure/base';
import { Address, OutScript, p2wpkh } from '@scure/btc-signer';
import type { BitcoinNetwork } from '../../../platform/config/chains.ts';
import { networkMarks } from './addresses.ts';
import { scriptKindOf } from './sizes.ts';

/** The script that pays an address of the network, in hexadecimal. @throws Error when the address is none of the network's */
export function scriptOf(address: string, network: BitcoinNetwork): string {
  return hex.encode(OutScript.encode(codingOf(network).decode(address)));
}

/** The P2WPKH script of a compressed public key, in hexadecimal. */
export function scriptPaying(publicKey: Uint8Array): string {
  return hex.encode(p2wpkh(publicKey).script);
}

/** The address of a script in hexadecimal; null where it has none to which coins can be sent. */
export function addressOfScript(script: string, network: BitcoinNetwork): string | null {
  if (scriptKindOf(script) === null) return null;
  const decoded = OutScript.decode(hex.decode(script));
  return codingOf(network).encode(decoded as Parameters<ReturnType<typeof codingOf>['encode']>[0]);
}

const codingOf = (network: BitcoinNetwork) => Address({ ...networkMarks[network], wif: 0 });
