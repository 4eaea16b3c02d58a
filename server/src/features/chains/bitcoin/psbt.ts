import { base64, hex } from '@scure/base';
import { RawPSBTV0 } from '@scure/btc-signer/psbt.js';
import { equalBytes, hash160 } from '@scure/btc-signer/utils.js';
import { invariant } from '../../../platform/domain-error.ts';
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

function encode({ inputs, outputs }: PsbtContent): Uint8Array {
  return RawPSBTV0.encode({
    global: {
      unsignedTx: {
        version: transactionVersion,
        inputs: inputs.map(({ hash, index }) => ({
          txid: bytesOf(hash),
          index,
          finalScriptSig: new Uint8Array(),
          sequence: replaceableSequence,
        })),
        outputs: outputs.map(({ script, amountMinor }) => ({ amount: amountMinor, script: bytesOf(script) })),
        lockTime,
      },
    },
    inputs: inputs.map(({ amountMinor, script, origin }) => ({
      witnessUtxo: { amount: amountMinor, script: bytesOf(script) },
      sighashType: sighashAll,
      ...derivationOf(origin),
    })),
    outputs: outputs.map(({ origin }) => derivationOf(origin)),
  });
}

function derivationOf(origin: KeyOrigin | null) {
  if (!origin) return {};
  const { publicKey, fingerprint, path } = origin;
  const derivation: [Uint8Array<ArrayBuffer>, { fingerprint: number; path: number[] }] = [
    new Uint8Array(publicKey),
    { fingerprint, path: [...path] },
  ];
  return { bip32Derivation: [derivation] };
}

const bytesOf = (text: string) => new Uint8Array(hex.decode(text));

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
