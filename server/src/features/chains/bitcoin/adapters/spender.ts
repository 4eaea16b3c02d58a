import { readBlock } from '../blocks.ts';
import type { Outpoint } from '../gateway.ts';
import { readTransactionOf } from '../transactions.ts';
import type { BitcoinNode, PlaceInChain, Spender } from './node.ts';

/** Blocks that may touch a script, from a height on; null where the node cannot say. */
type FilteredBlocks = (script: string, fromHeight: number) => Promise<readonly string[] | null>;

/**
 * Finds the block that spends an output at a node that keeps no index of spent outputs: by its filters of blocks where it has them,
 * otherwise block by block, from the newest down to the one that has the output. What spends an output of ours is mostly recent.
 */
export async function findSpender(
  node: Pick<BitcoinNode, 'transaction' | 'isUnspent' | 'head' | 'blockHash' | 'block'>,
  outpoint: Outpoint,
  filteredBlocks: FilteredBlocks,
): Promise<Spender | null> {
  const funding = await node.transaction(outpoint.hash);
  if (!funding?.block) return null;
  const output = readTransactionOf(outpoint.hash, funding.hex).outputs[outpoint.index];
  if (!output || (await node.isUnspent(outpoint))) return null;
  const candidates = await filteredBlocks(output.script.toString('hex'), funding.block.height);
  for (const hash of candidates ?? []) {
    const spender = await spenderIn(node, hash, outpoint);
    const found = spender === null ? null : await node.transaction(spender);
    if (found?.block) return { hash: spender ?? '', height: found.block.height, blockHash: found.block.hash };
  }
  return candidates === null ? searchDownwards(node, outpoint, funding.block) : null;
}

async function searchDownwards(
  node: Pick<BitcoinNode, 'head' | 'blockHash' | 'block'>,
  outpoint: Outpoint,
  { height: lowest }: PlaceInChain,
): Promise<Spender | null> {
  for (let height = await node.head(); height >= lowest; height -= 1) {
    const blockHash = await node.blockHash(height);
    if (blockHash === null) continue;
    const hash = await spenderIn(node, blockHash, outpoint);
    if (hash !== null) return { hash, height, blockHash };
  }
  return null;
}

async function spenderIn(
  node: Pick<BitcoinNode, 'block'>,
  blockHash: string,
  { hash, index }: Outpoint,
): Promise<string | null> {
  const bytes = await node.block(blockHash);
  if (bytes === null) return null;
  const { transactions } = readBlock(blockHash, bytes);
  const spender = transactions.find(({ inputs }) =>
    inputs.some((input) => input.hash === hash && input.index === index),
  );
  return spender?.hash ?? null;
}
