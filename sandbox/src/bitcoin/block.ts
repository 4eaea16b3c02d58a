import { createHash } from 'node:crypto';
import { Network, RawBlock } from './bcoin.ts';
import { describe, type Transaction } from './transaction.ts';

export interface Block {
  /** As explorers show it, as are the other hashes. */
  hash: string;
  height: number;
  version: number;
  previous: string;
  merkleRoot: string;
  /** Seconds since 1970. */
  time: number;
  bits: number;
  nonce: number;
  /** Hexadecimal. */
  raw: string;
  size: number;
  strippedSize: number;
  weight: number;
  transactions: readonly Transaction[];
}

export interface BlockParts {
  previous: string;
  height: number;
  time: number;
  /** To which the reward is paid, in hexadecimal. */
  script: string;
  /** Fees of the transactions, in satoshis. */
  fees: number;
  transactions: readonly Transaction[];
}

export const HEADER_DIGITS = 160;
/** The easiest target: half of all hashes meet it. */
export const REGTEST_BITS = 0x207fffff;
const VERSION = 0x20000000;
const HALVING_INTERVAL = 150;
const FIRST_REWARD = 50_0000_0000;
const NOTHING = '00'.repeat(32);

/** The first block of regtest, the same everywhere. */
export const genesis = (): Block => readBlock(Network.get('regtest').genesisBlock, 0);

export function readBlock(raw: string, height: number): Block {
  const parsed = RawBlock.fromRaw(Buffer.from(raw, 'hex'));
  return {
    hash: parsed.rhash(),
    height,
    version: parsed.version,
    previous: reversed(raw.slice(8, 72)),
    merkleRoot: reversed(raw.slice(72, 136)),
    time: parsed.time,
    bits: parsed.bits,
    nonce: parsed.nonce,
    raw,
    size: parsed.getSize(),
    strippedSize: parsed.getBaseSize(),
    weight: parsed.getWeight(),
    transactions: parsed.txs.map(describe),
  };
}

/** Makes a block with its coinbase (BIP 34), its commitment to witnesses (BIP 141) and its proof of work. */
export function makeBlock(parts: BlockParts): Block {
  const reward = Math.floor(FIRST_REWARD / 2 ** Math.floor(parts.height / HALVING_INTERVAL)) + parts.fees;
  const commitment = doubleHash(
    merkleRoot([NOTHING, ...parts.transactions.map(({ wtxid }) => reversed(wtxid))]) + NOTHING,
  );
  // The time makes it another one than that of a block that was replaced.
  const start = `${pushHeight(parts.height)}0b${little(parts.time, 4)}${hexOf('sandbox')}`;
  const body =
    `01${NOTHING}ffffffff${compactSize(start.length / 2)}${start}ffffffff02` +
    `${little(reward, 8)}${compactSize(parts.script.length / 2)}${parts.script}` +
    `${little(0, 8)}266a24aa21a9ed${commitment}`;
  const coinbase = `020000000001${body}0120${NOTHING}00000000`;
  const root = merkleRoot([
    doubleHash(`02000000${body}00000000`),
    ...parts.transactions.map(({ txid }) => reversed(txid)),
  ]);
  const header = solve(
    `${little(VERSION, 4)}${reversed(parts.previous)}${root}${little(parts.time, 4)}${little(REGTEST_BITS, 4)}`,
  );
  const count = compactSize(parts.transactions.length + 1);
  return readBlock(header + count + coinbase + parts.transactions.map(({ raw }) => raw).join(''), parts.height);
}

/** A header without its nonce, completed by the first nonce that meets regtest's target. */
export function solve(header: string): string {
  for (let nonce = 0; ; nonce += 1) {
    const solved = header + little(nonce, 4);
    // Little-endian: the last byte is the highest, and the target begins with 7f.
    if (Number.parseInt(doubleHash(solved).slice(-2), 16) < 0x7f) return solved;
  }
}

/** Of hashes in the order of their bytes. */
export function merkleRoot(leaves: readonly string[]): string {
  if (leaves.length <= 1) return leaves[0] ?? NOTHING;
  const parents: string[] = [];
  for (let index = 0; index < leaves.length; index += 2) {
    const left = leaves[index] ?? '';
    parents.push(doubleHash(left + (leaves[index + 1] ?? left)));
  }
  return merkleRoot(parents);
}

/** SHA-256 twice over hexadecimal bytes. */
export function doubleHash(bytes: string): string {
  const once = createHash('sha256').update(bytes, 'hex').digest();
  return createHash('sha256').update(once).digest('hex');
}

/** Hexadecimal bytes in the opposite order. */
export const reversed = (bytes: string): string => Buffer.from(bytes, 'hex').reverse().toString('hex');

export function little(value: number, bytes: number): string {
  const buffer = Buffer.alloc(8);
  buffer.writeBigUInt64LE(BigInt(value));
  return buffer.toString('hex', 0, bytes);
}

export function compactSize(value: number): string {
  if (value < 0xfd) return little(value, 1);
  return value <= 0xffff ? `fd${little(value, 2)}` : `fe${little(value, 4)}`;
}

/** As a script pushes a number, in the fewest bytes (BIP 34). */
function pushHeight(height: number): string {
  if (height <= 16) return little(0x50 + height, 1);
  const bytes = height <= 0x7f ? 1 : height <= 0x7fff ? 2 : 3;
  return little(bytes, 1) + little(height, bytes);
}

const hexOf = (text: string): string => Buffer.from(text).toString('hex');
