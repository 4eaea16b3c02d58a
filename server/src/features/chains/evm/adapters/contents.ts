import type { Address, Hex } from 'viem';
import { getAddress, numberToHex } from 'viem/utils';
import { invariant } from '../../../../platform/domain-error.ts';
import { ChainMoved } from '../../gateway.ts';
import { agree, type Nodes } from '../../quorum.ts';
import type { Arrival, BlockContent, EvmGateway, Receipt } from '../gateway.ts';
import {
  type LoggedTransfer,
  type RawBlock,
  readBlock,
  readBlockReceipts,
  readQuantity,
  readReceipt,
  readTransferLogs,
  transferTopic,
} from './answers.ts';
import { departuresOf, senders } from './departures.ts';
import type { RpcEndpoint } from './rpc-endpoint.ts';

/** Blocks asked for at once, with all their transactions: a few megabytes each where they are full. */
const blocksAtOnce = 5;
/** From so many receipts of one block on, the block's receipts are asked for as a whole. */
const wholeBlockFrom = 8;
const receiptsAtOnce = 100;

/**
 * Reads a range of blocks. Logs and values only point at transactions; what is believed is the receipt on which
 * a quorum agrees, and which is in the block that a quorum agrees on.
 * @param contracts only these tokens count, whatever symbol another claims
 */
export function createContentReader(nodes: Nodes<RpcEndpoint>, contracts: readonly Address[]): EvmGateway['contents'] {
  const listed = new Set<string>(contracts.map((contract) => getAddress(contract)));
  return async (fromHeight, toHeight, own) => {
    const heights = Array.from({ length: toHeight - fromHeight + 1 }, (_, index) => fromHeight + index);
    const reading = inTurns(heights, blocksAtOnce, (height) => agreedBlock(nodes, height));
    const [blocks, logs] = await Promise.all([reading, agreedLogs(nodes, contracts, fromHeight, toHeight)]);
    assertLinked(blocks);
    const ours = await own.among([...new Set(mentioned(blocks, logs))]);
    return inTurns(blocks, blocksAtOnce, async (block) => {
      const receipts = await receiptsOf(nodes, block, touching(block, logs, ours));
      return {
        block: { height: block.number, hash: block.hash, parentHash: block.parentHash },
        transactionHashes: block.transactions.map((transaction) => transaction.hash),
        arrivals: arrivalsOf(block, receipts, listed, ours),
        departures: departuresOf(block, logs, ours),
        opaqueTransactions: opaqueHashes(block, listed).length,
      } satisfies BlockContent;
    });
  };
}

async function inTurns<T, R>(items: readonly T[], size: number, work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (let from = 0; from < items.length; from += size) {
    results.push(...(await Promise.all(items.slice(from, from + size).map(work))));
  }
  return results;
}

export async function agreedBlock(nodes: Nodes<RpcEndpoint>, height: number): Promise<RawBlock> {
  const block = await agree(nodes, `content of block ${height}`, async (node) =>
    readBlock(await node.ask('eth_getBlockByNumber', [numberToHex(height), true])),
  );
  if (!block) throw new ChainMoved(`${nodes.chain} has no block ${height} any more`);
  return block;
}

async function agreedLogs(
  nodes: Nodes<RpcEndpoint>,
  contracts: readonly Address[],
  fromHeight: number,
  toHeight: number,
): Promise<LoggedTransfer[]> {
  if (contracts.length === 0) return [];
  const filter = {
    address: contracts,
    topics: [transferTopic],
    fromBlock: numberToHex(fromHeight),
    toBlock: numberToHex(toHeight),
  };
  return agree(nodes, `transfers in blocks ${fromHeight} to ${toHeight}`, async (node) =>
    readTransferLogs(await node.ask('eth_getLogs', [filter])),
  );
}

function assertLinked(blocks: readonly RawBlock[]): void {
  for (const [index, block] of blocks.entries()) {
    const before = blocks[index - 1];
    if (before && block.parentHash !== before.hash) throw new ChainMoved(`block ${block.number} does not follow`);
  }
}

function* mentioned(blocks: readonly RawBlock[], logs: readonly LoggedTransfer[]): Generator<Address> {
  for (const block of blocks) {
    for (const transaction of block.transactions) if (transaction.to && transaction.value > 0n) yield transaction.to;
  }
  yield* senders(blocks, logs);
  for (const log of logs) yield log.to;
}

/** The transactions of a block that may have brought something to us. */
function touching(block: RawBlock, logs: readonly LoggedTransfer[], ours: ReadonlySet<string>): Hex[] {
  const inBlock = new Set(block.transactions.map((transaction) => transaction.hash));
  const hashes = new Set<Hex>();
  for (const { hash, to, value } of block.transactions) if (to && value > 0n && ours.has(to)) hashes.add(hash);
  for (const log of logs) {
    if (!ours.has(log.to) || !inBlock.has(log.transactionHash)) continue;
    if (log.blockHash !== block.hash) throw new ChainMoved(`the logs belong to another block ${block.number}`);
    hashes.add(log.transactionHash);
  }
  return [...hashes];
}

/** All gas that a plain transfer has goes into its sending (Ethereum Yellow Paper, appendix G): none is left for code. */
const plainGas = 21_000n;

/**
 * The transactions that ran code and may have passed the chain's own coin on. A listed token's own transfers are not among
 * them: such a contract holds none. Should one do so all the same, the balances show it.
 */
export function opaqueHashes(block: RawBlock, listed: ReadonlySet<string>): Hex[] {
  return block.transactions
    .filter(({ to, value, gas, input }) => {
      if (to !== null && listed.has(to) && value === 0n) return false;
      return to === null || input !== '0x' || gas > plainGas;
    })
    .map(({ hash }) => hash);
}

/** @throws ChainMoved when one of them is not in this block any more */
async function receiptsOf(
  nodes: Nodes<RpcEndpoint>,
  block: RawBlock,
  hashes: readonly Hex[],
): Promise<ReadonlyMap<Hex, Receipt>> {
  if (hashes.length === 0) return new Map();
  const receipts = await agree(nodes, `receipts of block ${block.number}`, (node) =>
    readReceipts(node, block.number, hashes),
  );
  const found = new Map<Hex, Receipt>();
  for (const [index, hash] of hashes.entries()) {
    const receipt = receipts[index];
    if (receipt?.blockHash !== block.hash) throw new ChainMoved(`${hash} is not in block ${block.number} any more`);
    found.set(hash, receipt);
  }
  return found;
}

async function readReceipts(node: RpcEndpoint, height: number, hashes: readonly Hex[]): Promise<(Receipt | null)[]> {
  if (hashes.length >= wholeBlockFrom) {
    // Not offered, or more than the node can say in time: then in parts.
    const whole = await node.ask('eth_getBlockReceipts', [numberToHex(height)]).catch(() => undefined);
    if (whole !== undefined) {
      const receipts = readBlockReceipts(whole);
      return hashes.map((hash) => receipts?.get(hash) ?? null);
    }
  }
  // Those asked for together travel in one batch (`rpc-endpoint.ts`).
  return inTurns(hashes, receiptsAtOnce, async (hash) =>
    readReceipt(await node.ask('eth_getTransactionReceipt', [hash])),
  );
}

function arrivalsOf(
  block: RawBlock,
  receipts: ReadonlyMap<Hex, Receipt>,
  listed: ReadonlySet<string>,
  ours: ReadonlySet<string>,
): Arrival[] {
  const arrivals: Arrival[] = [];
  for (const { hash, from, to, value } of block.transactions) {
    const receipt = receipts.get(hash);
    if (!receipt?.succeeded) continue;
    for (const { index, ...transfer } of receipt.tokenTransfers) {
      if (listed.has(transfer.contract)) arrivals.push({ ...transfer, hash, output: `log:${index}` });
    }
    if (to) arrivals.push({ hash, output: 'native', contract: null, from, to, amountMinor: value });
  }
  return arrivals.filter((arrival) => arrival.amountMinor > 0n && ours.has(arrival.to));
}

/**
 * By how much each address grew in the block beyond what the block's plain transactions explain: what contracts passed on
 * to it, and what the chain itself pays out.
 */
export async function growthOf(
  nodes: Nodes<RpcEndpoint>,
  at: { height: number; hash: Hex },
  addresses: readonly Address[],
): Promise<bigint[]> {
  const block = await agreedBlock(nodes, at.height);
  if (block.hash !== at.hash) throw new ChainMoved(`block ${at.height} is another one by now`);
  const asked = new Set<string>(addresses);
  const plain = block.transactions.filter(({ from, to }) => asked.has(from) || (to !== null && asked.has(to)));
  const [before, after, receipts] = await Promise.all([
    at.height === 0 ? addresses.map(() => 0n) : agreedBalances(nodes, addresses, at.height - 1),
    agreedBalances(nodes, addresses, at.height),
    receiptsOf(
      nodes,
      block,
      plain.map(({ hash }) => hash),
    ),
  ]);
  const explained = new Map<string, bigint>();
  const add = (address: string, wei: bigint) => explained.set(address, (explained.get(address) ?? 0n) + wei);
  for (const { hash, from, to, value } of plain) {
    const receipt = receipts.get(hash);
    invariant(receipt, `the receipt of ${hash} was asked for`);
    const moved = receipt.succeeded ? value : 0n;
    add(from, -moved - receipt.networkFeeMinor);
    if (to) add(to, moved);
  }
  return addresses.map(
    (address, index) => (after[index] ?? 0n) - (before[index] ?? 0n) - (explained.get(address) ?? 0n),
  );
}

/** Asked for together, they travel in batches (`rpc-endpoint.ts`). */
export async function agreedBalances(
  nodes: Nodes<RpcEndpoint>,
  addresses: readonly Address[],
  height: number,
): Promise<bigint[]> {
  const at = numberToHex(height);
  return agree(nodes, `balances at ${height}`, (node) =>
    Promise.all(addresses.map(async (address) => readQuantity(await node.ask('eth_getBalance', [address, at])))),
  );
}
