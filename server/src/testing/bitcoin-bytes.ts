import { hex } from '@scure/base';
import { Address, OutScript, RawTx } from '@scure/btc-signer';
import { networkMarks } from '../features/chains/bitcoin/addresses.ts';
import { doubleHash, hashText, merkleRoot } from '../features/chains/bitcoin/bytes.ts';
import type { BitcoinNetwork } from '../platform/config/chains.ts';

/** Transactions and blocks of Bitcoin in their bytes, written by the library and not by what reads them. Signatures are not real. */

export interface MadeInput {
  hash: string;
  index: number;
  /** A P2WPKH input shows it. */
  publicKey?: Uint8Array | undefined;
  /** Another witness in its place. */
  witness?: readonly Uint8Array[];
  sequence?: number;
}

export interface MadeOutput {
  script: Uint8Array;
  amount: bigint;
}

export interface MadeTransaction {
  hash: string;
  bytes: Uint8Array;
  inputs: readonly MadeInput[];
  outputs: readonly MadeOutput[];
}

/** Replaceable, as ours are. */
const replaceable = 0xfffffffd;
const signature = Uint8Array.from({ length: 71 }, (_, index) => (index === 0 ? 0x30 : index));

export function payingTo(address: string, amount: bigint, network: BitcoinNetwork = 'regtest'): MadeOutput {
  return { script: OutScript.encode(Address({ ...networkMarks[network], wif: 0 }).decode(address)), amount };
}

export function madeTransaction({
  inputs,
  outputs,
}: {
  inputs: readonly MadeInput[];
  outputs: readonly MadeOutput[];
}): MadeTransaction {
  const witnesses = inputs.map(({ publicKey, witness }) => [...(witness ?? (publicKey ? [signature, publicKey] : []))]);
  const segwitFlag = witnesses.some((stack) => stack.length > 0);
  const transaction = {
    version: 2,
    inputs: inputs.map(({ hash, index, publicKey, witness, sequence = replaceable }) => ({
      txid: hex.decode(hash),
      index,
      // An input that shows no key is signed in its script.
      finalScriptSig: publicKey || witness ? new Uint8Array() : Uint8Array.of(1, 1),
      sequence,
    })),
    outputs: [...outputs],
    lockTime: 0,
  };
  const bytes = RawTx.encode({ ...transaction, segwitFlag, ...(segwitFlag && { witnesses }) });
  const stripped = RawTx.encode({ ...transaction, segwitFlag: false });
  return { hash: hashText(doubleHash(stripped)), bytes, inputs, outputs };
}

export interface MadeBlock {
  hash: string;
  parentHash: string;
  height: number;
  header: Uint8Array;
  bytes: Uint8Array;
  /** The first makes the miner's coins. */
  transactions: readonly MadeTransaction[];
}

interface BlockParts {
  parentHash: string;
  height: number;
  transactions: readonly MadeTransaction[];
  /** To whom new coins go. */
  reward?: MadeOutput;
  /** Tells two blocks of the same content apart. */
  nonce?: number;
}

/** A block with the commitment to its witnesses (BIP 141). Its work is not done: nothing here looks at it. */
export function madeBlock({ parentHash, height, transactions, reward, nonce = 0 }: BlockParts): MadeBlock {
  const reserved = Buffer.alloc(32);
  const witnessRoot = merkleRoot([Buffer.alloc(32), ...transactions.map(({ bytes }) => doubleHash(bytes))]);
  const commitment = Buffer.concat([Buffer.from('6a24aa21a9ed', 'hex'), doubleHash(witnessRoot, reserved)]);
  const mark = Buffer.alloc(8);
  mark.writeUInt32LE(height, 0);
  mark.writeUInt32LE(nonce, 4);
  const coinbase = coinbaseOf([reward ?? { script: mark, amount: 0n }, { script: commitment, amount: 0n }], mark);
  const all = [coinbase, ...transactions];
  const header = Buffer.alloc(80);
  header.writeUInt32LE(0x20000000, 0);
  Buffer.from(parentHash, 'hex').reverse().copy(header, 4);
  merkleRoot(all.map(({ hash }) => Buffer.from(hash, 'hex').reverse())).copy(header, 36);
  header.writeUInt32LE(1_700_000_000 + height * 600, 68);
  const hash = hashText(doubleHash(header));
  const bytes = Buffer.concat([header, countOf(all.length), ...all.map((each) => each.bytes)]);
  return { hash, parentHash, height, header, bytes, transactions: all };
}

/** The library refuses to write a script of a coinbase's length, so that its parts are put together here. */
function coinbaseOf(outputs: readonly MadeOutput[], mark: Buffer): MadeTransaction {
  const body = Buffer.concat([
    Buffer.from([1]),
    Buffer.alloc(32),
    Buffer.from('ffffffff', 'hex'),
    Buffer.from([mark.length]),
    mark,
    Buffer.from('ffffffff', 'hex'),
    countOf(outputs.length),
    ...outputs.flatMap(({ script, amount }) => {
      const value = Buffer.alloc(8);
      value.writeBigUInt64LE(amount);
      return [value, countOf(script.length), Buffer.from(script)];
    }),
  ]);
  const version = Buffer.from('02000000', 'hex');
  const lockTime = Buffer.alloc(4);
  const witness = Buffer.concat([Buffer.from([1, 32]), Buffer.alloc(32)]);
  return {
    hash: hashText(doubleHash(version, body, lockTime)),
    bytes: Buffer.concat([version, Buffer.from([0, 1]), body, witness, lockTime]),
    inputs: [],
    outputs,
  };
}

function countOf(count: number): Buffer {
  if (count < 0xfd) return Buffer.from([count]);
  const bytes = Buffer.alloc(3, 0xfd);
  bytes.writeUInt16LE(count, 1);
  return bytes;
}
