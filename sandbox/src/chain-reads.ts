import type { Anvil } from './anvil.ts';

export type BlockSummary = { height: number; timestamp: number; transactions: string[] };

/** Number, time and transaction hashes of a block. */
export async function blockAt(anvil: Anvil, height: number | 'latest'): Promise<BlockSummary> {
  const tag = height === 'latest' ? height : `0x${height.toString(16)}`;
  const block = await anvil.call('eth_getBlockByNumber', [tag, false]);
  if (!isBlock(block)) throw new Error(`the chain has no block ${height}`);
  return {
    height: Number(block.number),
    timestamp: Number(block.timestamp),
    transactions: block.transactions.map(String),
  };
}

/** The signed bytes of every transaction in a range of blocks, in their order. */
export async function rawTransactionsFrom(anvil: Anvil, from: number, to: number): Promise<string[]> {
  const raws: string[] = [];
  for (let height = from; height <= to; height += 1) {
    for (const hash of (await blockAt(anvil, height)).transactions) {
      raws.push(String(await anvil.call('eth_getRawTransactionByHash', [hash])));
    }
  }
  return raws;
}

/** Whether a transaction is known and in no block yet. */
export async function stillWaiting(anvil: Anvil, hash: string): Promise<boolean> {
  const found = await anvil.call('eth_getTransactionByHash', [hash]);
  return typeof found === 'object' && found !== null && 'blockNumber' in found && found.blockNumber === null;
}

function isBlock(value: unknown): value is { number: string; timestamp: string; transactions: unknown[] } {
  return (
    typeof value === 'object' &&
    value !== null &&
    'number' in value &&
    'timestamp' in value &&
    'transactions' in value &&
    Array.isArray(value.transactions)
  );
}
