import { RawTransaction } from './bcoin.ts';

/** An output by its transaction's id and its position. */
export interface Outpoint {
  txid: string;
  vout: number;
}

export interface Input extends Outpoint {
  /** Hexadecimal, as is the witness. */
  script: string;
  witness: readonly string[];
  sequence: number;
}

export interface Output {
  /** Satoshis. */
  value: number;
  /** Hexadecimal. */
  script: string;
}

/** A transaction read once; ids as explorers show them, bytes in hexadecimal. */
export interface Transaction {
  txid: string;
  wtxid: string;
  raw: string;
  version: number;
  locktime: number;
  size: number;
  vsize: number;
  weight: number;
  isCoinbase: boolean;
  inputs: readonly Input[];
  outputs: readonly Output[];
  /** As bcoin reads it: the input of its script interpreter. */
  parsed: RawTransaction;
}

export const outpointKey = ({ txid, vout }: Outpoint): string => `${txid}:${vout}`;

/** Reads a serialized transaction; null when the bytes are none, or not exactly one. */
export function readTransaction(raw: string): Transaction | null {
  if (!/^([0-9a-f]{2})+$/i.test(raw)) return null;
  try {
    const parsed = RawTransaction.fromRaw(Buffer.from(raw, 'hex'));
    // bcoin ignores what follows the transaction.
    return parsed.toRaw().length * 2 === raw.length ? describe(parsed) : null;
  } catch {
    return null;
  }
}

export function describe(parsed: RawTransaction): Transaction {
  return {
    txid: parsed.txid(),
    wtxid: parsed.wtxid(),
    raw: parsed.toRaw().toString('hex'),
    version: parsed.version,
    locktime: parsed.locktime,
    size: parsed.getSize(),
    vsize: parsed.getVirtualSize(),
    weight: parsed.getWeight(),
    isCoinbase: parsed.isCoinbase(),
    inputs: parsed.inputs.map(({ prevout, script, witness, sequence }) => ({
      txid: prevout.rhash(),
      vout: prevout.index,
      script: script.toRaw().toString('hex'),
      witness: witness.items.map((item) => item.toString('hex')),
      sequence,
    })),
    outputs: parsed.outputs.map(({ value, script }) => ({ value, script: script.toRaw().toString('hex') })),
    parsed,
  };
}

/** BIP 125: whether the transaction itself allows another to take its place. */
export const signalsReplacement = ({ inputs }: Transaction): boolean =>
  inputs.some(({ sequence }) => sequence < 0xfffffffe);
