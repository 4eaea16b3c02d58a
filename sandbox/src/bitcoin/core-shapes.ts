import { inCoins } from './amounts.ts';
import { Script } from './bcoin.ts';
import { type Block, HEADER_DIGITS } from './block.ts';
import type { BlockChain } from './block-chain.ts';
import { descriptorOf } from './descriptors.ts';
import type { Mempool, PoolEntry } from './mempool.ts';
import { addressOf, kindOf } from './outputs.ts';
import type { Input, Outpoint, Output, Transaction } from './transaction.ts';

/** Blocks and transactions in the JSON of Bitcoin Core 28. */

declare global {
  interface JSON {
    /** A number exactly as written: Core writes amounts with eight decimals. */
    rawJSON(text: string): unknown;
  }
}

/** What a node shows: the truth, or the lies of a node that lies. */
export interface View {
  chain: BlockChain;
  pool: Mempool;
}

const REGTEST_DIFFICULTY = 4.656542373906925e-10;
const WORK_PER_BLOCK = 2n;

export const coins = (satoshis: number): unknown => JSON.rawJSON(inCoins(satoshis));
/** Satoshis per virtual byte as coins per 1,000 virtual bytes. */
export const feeRate = (rate: number): unknown => coins(Math.round(rate * 1000));

export function confirmations(chain: BlockChain, block: Block): number {
  return chain.isActive(block) ? chain.tip().height - block.height + 1 : -1;
}

export function headerShape(chain: BlockChain, block: Block): Record<string, unknown> {
  const next = chain.isActive(block) ? chain.at(block.height + 1) : undefined;
  return {
    hash: block.hash,
    confirmations: confirmations(chain, block),
    height: block.height,
    version: block.version,
    versionHex: block.version.toString(16).padStart(8, '0'),
    merkleroot: block.merkleRoot,
    time: block.time,
    mediantime: chain.medianTime(block.height),
    nonce: block.nonce,
    bits: block.bits.toString(16),
    difficulty: REGTEST_DIFFICULTY,
    chainwork: chainWork(block.height),
    nTx: block.transactions.length,
    ...(block.height === 0 ? {} : { previousblockhash: block.previous }),
    ...(next === undefined ? {} : { nextblockhash: next.hash }),
  };
}

export const chainWork = (height: number): string =>
  (BigInt(height + 1) * WORK_PER_BLOCK).toString(16).padStart(64, '0');

export const headerBytes = ({ raw }: Block): string => raw.slice(0, HEADER_DIGITS);

export function blockShape(view: View, block: Block, verbosity: number): Record<string, unknown> {
  const { strippedSize: strippedsize, size, weight } = block;
  const transactions =
    verbosity === 1
      ? block.transactions.map(({ txid }) => txid)
      : block.transactions.map((transaction) => ({
          ...transactionShape(view, transaction, verbosity >= 3),
          ...feeShape(view, transaction),
          hex: transaction.raw,
        }));
  return { ...headerShape(view.chain, block), strippedsize, size, weight, tx: transactions };
}

export function transactionShape(view: View, transaction: Transaction, hasPrevouts: boolean): Record<string, unknown> {
  const { txid, wtxid: hash, version, size, vsize, weight, locktime } = transaction;
  return {
    txid,
    hash,
    version,
    size,
    vsize,
    weight,
    locktime,
    vin: transaction.inputs.map((input) => inputShape(view, transaction, input, hasPrevouts)),
    vout: transaction.outputs.map((output, n) => ({
      value: coins(output.value),
      n,
      scriptPubKey: scriptShape(output.script),
    })),
  };
}

/** Empty for a coinbase, which has no fee. */
export function feeShape(view: View, transaction: Transaction): Record<string, unknown> {
  const fee = feeOf(view, transaction);
  return fee === null ? {} : { fee: coins(fee) };
}

/** Satoshis; null for a coinbase. */
export function feeOf(view: View, transaction: Transaction): number | null {
  if (transaction.isCoinbase) return null;
  const paidIn = transaction.inputs.reduce((total, input) => total + (spentOutput(view, input)?.value ?? 0), 0);
  return paidIn - transaction.outputs.reduce((total, { value }) => total + value, 0);
}

/** The output that an input spends, wherever it is. */
export function spentOutput({ chain, pool }: View, { txid, vout }: Outpoint): Output | undefined {
  return (chain.transaction(txid)?.transaction ?? pool.get(txid)?.transaction)?.outputs[vout];
}

function inputShape(view: View, { isCoinbase }: Transaction, input: Input, hasPrevouts: boolean): unknown {
  const witness = input.witness.length === 0 ? {} : { txinwitness: input.witness };
  if (isCoinbase) return { coinbase: input.script, ...witness, sequence: input.sequence };
  const output = hasPrevouts ? spentOutput(view, input) : undefined;
  const origin = view.chain.transaction(input.txid);
  return {
    txid: input.txid,
    vout: input.vout,
    scriptSig: { asm: assembly(input.script), hex: input.script },
    ...witness,
    ...(output !== undefined && {
      prevout: {
        generated: origin?.transaction.isCoinbase ?? false,
        ...(origin !== undefined && { height: origin.block.height }),
        value: coins(output.value),
        scriptPubKey: scriptShape(output.script),
      },
    }),
    sequence: input.sequence,
  };
}

export function scriptShape(script: string): Record<string, unknown> {
  const address = addressOf(script);
  return {
    asm: assembly(script),
    desc: descriptorOf(script),
    hex: script,
    ...(address === null ? {} : { address }),
    type: kindOf(script),
  };
}

/** Core leaves the prefix out that bcoin gives to names of small numbers. */
export const assembly = (script: string): string =>
  Script.fromRaw(Buffer.from(script, 'hex'))
    .toASM()
    .replace(/\bOP_(\d+)\b/g, '$1');

export function poolEntryShape({ pool }: View, entry: PoolEntry): Record<string, unknown> {
  const { transaction, fee, time, height } = entry;
  const ancestors = [entry, ...pool.ancestors(transaction)];
  const descendants = [entry, ...pool.descendants(transaction.txid)];
  const parents = new Set(transaction.inputs.map(({ txid }) => txid).filter((txid) => pool.get(txid) !== undefined));
  const children = transaction.outputs.flatMap((_, vout) => pool.spender({ txid: transaction.txid, vout })?.txid ?? []);
  return {
    vsize: transaction.vsize,
    weight: transaction.weight,
    time,
    height,
    descendantcount: descendants.length,
    descendantsize: vsizeOf(descendants),
    ancestorcount: ancestors.length,
    ancestorsize: vsizeOf(ancestors),
    wtxid: transaction.wtxid,
    fees: {
      base: coins(fee),
      modified: coins(fee),
      ancestor: coins(feesOf(ancestors)),
      descendant: coins(feesOf(descendants)),
    },
    depends: [...parents],
    spentby: [...new Set(children)],
    'bip125-replaceable': pool.isReplaceable(transaction),
    unbroadcast: false,
  };
}

export const vsizeOf = (entries: readonly PoolEntry[]): number =>
  entries.reduce((total, { transaction }) => total + transaction.vsize, 0);
export const feesOf = (entries: readonly PoolEntry[]): number => entries.reduce((total, { fee }) => total + fee, 0);

export const difficulty = (): number => REGTEST_DIFFICULTY;
