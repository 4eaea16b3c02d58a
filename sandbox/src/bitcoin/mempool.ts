import type { Block } from './block.ts';
import { type Outpoint, outpointKey, signalsReplacement, type Transaction } from './transaction.ts';

export interface PoolEntry {
  transaction: Transaction;
  /** Satoshis. */
  fee: number;
  /** Seconds since 1970. */
  time: number;
  /** Of the chain when it came in. */
  height: number;
}

/** The transactions that wait for a block, with their relations. Rules of admission: admission.ts. */
export interface Mempool {
  entries(): PoolEntry[];
  get(txid: string): PoolEntry | undefined;
  /** The waiting transaction that spends an output, and its input. */
  spender(outpoint: Outpoint): { txid: string; vin: number } | undefined;
  /** Waiting transactions that this one depends on, itself not among them. */
  ancestors(transaction: Transaction): PoolEntry[];
  /** Waiting transactions that depend on this one, itself not among them. */
  descendants(txid: string): PoolEntry[];
  /** BIP 125: by its own signal or that of an ancestor. */
  isReplaceable(transaction: Transaction): boolean;
  add(entry: PoolEntry): void;
  /** Removes a transaction and all that depend on it. */
  remove(txid: string): void;
  /** Removes what a block contains, and what spends the same outputs as it. */
  confirm(block: Block): void;
}

export function createMempool(): Mempool {
  const entries = new Map<string, PoolEntry>();
  const spenders = new Map<string, { txid: string; vin: number }>();

  function walk(start: Iterable<string>, next: (entry: PoolEntry) => Iterable<string>): PoolEntry[] {
    const found = new Map<string, PoolEntry>();
    const open = [...start];
    for (let txid = open.pop(); txid !== undefined; txid = open.pop()) {
      const entry = entries.get(txid);
      if (entry === undefined || found.has(txid)) continue;
      found.set(txid, entry);
      open.push(...next(entry));
    }
    return [...found.values()];
  }

  const parents = ({ inputs }: Transaction): string[] => inputs.map(({ txid }) => txid);
  const children = ({ txid, outputs }: Transaction): string[] =>
    outputs.flatMap((_, vout) => spenders.get(outpointKey({ txid, vout }))?.txid ?? []);

  function ancestors(transaction: Transaction): PoolEntry[] {
    return walk(parents(transaction), (entry) => parents(entry.transaction));
  }

  function descendants(txid: string): PoolEntry[] {
    const entry = entries.get(txid);
    if (entry === undefined) return [];
    return walk(children(entry.transaction), ({ transaction }) => children(transaction));
  }

  function drop({ transaction }: PoolEntry): void {
    entries.delete(transaction.txid);
    for (const input of transaction.inputs) {
      if (spenders.get(outpointKey(input))?.txid === transaction.txid) spenders.delete(outpointKey(input));
    }
  }

  function remove(txid: string): void {
    const entry = entries.get(txid);
    if (entry === undefined) return;
    for (const dependent of descendants(txid)) drop(dependent);
    drop(entry);
  }

  return {
    entries: () => [...entries.values()],
    get: (txid) => entries.get(txid),
    spender: (outpoint) => spenders.get(outpointKey(outpoint)),
    ancestors,
    descendants,
    isReplaceable: (transaction) =>
      signalsReplacement(transaction) ||
      ancestors(transaction).some((ancestor) => signalsReplacement(ancestor.transaction)),
    add(entry) {
      entries.set(entry.transaction.txid, entry);
      for (const [vin, input] of entry.transaction.inputs.entries()) {
        spenders.set(outpointKey(input), { txid: entry.transaction.txid, vin });
      }
    },
    remove,
    confirm(block) {
      for (const { txid } of block.transactions) {
        const entry = entries.get(txid);
        if (entry !== undefined) drop(entry);
      }
      for (const { inputs } of block.transactions) {
        for (const input of inputs) remove(spenders.get(outpointKey(input))?.txid ?? '');
      }
    },
  };
}
