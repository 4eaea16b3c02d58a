import { hex } from '@scure/base';
import { Address, OutScript } from '@scure/btc-signer';
import type { Output } from './transaction.ts';

/** Scripts of outputs and their addresses, by the prefixes of regtest. */

export const REGTEST = { bech32: 'bcrt', pubKeyHash: 0x6f, scriptHash: 0xc4, wif: 0xef };

const addresses = Address(REGTEST);

/** Core's names of what a script is. */
export type ScriptKind =
  | 'anchor'
  | 'multisig'
  | 'nonstandard'
  | 'nulldata'
  | 'pubkey'
  | 'pubkeyhash'
  | 'scripthash'
  | 'witness_unknown'
  | 'witness_v0_keyhash'
  | 'witness_v0_scripthash'
  | 'witness_v1_taproot';

const KINDS: Readonly<Record<string, ScriptKind>> = {
  ms: 'multisig',
  pk: 'pubkey',
  pkh: 'pubkeyhash',
  sh: 'scripthash',
  wpkh: 'witness_v0_keyhash',
  wsh: 'witness_v0_scripthash',
  tr: 'witness_v1_taproot',
};
const DUST_RATE = 3;
const LARGEST_DATA_SCRIPT = 83;

export function kindOf(script: string): ScriptKind {
  if (script.startsWith('6a')) return script.length / 2 <= LARGEST_DATA_SCRIPT ? 'nulldata' : 'nonstandard';
  if (script === '51024e73') return 'anchor';
  const kind = KINDS[decoded(script)?.type ?? ''];
  if (kind !== undefined) return kind;
  return isWitnessProgram(script) && !script.startsWith('00') ? 'witness_unknown' : 'nonstandard';
}

/** The address of a script; null where it has none. */
export function addressOf(script: string): string | null {
  const known = decoded(script);
  if (known === undefined) return null;
  try {
    return addresses.encode(known);
  } catch {
    return null;
  }
}

/** The script to which an address pays; null when it is no address of regtest. */
export function scriptOf(address: string): string | null {
  try {
    return hex.encode(OutScript.encode(addresses.decode(address)));
  } catch {
    return null;
  }
}

/** The least that an output is worth spending for, in satoshis, as Core has it at 3 sat/vB. */
export function dustThreshold(script: string): number {
  if (script.startsWith('6a')) return 0;
  const bytes = script.length / 2;
  return DUST_RATE * (8 + 1 + bytes + (isWitnessProgram(script) ? 67 : 148));
}

export const isDust = ({ value, script }: Output): boolean => value < dustThreshold(script);

/** BIP 141: a version from 0 to 16, then one push of 2 to 40 bytes. */
function isWitnessProgram(script: string): boolean {
  const bytes = Buffer.from(script, 'hex');
  const [version = -1, pushed = 0] = bytes;
  return (
    (version === 0 || (version >= 0x51 && version <= 0x60)) &&
    pushed >= 2 &&
    pushed <= 40 &&
    bytes.length === pushed + 2
  );
}

function decoded(script: string) {
  try {
    return OutScript.decode(hex.decode(script));
  } catch {
    return undefined;
  }
}
