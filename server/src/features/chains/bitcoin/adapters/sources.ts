import { ChainMoved } from '../../gateway.ts';
import { agree, type Nodes, noAgreement } from '../../quorum.ts';
import { type RawBlock, type RawHeader, readBlock, readHeader } from '../blocks.ts';
import { type RawTransaction, readTransactionOf } from '../transactions.ts';
import type { BitcoinNode } from './node.ts';

/** What a hash proves is taken from the first node that has it; only the hashes are agreed on. */

export type BitcoinNodes = Nodes<BitcoinNode>;

/** @returns null when the chain is not that high. @throws NoAgreement */
export function agreedHash(nodes: BitcoinNodes, height: number): Promise<string | null> {
  return agree(nodes, `block ${height}`, (node) => node.blockHash(height));
}

/** @throws ChainMoved when the chain is not that high any more; NoAgreement */
export async function blockAt(nodes: BitcoinNodes, height: number): Promise<RawBlock> {
  const hash = await agreedHash(nodes, height);
  if (hash === null) throw new ChainMoved(`${nodes.chain} has no block ${height} any more`);
  return firstOf(nodes, `content of block ${height}`, async (node) => {
    const bytes = await node.block(hash);
    return bytes && readBlock(hash, bytes);
  });
}

/** @throws NoAgreement */
export function headerOf(nodes: BitcoinNodes, hash: string): Promise<RawHeader> {
  return firstOf(nodes, `header ${hash}`, async (node) => {
    const bytes = await node.header(hash);
    return bytes && readHeader(hash, bytes);
  });
}

/** @throws NoAgreement when no node has it, or has it as its hash says */
async function firstOf<T>(
  nodes: BitcoinNodes,
  what: string,
  read: (node: BitcoinNode) => Promise<T | null>,
): Promise<T> {
  const failures: unknown[] = [];
  for (const node of nodes.endpoints) {
    try {
      const found = await read(node);
      if (found !== null) return found;
      failures.push(new Error(`node ${node.name} does not have it`));
    } catch (error) {
      failures.push(error);
    }
  }
  throw noAgreement(nodes, 'silence', what, failures);
}

export interface TransactionSource {
  /** The transactions that some node has, by hash; kept for the next time. */
  find(hashes: readonly string[]): Promise<ReadonlyMap<string, RawTransaction>>;
  /** The same of transactions that are wanted once. */
  fetch(hashes: readonly string[]): Promise<ReadonlyMap<string, RawTransaction>>;
  /** Every one of them. @throws NoAgreement when one is missing */
  all(hashes: readonly string[]): Promise<ReadonlyMap<string, RawTransaction>>;
}

/** Transactions that payments and deposits spend, of which there are few. */
const mostKept = 5000;
const fetchedAtOnce = 100;

export function createTransactionSource(nodes: BitcoinNodes): TransactionSource {
  const kept = new Map<string, RawTransaction>();

  async function fetch(hashes: readonly string[]): Promise<Map<string, RawTransaction>> {
    const found = new Map<string, RawTransaction>();
    for (const node of nodes.endpoints) {
      const missing = hashes.filter((hash) => !found.has(hash));
      for (let from = 0; from < missing.length; from += fetchedAtOnce) {
        const part = missing.slice(from, from + fetchedAtOnce);
        // Another node is asked for what this one does not send.
        const bytes = await node.transactionBytes(part).catch(() => []);
        for (const [place, hash] of part.entries()) {
          const transaction = readTransactionIf(hash, bytes[place]);
          if (transaction) found.set(hash, transaction);
        }
      }
    }
    return found;
  }

  async function find(hashes: readonly string[]): Promise<Map<string, RawTransaction>> {
    const found = new Map<string, RawTransaction>();
    const missing = new Set<string>();
    for (const hash of hashes) {
      const known = kept.get(hash);
      if (known) found.set(hash, known);
      else missing.add(hash);
    }
    if (missing.size === 0) return found;
    for (const [hash, transaction] of await fetch([...missing])) {
      found.set(hash, transaction);
      kept.set(hash, transaction);
    }
    for (const hash of kept.keys()) {
      if (kept.size <= mostKept) break;
      kept.delete(hash);
    }
    return found;
  }

  return {
    fetch,
    find,
    async all(hashes) {
      const found = await find(hashes);
      const missing = hashes.find((hash) => !found.has(hash));
      if (missing !== undefined) throw noAgreement(nodes, 'silence', `transaction ${missing}`);
      return found;
    },
  };
}

/** Null for bytes that are missing or of another transaction: that node does not have it. */
function readTransactionIf(hash: string, hex: string | null | undefined): RawTransaction | null {
  if (hex == null) return null;
  try {
    return readTransactionOf(hash, hex);
  } catch {
    return null;
  }
}
