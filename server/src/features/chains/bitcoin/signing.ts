import { hex } from '@scure/base';
import { Transaction } from '@scure/btc-signer';
import { RawOutput } from '@scure/btc-signer/script.js';
import { concatBytes, sha256x2, signECDSA } from '@scure/btc-signer/utils.js';
import type { SignedBytes } from '../signer/family.ts';
import { keyHash } from './bytes.ts';
import type { Outpoint } from './gateway.ts';
import type { BitcoinKey } from './keys.ts';
import { lockTime, replaceableSequence, sighashAll, transactionVersion } from './psbt.ts';

/** A transaction of P2WPKH inputs. Scripts in hexadecimal. */
interface Unsigned<I extends Outpoint & { amountMinor: bigint }> {
  inputs: readonly I[];
  outputs: readonly { script: string; amountMinor: bigint }[];
}

type Spending = Outpoint & { amountMinor: bigint; sequence: number; publicKey: Uint8Array };

/**
 * Signs every input with its key, over all inputs and outputs: the same bytes each time (RFC 6979).
 * @returns the transaction in hexadecimal, and its id
 */
export function signTransaction({
  inputs,
  outputs,
}: Unsigned<Outpoint & { amountMinor: bigint; key: BitcoinKey }>): SignedBytes {
  const spending = inputs.map(({ key, ...input }) => ({
    ...input,
    sequence: replaceableSequence,
    publicKey: key.publicKey,
  }));
  const digests = digestsOf({ version: transactionVersion, lockTime, inputs: spending, outputs });
  const transaction = new Transaction({ version: transactionVersion, lockTime });
  for (const { hash, index, amountMinor, key } of inputs) {
    const script = concatBytes(witnessVersion0, keyHash(key.publicKey));
    const witnessUtxo = { script, amount: amountMinor };
    transaction.addInput({ txid: hash, index, sequence: replaceableSequence, witnessUtxo });
  }
  for (const { script, amountMinor } of outputs)
    transaction.addOutput({ script: hex.decode(script), amount: amountMinor });
  for (const [place, { key }] of inputs.entries()) {
    const signature = signECDSA(digests[place] ?? new Uint8Array(), key.privateKey);
    const finalScriptWitness = [concatBytes(signature, Uint8Array.of(sighashAll)), key.publicKey];
    transaction.updateInput(place, { finalScriptWitness }, true);
  }
  return { raw: transaction.hex, hash: transaction.id };
}

/**
 * What the key of each input signs (BIP 143). The library computes the common hashes again for each input, which takes seconds where there are
 * a thousand.
 */
export function digestsOf({
  version,
  lockTime: locked,
  inputs,
  outputs,
}: Unsigned<Spending> & { version: number; lockTime: number }): Uint8Array[] {
  const outpoints = inputs.map(({ hash, index }) => concatBytes(hex.decode(hash).reverse(), u32(index)));
  const hashPrevouts = sha256x2(...outpoints);
  const hashSequence = sha256x2(...inputs.map(({ sequence }) => u32(sequence)));
  const hashOutputs = sha256x2(
    ...outputs.map(({ script, amountMinor }) => RawOutput.encode({ script: hex.decode(script), amount: amountMinor })),
  );
  return inputs.map(({ amountMinor, sequence, publicKey }, place) =>
    sha256x2(
      u32(version),
      hashPrevouts,
      hashSequence,
      outpoints[place] ?? new Uint8Array(),
      // The script code of P2WPKH is the P2PKH script of its key.
      concatBytes(p2pkhStart, keyHash(publicKey), p2pkhEnd),
      u64(amountMinor),
      u32(sequence),
      hashOutputs,
      u32(locked),
      u32(sighashAll),
    ),
  );
}

/** Scripts around the hash of a key; the library would first have the key's point computed, for each input. */
const witnessVersion0 = Uint8Array.of(0x00, 0x14);
/** With its own length before it. */
const p2pkhStart = Uint8Array.of(0x19, 0x76, 0xa9, 0x14);
const p2pkhEnd = Uint8Array.of(0x88, 0xac);

/** Little-endian. */
function u32(value: number): Uint8Array {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, value, true);
  return bytes;
}

function u64(value: bigint): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, value, true);
  return bytes;
}
