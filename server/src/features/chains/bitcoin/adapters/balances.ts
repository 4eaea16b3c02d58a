import type { BitcoinNetwork } from '../../../../platform/config/chains.ts';
import { agree } from '../../quorum.ts';
import type { RawBlock } from '../blocks.ts';
import type { BitcoinNode, UnspentOutputs } from './node.ts';
import { ownInputs } from './own-inputs.ts';
import { agreedHash, type BitcoinNodes, blockAt, type TransactionSource } from './sources.ts';

interface Reading {
  nodes: BitcoinNodes;
  network: BitcoinNetwork;
  source: TransactionSource;
}

/**
 * What addresses had at the end of a block, in their order. Nodes know what is unspent now; the blocks since then say what was spent
 * of it. @throws NoAgreement
 */
export function balancesAt(reading: Reading, addresses: readonly string[], height: number): Promise<bigint[]> {
  return agree(reading.nodes, `balances at ${height}`, async (node) => {
    const unspent = await unspentAt(reading, node, addresses, height);
    const balances = new Map(addresses.map((address) => [address, 0n]));
    const add = (address: string, amountMinor: bigint) => {
      const before = balances.get(address);
      if (before !== undefined) balances.set(address, before + amountMinor);
    };
    for (const output of unspent.outputs) if (output.height <= height) add(output.address, output.amountMinor);
    const above: RawBlock[] = [];
    for (let at = height + 1; at <= unspent.at.height; at += 1) above.push(await blockAt(reading.nodes, at));
    const transactions = above.flatMap((block) => block.transactions);
    const made = new Set(transactions.map(({ hash }) => hash));
    for (const inputs of (await ownInputs(transactions, new Set(addresses), reading)).values()) {
      for (const { input, address, amountMinor } of inputs) if (!made.has(input.hash)) add(address, amountMinor);
    }
    return addresses.map((address) => balances.get(address) ?? 0n);
  });
}

async function unspentAt(
  { nodes }: Reading,
  node: BitcoinNode,
  addresses: readonly string[],
  height: number,
): Promise<UnspentOutputs> {
  const unspent = await node.unspent(addresses);
  if (unspent.at.height < height) throw new Error(`node ${node.name} has not reached block ${height}`);
  if ((await agreedHash(nodes, unspent.at.height)) !== unspent.at.hash) {
    throw new Error(`node ${node.name} has another block ${unspent.at.height}`);
  }
  return unspent;
}
