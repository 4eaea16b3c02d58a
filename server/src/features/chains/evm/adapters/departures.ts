import type { Address, Hex } from 'viem';
import type { Departure } from '../gateway.ts';
import type { LoggedTransfer, RawBlock } from './answers.ts';

/**
 * What left addresses of ours. A token's log of nothing does not count: anyone can make a token write a transfer of zero
 * from any address (address poisoning).
 */

/** Every address that may have sent something in these blocks. */
export function* senders(blocks: readonly RawBlock[], logs: readonly LoggedTransfer[]): Generator<Address> {
  for (const block of blocks) for (const transaction of block.transactions) yield transaction.from;
  for (const log of logs) if (log.amountMinor > 0n) yield log.from;
}

/** The departures of one block, each transaction once for each address of ours. */
export function departuresOf(block: RawBlock, logs: readonly LoggedTransfer[], ours: ReadonlySet<string>): Departure[] {
  const found = new Map<string, Departure>();
  const add = (hash: Hex, from: Address) => found.set(`${hash}/${from}`, { hash, from });
  for (const { hash, from } of block.transactions) if (ours.has(from)) add(hash, from);
  for (const log of logs) {
    if (log.blockHash === block.hash && log.amountMinor > 0n && ours.has(log.from)) add(log.transactionHash, log.from);
  }
  return [...found.values()];
}
