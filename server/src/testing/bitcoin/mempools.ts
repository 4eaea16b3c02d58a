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
  /** In the place of whatever it conflicts with. */
  put(node: 0 | 1, transaction: Known): void;
  /** With what spends its outputs. */
  drop(node: 0 | 1, hash: string): void;
  /** A block has them. */
  leave(hashes: readonly string[]): void;
  /** What spends outputs that blocks have spent, by key. */
  dropConflicts(spent: { has(key: string): boolean }): void;
}

export const replaceable = 0xfffffffd;
export const final = 0xffffffff;

const sum = (amounts: readonly { feeMinor: bigint }[]) => amounts.reduce((total, { feeMinor }) => total + feeMinor, 0n);

export function createMempools(): Mempools {
  const nodes = [new Map<string, Known>(), new Map<string, Known>()] as const;

  const mempools: Mempools = {
    find: (hash) => nodes[0].get(hash) ?? nodes[1].get(hash),
    all(first, stopped = null) {
      const order = first === 0 ? ([0, 1] as const) : ([1, 0] as const);
      return [...new Map(order.filter((node) => node !== stopped).flatMap((node) => [...nodes[node]])).values()];
    },
    spends: (key) => nodes.some((node) => spendersOf(node, new Set([key])).length > 0),
    accept(node, transaction, isMined) {
      const offered = nodes[node];
      if (offered.has(transaction.hash)) return { outcome: 'known' };
      const { inputs, feeMinor, vsize } = transaction;
      const isSpendable = inputs.every(({ hash, index }) => index === 0xffff || isMined(hash) || offered.has(hash));
      if (!isSpendable) return { outcome: 'rejected', reason: 'missing-inputs' };
      const conflicts = spendersOf(offered, new Set(inputs.map(outpointKey)));
      if (conflicts.some((other) => other.inputs.every(({ sequence }) => sequence > replaceable))) {
        return { outcome: 'rejected', reason: 'txn-mempool-conflict' };
      }
      if (conflicts.length > 0 && feeMinor < sum(conflicts) + BigInt(vsize)) {
        return { outcome: 'rejected', reason: 'insufficient fee' };
      }
      if (feeMinor < BigInt(vsize)) return { outcome: 'rejected', reason: 'min relay fee not met' };
      for (const { hash } of conflicts) mempools.drop(node, hash);
      offered.set(transaction.hash, transaction);
      return { outcome: 'accepted' };
    },
    put(node, transaction) {
      for (const { hash } of spendersOf(nodes[node], new Set(transaction.inputs.map(outpointKey)))) {
        if (hash !== transaction.hash) mempools.drop(node, hash);
      }
      nodes[node].set(transaction.hash, transaction);
    },
    drop(node, hash) {
      nodes[node].delete(hash);
      for (const other of [...nodes[node].values()]) {
        if (other.inputs.some((input) => input.hash === hash)) mempools.drop(node, other.hash);
      }
    },
    leave(hashes) {
      for (const node of nodes) for (const hash of hashes) node.delete(hash);
    },
    dropConflicts(spent) {
      for (const node of [0, 1] as const) {
        const gone = [...nodes[node].values()].filter(({ inputs }) =>
          inputs.some((input) => spent.has(outpointKey(input))),
        );
        for (const { hash } of gone) mempools.drop(node, hash);
      }
    },
  };
  return mempools;
}

function spendersOf(offered: ReadonlyMap<string, Known>, keys: ReadonlySet<string>): Known[] {
  return [...offered.values()].filter(({ inputs }) => inputs.some((input) => keys.has(outpointKey(input))));
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
    ancestorVsize: line.reduce((total, { vsize }) => total + vsize, 0),
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
