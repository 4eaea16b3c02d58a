import { doubleHash, hashText, MalformedBytes, merkleRoot, Reader } from './bytes.ts';
import { type RawTransaction, takeTransaction } from './transactions.ts';

/**
 * Blocks as their bytes say them. The hash that the nodes agree on commits to every byte of a block, witnesses included, so that the
 * bytes are believed whichever node sends them.
 */

const headerBytes = 80;
/** A transaction of this size could pass for a node of the Merkle tree; none that is standard has it. */
const ambiguousSize = 64;
/** The output of a block's first transaction that commits to the witnesses begins so (BIP 141). */
const commitmentPrefix = Buffer.from('6a24aa21a9ed', 'hex');

export interface RawHeader {
  hash: string;
  parentHash: string;
  /** In the order of its bytes. */
  merkleRoot: Buffer;
  /** When the block was made, by its own account. */
  time: Date;
}

export interface RawBlock extends RawHeader {
  transactions: readonly RawTransaction[];
}

/** @throws MalformedBytes when it is not the header that the hash commits to */
export function readHeader(hash: string, bytes: Uint8Array): RawHeader {
  const reader = new Reader(bytes);
  const found = hashText(doubleHash(reader.take(headerBytes)));
  if (found !== hash) throw new MalformedBytes(`the header is of ${found}, not of ${hash}`);
  const { bytes: header } = reader;
  return {
    hash,
    parentHash: hashText(header.subarray(4, 36)),
    merkleRoot: header.subarray(36, 68),
    time: new Date(header.readUInt32LE(68) * 1000),
  };
}

/** @throws MalformedBytes when the bytes are not the whole block that the hash commits to */
export function readBlock(hash: string, bytes: Uint8Array): RawBlock {
  const header = readHeader(hash, bytes);
  const reader = new Reader(bytes);
  reader.take(headerBytes);
  const transactions = Array.from({ length: reader.count() }, () => takeTransaction(reader));
  if (!reader.isAtEnd) throw new MalformedBytes('bytes after the block');
  const root = merkleRoot(transactions.map(({ id }) => id));
  const isWhole =
    root.equals(header.merkleRoot) &&
    // Repeated transactions can have the root of the true ones (CVE-2012-2459).
    new Set(transactions.map((transaction) => transaction.hash)).size === transactions.length &&
    transactions.every(({ strippedSize }) => strippedSize !== ambiguousSize);
  if (!isWhole) throw new MalformedBytes(`the transactions are not those of block ${hash}`);
  if (!hasItsWitnesses(transactions)) throw new MalformedBytes(`the witnesses are not those of block ${hash}`);
  return { ...header, transactions };
}

/** Without a commitment no transaction of a block has witnesses (BIP 141). */
function hasItsWitnesses([first, ...others]: readonly RawTransaction[]): boolean {
  if (first === undefined) return false;
  const commitment = first.outputs.findLast(
    ({ script }) => script.length >= 38 && script.subarray(0, 6).equals(commitmentPrefix),
  );
  if (commitment === undefined) return [first, ...others].every(({ id, witnessId }) => id.equals(witnessId));
  const root = merkleRoot([Buffer.alloc(32), ...others.map(({ witnessId }) => witnessId)]);
  const [reserved = Buffer.alloc(0)] = first.firstWitness;
  return doubleHash(root, reserved).equals(commitment.script.subarray(6, 38));
}
