import type { BitcoinNetwork } from '../../../platform/config/chains.ts';
import { keyHashAddress, scriptAddress } from './addresses.ts';
import { bytesOf, doubleHash, hashText, keyHash, MalformedBytes, Reader } from './bytes.ts';
import type { BitcoinTransaction } from './gateway.ts';

/** Transactions as their bytes say them (BIP 141, BIP 144). */

export interface RawInput {
  /** The txid of the output's transaction. */
  hash: string;
  index: number;
  sequence: number;
  /** The public key that a P2WPKH input shows; null for every input of another form. */
  publicKey: Buffer | null;
}

export interface RawOutput {
  amountMinor: bigint;
  script: Buffer;
}

/** Addresses are worked out where they are wanted: a block has thousands. */
export interface RawTransaction {
  /** The txid in the order of its bytes, for the Merkle tree. */
  id: Buffer;
  hash: string;
  /** The hash with the witnesses. */
  witnessId: Buffer;
  inputs: readonly RawInput[];
  outputs: readonly RawOutput[];
  /** The first input's stack of witnesses; a block's first transaction keeps a value of the commitment there (BIP 141). */
  firstWitness: readonly Buffer[];
  vsize: number;
  /** Without witnesses, in bytes. */
  strippedSize: number;
}

const noHash = '0'.repeat(64);

/** Whether a transaction makes new coins: it spends nothing. */
export function isCoinbase({ inputs }: Pick<RawTransaction, 'inputs'>): boolean {
  return inputs.length === 1 && inputs[0]?.hash === noHash;
}

/** @throws MalformedBytes when the bytes are not exactly one transaction */
export function readTransaction(bytes: Uint8Array): RawTransaction {
  const reader = new Reader(bytes);
  const transaction = takeTransaction(reader);
  if (!reader.isAtEnd) throw new MalformedBytes('bytes after the transaction');
  return transaction;
}

/** The transaction of these bytes, which has to have the id. @throws MalformedBytes */
export function readTransactionOf(hash: string, hex: string): RawTransaction {
  const transaction = readTransaction(bytesOf(hex));
  if (transaction.hash !== hash) throw new MalformedBytes(`the bytes are of ${transaction.hash}, not of ${hash}`);
  return transaction;
}

/** Reads one transaction and leaves the reader behind it. @throws MalformedBytes */
export function takeTransaction(reader: Reader): RawTransaction {
  const { bytes } = reader;
  const start = reader.offset;
  reader.take(4);
  const hasWitness = bytes[reader.offset] === 0;
  if (hasWitness && (reader.uint8() !== 0 || reader.uint8() !== 1)) throw new MalformedBytes('an unknown marker');
  const body = reader.offset;
  const signed: boolean[] = [];
  const inputs = Array.from({ length: reader.count() }, (): RawInput => {
    const input = { hash: hashText(reader.take(32)), index: reader.uint32() };
    signed.push(reader.sized().length > 0);
    return { ...input, sequence: reader.uint32(), publicKey: null };
  });
  const outputs = Array.from(
    { length: reader.count() },
    (): RawOutput => ({ amountMinor: reader.uint64(), script: reader.sized() }),
  );
  const bodyEnd = reader.offset;
  let firstWitness: Buffer[] = [];
  if (hasWitness) {
    for (const [place, input] of inputs.entries()) {
      const stack = Array.from({ length: reader.count() }, () => reader.sized());
      if (place === 0) firstWitness = stack;
      if (signed[place] === false) input.publicKey = shownKey(stack);
    }
  }
  const lockTime = reader.take(4);
  const version = bytes.subarray(start, start + 4);
  const id = doubleHash(version, bytes.subarray(body, bodyEnd), lockTime);
  const strippedSize = 8 + bodyEnd - body;
  const size = reader.offset - start;
  return {
    id,
    hash: hashText(id),
    witnessId: hasWitness ? doubleHash(bytes.subarray(start, reader.offset)) : id,
    inputs,
    outputs,
    firstWitness,
    vsize: Math.ceil((strippedSize * 3 + size) / 4),
    strippedSize,
  };
}

/** A signature and a compressed key (BIP 141). Other witnesses can look the same: what is spent has the last word. */
function shownKey([signature, key, ...others]: readonly Buffer[]): Buffer | null {
  if (signature === undefined || key === undefined || others.length > 0) return null;
  return key.length === 33 && (key[0] === 2 || key[0] === 3) ? key : null;
}

/** The P2WPKH address whose key an input shows. */
export function inputAddress(input: RawInput, network: BitcoinNetwork): string | null {
  return input.publicKey && keyHashAddress(keyHash(input.publicKey), network);
}

/** With the addresses worked out. */
export function asTransaction(raw: RawTransaction, network: BitcoinNetwork): BitcoinTransaction {
  return {
    hash: raw.hash,
    inputs: raw.inputs.map((input) => ({
      hash: input.hash,
      index: input.index,
      sequence: input.sequence,
      address: inputAddress(input, network),
    })),
    outputs: raw.outputs.map(({ amountMinor, script }) => ({
      amountMinor,
      script: script.toString('hex'),
      address: scriptAddress(script, network),
    })),
    vsize: raw.vsize,
  };
}
