import { isWholeAddress } from '@causeway/contract/address-forms.ts';
import { bech32, bech32m, createBase58check, hex } from '@scure/base';
import { PubT, sha256, validatePubkey } from '@scure/btc-signer/utils.js';
import type { BitcoinNetwork } from '../../../platform/config/chains.ts';
import { invariant } from '../../../platform/domain-error.ts';
import { refusal } from '../../ledger/index.ts';

/** Bitcoin addresses (Base58Check, BIP 173, BIP 350): how they are read, and which are no one's. */

/** What marks an address's network. Those of `test` and `signet` are the same. */
interface Marks {
  bech32: string;
  pubKeyHash: number;
  scriptHash: number;
}

const testMarks: Marks = { bech32: 'tb', pubKeyHash: 0x6f, scriptHash: 0xc4 };

/** In the form that the library takes as a network. */
export const networkMarks: Readonly<Record<BitcoinNetwork, Marks>> = {
  main: { bech32: 'bc', pubKeyHash: 0x00, scriptHash: 0x05 },
  test: testMarks,
  signet: testMarks,
  regtest: { ...testMarks, bech32: 'bcrt' },
};

/** An address as its text says it. */
interface Decoded {
  kind: 'p2pkh' | 'p2sh' | 'witness';
  /** Of the witness program; null for Base58. */
  version: number | null;
  payload: Uint8Array;
  networks: readonly BitcoinNetwork[];
}

const base58check = createBase58check(sha256);
const everyNetwork: readonly BitcoinNetwork[] = ['main', 'test', 'signet', 'regtest'];
const bech32Prefix = /^(bcrt|bc|tb)1/i;

export function hasForm(text: string): boolean {
  return isWholeAddress(text, 'bitcoin');
}

/**
 * Reads an address to which the network's coins can be sent: P2PKH, P2SH, SegWit version 0, Taproot. Witness versions that have no
 * meaning yet are refused: any miner may take what is sent to them.
 * @returns the address as its chain writes it: Bech32 in lower case
 * @throws DomainError addressInvalid, addressChecksum, addressNetwork, addressReserved on the field named
 */
export function readAddress(network: BitcoinNetwork, text: string, field = 'address'): string {
  if (!hasForm(text)) throw refusal('addressInvalid', {}, field);
  const decoded = decode(text);
  if (decoded === null) throw refusal('addressChecksum', {}, field);
  if (!isSupported(decoded)) throw refusal('addressInvalid', {}, field);
  if (!decoded.networks.includes(network)) {
    throw refusal('addressNetwork', { network: decoded.networks[0] ?? '' }, field);
  }
  if (isOwnerless(decoded)) throw refusal('addressReserved', {}, field);
  return keyOf(text);
}

/** Whether no one can have the key of an address. */
export function isReserved(address: string): boolean {
  const decoded = hasForm(address) ? decode(address) : null;
  return decoded !== null && isOwnerless(decoded);
}

/** Case tells two Base58 addresses apart; Bech32 is read in either. */
export function keyOf(address: string): string {
  return bech32Prefix.test(address) ? address.toLowerCase() : address;
}

/** What a hurried eye compares: four characters after those that addresses of a kind have in common, and the last four. */
export function likenessOf(address: string): string {
  const prefix = bech32Prefix.exec(address)?.[0].length ?? 0;
  return (address.slice(prefix + 1, prefix + 5) + address.slice(-4)).toLowerCase();
}

/** Kinds of scripts that have addresses. */
export type AddressKind = 'p2pkh' | 'p2sh' | 'p2wpkh' | 'p2wsh' | 'p2tr';

/** The kind of the script of an address that was read. */
export function addressKindOf(address: string): AddressKind {
  const decoded = decode(address);
  invariant(decoded !== null && isSupported(decoded), `${address} is an address of a payee`);
  if (decoded.kind !== 'witness') return decoded.kind;
  if (decoded.version === 1) return 'p2tr';
  return decoded.payload.length === 32 ? 'p2wsh' : 'p2wpkh';
}

/** The P2WPKH address of the hash of a public key. */
export function keyHashAddress(hash: Uint8Array, network: BitcoinNetwork): string {
  return bech32.encode(networkMarks[network].bech32, [0, ...bech32.toWords(hash)]);
}

/** The address of a script; null where it has none that could be paid here. */
export function scriptAddress(script: Uint8Array, network: BitcoinNetwork): string | null {
  const { bech32: prefix, pubKeyHash, scriptHash } = networkMarks[network];
  const [first, second] = script;
  const { length } = script;
  // OP_0 or OP_1, and a push of the program.
  if (second === length - 2 && first === 0 && (length === 22 || length === 34)) {
    return bech32.encode(prefix, [0, ...bech32.toWords(script.subarray(2))]);
  }
  if (second === 32 && first === 0x51 && length === 34) {
    return bech32m.encode(prefix, [1, ...bech32m.toWords(script.subarray(2))]);
  }
  // OP_DUP OP_HASH160 <20> OP_EQUALVERIFY OP_CHECKSIG
  if (
    length === 25 &&
    first === 0x76 &&
    second === 0xa9 &&
    script[2] === 20 &&
    script[23] === 0x88 &&
    script[24] === 0xac
  ) {
    return base58check.encode(Uint8Array.of(pubKeyHash, ...script.subarray(3, 23)));
  }
  // OP_HASH160 <20> OP_EQUAL
  if (length === 23 && first === 0xa9 && second === 20 && script[22] === 0x87) {
    return base58check.encode(Uint8Array.of(scriptHash, ...script.subarray(2, 22)));
  }
  return null;
}

/** Null when the checksum does not hold, which Bech32 in mixed case counts as (BIP 173). */
function decode(text: string): Decoded | null {
  return bech32Prefix.test(text) ? decodeBech32(text) : decodeBase58(text);
}

function decodeBase58(text: string): Decoded | null {
  let bytes: Uint8Array;
  try {
    bytes = base58check.decode(text);
  } catch {
    return null;
  }
  const [mark] = bytes;
  const having = (name: 'pubKeyHash' | 'scriptHash') =>
    everyNetwork.filter((network) => networkMarks[network][name] === mark);
  const [keys, scripts] = [having('pubKeyHash'), having('scriptHash')];
  return {
    kind: keys.length > 0 ? 'p2pkh' : 'p2sh',
    version: null,
    payload: bytes.subarray(1),
    networks: [...keys, ...scripts],
  };
}

function decodeBech32(text: string): Decoded | null {
  for (const [coder, fits] of [
    [bech32, (version: number) => version === 0],
    [bech32m, (version: number) => version > 0],
  ] as const) {
    const decoded = coder.decodeUnsafe(text);
    if (!decoded) continue;
    const [version = 0, ...words] = decoded.words;
    // Version 0 has the one checksum, all others have the other (BIP 350).
    if (!fits(version)) return null;
    const payload = coder.fromWordsUnsafe(words);
    const prefix = decoded.prefix.toLowerCase();
    const networks = everyNetwork.filter((network) => networkMarks[network].bech32 === prefix);
    return { kind: 'witness', version, payload: payload ? Uint8Array.from(payload) : new Uint8Array(), networks };
  }
  return null;
}

function isSupported({ kind, version, payload, networks }: Decoded): boolean {
  if (networks.length === 0) return false;
  if (kind !== 'witness') return payload.length === 20;
  if (version === 0) return payload.length === 20 || payload.length === 32;
  return version === 1 && payload.length === 32;
}

/** Hashes of well-known burn addresses: 1BitcoinEaterAddressDontSendf59kuE, 1CounterpartyXXXXXXXXXXXXXXXUWLpVr. */
const burning = new Set(['759d6677091e973b9e9d99f19c68fbf43e3f05f9', '818895f3dc2c178629d3d2d8fa3ec4a3f8179821']);

/** One byte repeated, a known burn address, or a Taproot key that is no point of the curve (BIP 341). */
function isOwnerless({ version, payload }: Decoded): boolean {
  return (
    payload.every((byte) => byte === payload[0]) ||
    burning.has(hex.encode(payload)) ||
    (version === 1 && !isCurvePoint(payload))
  );
}

function isCurvePoint(key: Uint8Array): boolean {
  try {
    validatePubkey(key, PubT.schnorr);
    return true;
  } catch {
    return false;
  }
}
