import type { BitcoinTransaction } from '../../features/chains/bitcoin/gateway.ts';
import { type Broadcast, outpointKey, type WaitingTransaction } from '../../features/chains/index.ts';

/** What waits for a block at two nodes in memory, which may contradict each other. */

export interface Known extends BitcoinTransaction {
  feeMinor: bigint;
}

export interface Mempools {
  /** At either node. */
  find(hash: string): Known | undefined;
  /** At both nodes but a stopped one; those of `first` come first. */
  all(first: 0 | 1, stopped?: 0 | 1 | null): Known[];
  spends(key: string): boolean;
  /** By the rules of BIP 125: a higher fee, and more by at least a satoshi a byte. */
  accept(node: 0 | 1, transaction: Known, isMined: (hash: string) => boolean): Broadcast;
  /** As miners choose, in satoshis per virtual byte: what it pays alone, or together with one that spends of it and all that this needs. */
  bestRateOf(transaction: Known): number;
  /** In the place of whatever it conflicts with. */
  put(node: 0 | 1, transaction: Known): void;
  /** With what spends its outputs. */
  drop(node: 0 | 1, hash: string): void;
  /** What spends outputs that neither a block nor the same node has any more. */
  dropOrphans(isMined: (hash: string) => boolean): void;
  /** A block has them. */
  leave(hashes: readonly string[]): void;
  /** What spends outputs that blocks have spent, by key. */
  dropConflicts(spent: { has(key: string): boolean }): void;
}

export const replaceable = 0xfffffffd;
export const final = 0xffffffff;

const sum = (amounts: readonly { feeMinor: bigint }[]) => amounts.reduce((total, { feeMinor }) => total + feeMinor, 0n);

interface Node {
  offered: Map<string, Known>;
  /** What spends an output, by the output's key: one at most. */
  spenders: Map<string, Known>;
}

export function createMempools(): Mempools {
  const newNode = (): Node => ({ offered: new Map(), spenders: new Map() });
  const nodes = [newNode(), newNode()] as const;

  const mempools: Mempools = {
    find: (hash) => nodes[0].offered.get(hash) ?? nodes[1].offered.get(hash),
    all(first, stopped = null) {
      const order = first === 0 ? ([0, 1] as const) : ([1, 0] as const);
      const standing = order.filter((node) => node !== stopped);
      return [...new Map(standing.flatMap((node) => [...nodes[node].offered])).values()];
    },
    spends: (key) => nodes.some(({ spenders }) => spenders.has(key)),
    accept(node, transaction, isMined) {
      const { offered } = nodes[node];
      if (offered.has(transaction.hash)) return { outcome: 'known' };
      const { inputs, feeMinor, vsize } = transaction;
      const isSpendable = inputs.every(({ hash, index }) => index === 0xffff || isMined(hash) || offered.has(hash));
      if (!isSpendable) return { outcome: 'rejected', reason: 'missing-inputs' };
      const conflicts = conflictsOf(nodes[node], transaction);
      if (conflicts.some((other) => other.inputs.every(({ sequence }) => sequence > replaceable))) {
        return { outcome: 'rejected', reason: 'txn-mempool-conflict' };
      }
      if (conflicts.length > 0 && feeMinor < sum(conflicts) + BigInt(vsize)) {
        return { outcome: 'rejected', reason: 'insufficient fee' };
      }
      if (feeMinor < BigInt(vsize)) return { outcome: 'rejected', reason: 'min relay fee not met' };
      mempools.put(node, transaction);
      return { outcome: 'accepted' };
    },
    bestRateOf(transaction) {
      const lines = [transaction, ...mempools.all(0)].map((last) => lineOf(last, mempools));
      return Math.max(...lines.filter((line) => line.has(transaction.hash)).map(rateOf));
    },
    put(node, transaction) {
      const { offered, spenders } = nodes[node];
      for (const { hash } of conflictsOf(nodes[node], transaction)) mempools.drop(node, hash);
      offered.set(transaction.hash, transaction);
      for (const input of transaction.inputs) spenders.set(outpointKey(input), transaction);
    },
    drop(node, hash) {
      const dropped = forget(nodes[node], hash);
      for (const index of dropped?.outputs.keys() ?? []) {
        const child = nodes[node].spenders.get(outpointKey({ hash, index }));
        if (child) mempools.drop(node, child.hash);
      }
    },
    dropOrphans(isMined) {
      for (const node of [0, 1] as const) {
        const { offered } = nodes[node];
        const hasParents = ({ inputs }: Known) =>
          inputs.every(({ hash, index }) => index === 0xffff || isMined(hash) || offered.has(hash));
        for (const transaction of [...offered.values()])
          if (!hasParents(transaction)) mempools.drop(node, transaction.hash);
      }
    },
    leave(hashes) {
      for (const node of nodes) for (const hash of hashes) forget(node, hash);
    },
    dropConflicts(spent) {
      for (const node of [0, 1] as const) {
        const gone = [...nodes[node].spenders].filter(([key]) => spent.has(key));
        for (const [, { hash }] of gone) mempools.drop(node, hash);
      }
    },
  };
  return mempools;
}

function rateOf(line: ReadonlyMap<string, Known>): number {
  const all = [...line.values()];
  return Number(sum(all)) / sizeOf(all);
}

const sizeOf = (all: readonly Known[]) => all.reduce((total, { vsize }) => total + vsize, 0);

function forget({ offered, spenders }: Node, hash: string): Known | undefined {
  const known = offered.get(hash);
  offered.delete(hash);
  for (const input of known?.inputs ?? []) spenders.delete(outpointKey(input));
  return known;
}

function conflictsOf({ spenders }: Node, { hash, inputs }: Known): Known[] {
  const found = inputs.flatMap((input) => spenders.get(outpointKey(input)) ?? []);
  return [...new Set(found)].filter((other) => other.hash !== hash);
}

/** As the gateway says it, with what it needs before. */
export function waitingOf(transaction: Known, mempools: Mempools): WaitingTransaction {
  const line = [...lineOf(transaction, mempools).values()];
  const { feeMinor } = transaction;
  return {
    transaction,
    feeMinor,
    isReplaceable: line.some(({ inputs }) => inputs.some(({ sequence }) => sequence <= replaceable)),
    ancestorFeeMinor: sum(line),
    ancestorVsize: sizeOf(line),
  };
}

/** A transaction with its ancestors that wait. */
function lineOf(
  transaction: Known,
  mempools: Mempools,
  line: Map<string, Known> = new Map(),
): ReadonlyMap<string, Known> {
  if (line.has(transaction.hash)) return line;
  line.set(transaction.hash, transaction);
  for (const { hash } of transaction.inputs) {
    const parent = mempools.find(hash);
    if (parent) lineOf(parent, mempools, line);
  }
  return line;
}
