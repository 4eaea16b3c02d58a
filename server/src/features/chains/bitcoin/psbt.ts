import { base64, hex } from '@scure/base';
import { RawPSBTV0 } from '@scure/btc-signer/psbt.js';
import { equalBytes, hash160 } from '@scure/btc-signer/utils.js';
import { invariant } from '../../../platform/domain-error.ts';
import { Writer } from './bytes.ts';
import type { Outpoint } from './gateway.ts';
import { scriptKindOf } from './sizes.ts';

/**
 * The PSBT (BIP 174, version 0) in which the worker says what a transaction spends and pays. There is one form of it for one transaction: the
 * signer reads no other field, order or value, since it would sign without it.
 */

/** Where a key is (BIP 32): below the account that the fingerprint names, not hardened, so that its extended public key gives it too. */
export interface KeyOrigin {
  publicKey: Uint8Array;
  fingerprint: number;
  path: readonly number[];
}

export interface PsbtInput extends Outpoint {
  amountMinor: bigint;
  /** Hexadecimal, as in `Script`. */
  script: string;
  /** Null where the key is not below the companies' account. */
  origin: KeyOrigin | null;
}

export interface PsbtOutput {
  script: string;
  amountMinor: bigint;
  /** Of change; null of what others get. */
  origin: KeyOrigin | null;
}

export interface PsbtContent {
  inputs: readonly PsbtInput[];
  outputs: readonly PsbtOutput[];
}

/** As nodes forward it: relative locks could be used, and are not. */
export const transactionVersion = 2;
/** Valid in any block. */
export const lockTime = 0;
/** Another transaction may take its place while it waits (BIP 125). */
export const replaceableSequence = 0xfffffffd;
/** SIGHASH_ALL: a signature is over every input and output. */
export const sighashAll = 1;

/** The PSBT of a transaction in base64. */
export function writePsbt(content: PsbtContent): string {
  return base64.encode(encode(content));
}

/** The types of the fields that it has (BIP 174). */
const field = { unsignedTx: 0x00, witnessUtxo: 0x01, sighashType: 0x03, inputDerivation: 0x06, outputDerivation: 0x02 };

/** The library takes several seconds to write a thousand inputs; it reads them at once. */
function encode({ inputs, outputs }: PsbtContent): Uint8Array {
  const transaction = new Writer().uint32(transactionVersion).count(inputs.length);
  for (const { hash, index } of inputs) {
    transaction.bytes(bytesOf(hash).reverse()).uint32(index).count(0).uint32(replaceableSequence);
  }
  transaction.count(outputs.length);
  for (const { script, amountMinor } of outputs) transaction.uint64(amountMinor).sized(bytesOf(script));
  transaction.uint32(lockTime);

  const writer = new Writer();
  const derivation = (type: number, origin: KeyOrigin | null) => {
    if (!origin) return;
    const { publicKey, fingerprint, path } = origin;
    const value = new Writer().bytes(bigEndian(fingerprint));
    for (const step of path) value.uint32(step);
    writer.sized(Uint8Array.of(type, ...publicKey)).sized(value.written());
  };
  writer.bytes(magic).sized(Uint8Array.of(field.unsignedTx)).sized(transaction.written()).count(0);
  for (const { amountMinor, script, origin } of inputs) {
    const spent = new Writer().uint64(amountMinor).sized(bytesOf(script));
    writer.sized(Uint8Array.of(field.witnessUtxo)).sized(spent.written());
    writer.sized(Uint8Array.of(field.sighashType)).sized(new Writer().uint32(sighashAll).written());
    derivation(field.inputDerivation, origin);
    writer.count(0);
  }
  for (const { origin } of outputs) {
    derivation(field.outputDerivation, origin);
    writer.count(0);
  }
  return writer.written();
}

const magic = Uint8Array.of(0x70, 0x73, 0x62, 0x74, 0xff);
const bytesOf = (text: string) => new Uint8Array(hex.decode(text));

/** As a fingerprint is written, alone among the numbers. */
function bigEndian(value: number): Uint8Array {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

/**
 * What a PSBT says.
 * @throws Error when it is none, or not in the form of `writePsbt`
 */
export function readPsbt(text: string): PsbtContent {
  const bytes = base64.decode(text);
  const { global, inputs, outputs } = RawPSBTV0.decode(bytes);
  const { unsignedTx } = global;
  invariant(unsignedTx, 'a PSBT of version 0 has its transaction');
  const content: PsbtContent = {
    inputs: unsignedTx.inputs.map(({ txid, index }: SpentOutpoint, place: number) => {
      const { witnessUtxo, bip32Derivation } = inputs[place] ?? {};
      invariant(witnessUtxo, 'every input says what it spends');
      const script = hex.encode(witnessUtxo.script);
      invariant(scriptKindOf(script) === 'p2wpkh', 'every input is of our own kind');
      const origin = originOf(bip32Derivation, witnessUtxo.script);
      return { hash: hex.encode(txid), index, amountMinor: witnessUtxo.amount, script, origin };
    }),
    outputs: unsignedTx.outputs.map(({ amount, script }: Paid, place: number) => {
      const written = hex.encode(script);
      invariant(scriptKindOf(written) !== null, 'every output has an address');
      return { script: written, amountMinor: amount, origin: originOf(outputs[place]?.bip32Derivation, script) };
    }),
  };
  // Version, lock time, sequences, the kind of signature, and every field that is not ours.
  invariant(equalBytes(encode(content), bytes), 'the PSBT has the form in which the worker writes it');
  return content;
}

/** As the library decodes the transaction of a PSBT, of which its types say less. */
interface SpentOutpoint {
  txid: Uint8Array;
  index: number;
}
interface Paid {
  amount: bigint;
  script: Uint8Array;
}

type Derivations = readonly (readonly [Uint8Array, { fingerprint: number; path: readonly number[] }])[];

function originOf(derivations: Derivations | undefined, script: Uint8Array): KeyOrigin | null {
  if (derivations === undefined) return null;
  const [[publicKey, { fingerprint, path }] = [new Uint8Array(), { fingerprint: 0, path: [] }]] = derivations;
  // A P2WPKH script is its version, a length, and the hash of the key.
  invariant(equalBytes(hash160(publicKey), script.subarray(2)), 'the key is the one that the script names');
  return { publicKey, fingerprint, path };
}
