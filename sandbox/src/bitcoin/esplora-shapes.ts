import { hex } from '@scure/base';
import { Script } from '@scure/btc-signer';
import type { Block } from './block.ts';
import { difficulty, feeOf, spentOutput, type View } from './core-shapes.ts';
import type { PoolEntry } from './mempool.ts';
import { addressOf, kindOf, type ScriptKind } from './outputs.ts';
import type { Input, Outpoint, Output, Transaction } from './transaction.ts';

/** Blocks, transactions and addresses in the JSON of Esplora (Blockstream's API.md). Amounts are satoshis. */

const KINDS: Readonly<Record<ScriptKind, string>> = {
  anchor: 'anchor',
  multisig: 'multisig',
  nonstandard: 'unknown',
  nulldata: 'op_return',
  pubkey: 'p2pk',
  pubkeyhash: 'p2pkh',
  scripthash: 'p2sh',
  witness_unknown: 'unknown',
  witness_v0_keyhash: 'v0_p2wpkh',
  witness_v0_scripthash: 'v0_p2wsh',
  witness_v1_taproot: 'v1_p2tr',
};

export function blockShape({ chain }: View, block: Block): Record<string, unknown> {
  return {
    id: block.hash,
    height: block.height,
    version: block.version,
    timestamp: block.time,
    tx_count: block.transactions.length,
    size: block.size,
    weight: block.weight,
    merkle_root: block.merkleRoot,
    previousblockhash: block.height === 0 ? null : block.previous,
    mediantime: chain.medianTime(block.height),
    nonce: block.nonce,
    bits: block.bits,
    difficulty: difficulty(),
  };
}

export function transactionShape(view: View, transaction: Transaction): Record<string, unknown> {
  const { txid, version, locktime, size, weight, isCoinbase } = transaction;
  return {
    txid,
    version,
    locktime,
    vin: transaction.inputs.map((input) => inputShape(view, input, isCoinbase)),
    vout: transaction.outputs.map(outputShape),
    size,
    weight,
    fee: feeOf(view, transaction) ?? 0,
    status: statusShape(view, txid),
  };
}

export function statusShape({ chain }: View, txid: string): Record<string, unknown> {
  const confirmed = chain.transaction(txid);
  if (confirmed === undefined) return { confirmed: false };
  const { height, hash, time } = confirmed.block;
  return { confirmed: true, block_height: height, block_hash: hash, block_time: time };
}

export function outspendShape(view: View, outpoint: Outpoint): Record<string, unknown> {
  const spender = view.chain.spender(outpoint) ?? view.pool.spender(outpoint);
  if (spender === undefined) return { spent: false };
  return { spent: true, ...spender, status: statusShape(view, spender.txid) };
}

/** `ids` are all transactions that touch the script, of blocks or of the mempool. */
export function statsShape(view: View, script: string, ids: readonly string[]): Record<string, number> {
  let [funded, fundedSum, spent, spentSum] = [0, 0, 0, 0];
  for (const txid of ids) {
    const transaction = view.chain.transaction(txid)?.transaction ?? view.pool.get(txid)?.transaction;
    if (transaction === undefined) continue;
    for (const output of transaction.outputs.filter((candidate) => candidate.script === script)) {
      funded += 1;
      fundedSum += output.value;
    }
    for (const input of transaction.inputs) {
      const output = spentOutput(view, input);
      if (output?.script !== script) continue;
      spent += 1;
      spentSum += output.value;
    }
  }
  return {
    funded_txo_count: funded,
    funded_txo_sum: fundedSum,
    spent_txo_count: spent,
    spent_txo_sum: spentSum,
    tx_count: ids.length,
  };
}

export function recentShape({ transaction, fee }: PoolEntry): Record<string, unknown> {
  const value = transaction.outputs.reduce((total, output) => total + output.value, 0);
  return { txid: transaction.txid, fee, vsize: transaction.vsize, value };
}

/** Rates from the highest, each with the virtual bytes that pay it. */
export function histogram(entries: readonly PoolEntry[]): [number, number][] {
  const sizes = new Map<number, number>();
  for (const { transaction, fee } of entries) {
    const rate = Math.round((fee / transaction.vsize) * 10) / 10;
    sizes.set(rate, (sizes.get(rate) ?? 0) + transaction.vsize);
  }
  return [...sizes].sort(([a], [b]) => b - a);
}

function inputShape(view: View, input: Input, isCoinbase: boolean): Record<string, unknown> {
  const prevout = isCoinbase ? undefined : spentOutput(view, input);
  return {
    txid: input.txid,
    vout: input.vout,
    prevout: prevout === undefined ? null : outputShape(prevout),
    scriptsig: input.script,
    scriptsig_asm: isCoinbase ? '' : assembly(input.script),
    ...(input.witness.length === 0 ? {} : { witness: input.witness }),
    is_coinbase: isCoinbase,
    sequence: input.sequence,
  };
}

function outputShape({ script, value }: Output): Record<string, unknown> {
  const address = addressOf(script);
  return {
    scriptpubkey: script,
    scriptpubkey_asm: assembly(script),
    scriptpubkey_type: KINDS[kindOf(script)],
    ...(address === null ? {} : { scriptpubkey_address: address }),
    value,
  };
}

function assembly(script: string): string {
  try {
    return Script.decode(hex.decode(script))
      .map((part) => {
        if (typeof part === 'string') return part.startsWith('OP_') ? part : `OP_${part}`;
        if (typeof part === 'number') return part === 0 ? 'OP_0' : `OP_PUSHNUM_${part}`;
        return `${part.length <= 75 ? `OP_PUSHBYTES_${part.length}` : 'OP_PUSHDATA1'} ${hex.encode(part)}`;
      })
      .join(' ');
  } catch {
    return '';
  }
}
