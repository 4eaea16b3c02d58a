import type { BlockChain } from './block-chain.ts';
import type { Mempool, PoolEntry } from './mempool.ts';
import { outpointKey, type Transaction } from './transaction.ts';

/** A transaction with the ancestors that must go into the block before it. */
interface Package {
  txid: string;
  parts: readonly PoolEntry[];
  vsize: number;
  /** Satoshis per virtual byte of all parts together. */
  rate: number;
}

const MOST_VSIZE = 990_000;

/**
 * Chooses what goes into a block as miners do: by the fee rate of a transaction together with the ancestors that it still needs
 * (so that a child pays for its parent), as long as the rate is wanted and there is room. `first` go in unasked, and in their stead
 * nothing that spends the same outputs.
 */
export function fillBlock(
  chain: BlockChain,
  pool: Mempool,
  first: readonly Transaction[],
  { minedRate, blockVsize }: { minedRate: number; blockVsize: number },
): { transactions: Transaction[]; fees: number } {
  const transactions: Transaction[] = [...first];
  const taken = new Set(first.map(({ txid }) => txid));
  const spent = new Set(first.flatMap(({ inputs }) => inputs.map(outpointKey)));
  let room = Math.min(blockVsize, MOST_VSIZE);
  let fees = first.reduce((sum, transaction) => sum + feeOf(chain, transaction), 0);
  const open = new Map<string, Package>();
  for (const entry of pool.entries()) open.set(entry.transaction.txid, packageOf(pool, entry, taken));
  for (;;) {
    const best = highest(open.values());
    if (best === undefined || best.rate < minedRate) break;
    const isFree = best.parts.every(
      ({ transaction }) => !transaction.inputs.some((input) => spent.has(outpointKey(input))),
    );
    if (best.vsize > room || !isFree) {
      open.delete(best.txid);
      continue;
    }
    for (const { transaction, fee } of best.parts) {
      transactions.push(transaction);
      taken.add(transaction.txid);
      open.delete(transaction.txid);
      fees += fee;
    }
    room -= best.vsize;
    // Their children need less now.
    for (const { transaction } of best.parts) {
      for (const child of pool.descendants(transaction.txid)) {
        const { txid } = child.transaction;
        if (open.has(txid)) open.set(txid, packageOf(pool, child, taken));
      }
    }
  }
  return { transactions, fees };
}

/** The entry, after those of its ancestors that the block does not have yet: parents come before their children. */
function packageOf(pool: Mempool, entry: PoolEntry, taken: ReadonlySet<string>): Package {
  const missing = pool.ancestors(entry.transaction).filter(({ transaction }) => !taken.has(transaction.txid));
  const depth = ({ transaction }: PoolEntry): number => pool.ancestors(transaction).length;
  const parts = [...missing.sort((a, b) => depth(a) - depth(b)), entry];
  const vsize = parts.reduce((total, { transaction }) => total + transaction.vsize, 0);
  const fee = parts.reduce((total, part) => total + part.fee, 0);
  return { txid: entry.transaction.txid, parts, vsize, rate: fee / vsize };
}

function highest(packages: Iterable<Package>): Package | undefined {
  let best: Package | undefined;
  for (const candidate of packages) if (best === undefined || candidate.rate > best.rate) best = candidate;
  return best;
}

/** Of a transaction that spends outputs of blocks alone. */
function feeOf(chain: BlockChain, { inputs, outputs }: Transaction): number {
  const paidIn = inputs.reduce((total, input) => total + (chain.coin(input)?.value ?? 0), 0);
  return paidIn - outputs.reduce((total, { value }) => total + value, 0);
}
