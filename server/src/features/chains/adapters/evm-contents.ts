import type { Address, Hex } from 'viem';
import { numberToHex } from 'viem/utils';
import { invariant } from '../../../platform/domain-error.ts';
import type { Arrival, BlockContent, ChainGateway, Receipt } from '../gateway.ts';
import { type LoggedTransfer, type RawBlock, readBlock, readTransferLogs, transferTopic } from './evm-answers.ts';
import { departuresOf, senders } from './evm-departures.ts';
import { type InternalTransfer, internalTransfers, TracingUnavailable } from './evm-traces.ts';
import { agree, type Nodes, quorumOf } from './quorum.ts';

interface Reading {
  /** Only these tokens count, whatever symbol another claims. */
  contracts: readonly Address[];
  tracing: boolean;
  receipt: (hash: Hex) => Promise<Receipt | null>;
  balanceAt: (contract: null, address: Address, height: number) => Promise<bigint>;
}

/** The blocks changed while they were being read; the next reading sees one chain. */
class ChainMoved extends Error {}

/**
 * Reads a range of blocks. Logs, traces and values only point at transactions; what is believed is the receipt on which
 * a quorum agrees, and which stands in the block that a quorum agrees on.
 */
export function createContentReader(nodes: Nodes, reading: Reading): ChainGateway['contents'] {
  let tracers = reading.tracing ? nodes.endpoints : [];
  const isTracing = () => tracers.length >= quorumOf(nodes);

  async function tracesOf(block: RawBlock): Promise<InternalTransfer[]> {
    if (!isTracing() || block.transactions.every((transaction) => transaction.input === '0x')) return [];
    return agree({ chain: nodes.chain, endpoints: tracers }, `traces of block ${block.number}`, async (node) => {
      try {
        return await internalTransfers(node, { hash: block.hash, height: block.number });
      } catch (error) {
        // From the next reading on, balances tell instead, if too few nodes are left that can trace.
        if (error instanceof TracingUnavailable) tracers = tracers.filter((tracer) => tracer !== node);
        throw error;
      }
    });
  }

  return async (fromHeight, toHeight, own) => {
    const heights = Array.from({ length: toHeight - fromHeight + 1 }, (_, index) => fromHeight + index);
    const [blocks, logs] = await Promise.all([
      Promise.all(heights.map((height) => agreedBlock(nodes, height))),
      agreedLogs(nodes, reading.contracts, fromHeight, toHeight),
    ]);
    assertLinked(blocks);
    const wasTracing = isTracing();
    const traces = await Promise.all(blocks.map(tracesOf));
    if (wasTracing !== isTracing()) throw new ChainMoved('a node cannot trace; reading again');
    const ours = await own.among([...new Set(mentioned(blocks, logs, traces.flat()))]);
    return Promise.all(
      blocks.map(async (block, index) => {
        const hashes = touching(block, logs, traces[index] ?? [], ours);
        const found = await Promise.all(
          hashes.map((hash) => arrivalsOf(block, hash, traces[index] ?? [], ours, reading)),
        );
        const arrivals = found.flat();
        if (!isTracing()) arrivals.push(...(await grownBalances(block, arrivals, await own.all(), reading)));
        return {
          block: { height: block.number, hash: block.hash, parentHash: block.parentHash },
          transactionHashes: block.transactions.map((transaction) => transaction.hash),
          arrivals,
          departures: departuresOf(block, logs, ours),
        } satisfies BlockContent;
      }),
    );
  };
}

async function agreedBlock(nodes: Nodes, height: number): Promise<RawBlock> {
  const block = await agree(nodes, `content of block ${height}`, async (node) =>
    readBlock(await node.ask('eth_getBlockByNumber', [numberToHex(height), true])),
  );
  if (!block) throw new ChainMoved(`${nodes.chain} has no block ${height} any more`);
  return block;
}

async function agreedLogs(
  nodes: Nodes,
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

function* mentioned(
  blocks: readonly RawBlock[],
  logs: readonly LoggedTransfer[],
  traces: readonly InternalTransfer[],
): Generator<Address> {
  for (const block of blocks) {
    for (const transaction of block.transactions) if (transaction.to && transaction.value > 0n) yield transaction.to;
  }
  yield* senders(blocks, logs);
  for (const log of logs) yield log.to;
  for (const trace of traces) yield trace.to;
}

/** The transactions of a block that may have brought something to us. */
function touching(
  block: RawBlock,
  logs: readonly LoggedTransfer[],
  traces: readonly InternalTransfer[],
  ours: ReadonlySet<string>,
): Hex[] {
  const hashes = new Set<Hex>();
  for (const { hash, to, value } of block.transactions) if (to && value > 0n && ours.has(to)) hashes.add(hash);
  for (const log of logs) {
    if (!ours.has(log.to)) continue;
    if (block.transactions.some((transaction) => transaction.hash === log.transactionHash)) {
      if (log.blockHash !== block.hash) throw new ChainMoved(`the logs belong to another block ${block.number}`);
      hashes.add(log.transactionHash);
    }
  }
  for (const trace of traces) if (ours.has(trace.to)) hashes.add(trace.transactionHash);
  return [...hashes];
}

async function arrivalsOf(
  block: RawBlock,
  hash: Hex,
  traces: readonly InternalTransfer[],
  ours: ReadonlySet<string>,
  reading: Reading,
): Promise<Arrival[]> {
  const receipt = await reading.receipt(hash);
  if (receipt?.blockHash !== block.hash) throw new ChainMoved(`${hash} is not in block ${block.number} any more`);
  if (!receipt.succeeded) return [];
  const listed = new Set(reading.contracts.map((contract) => contract.toLowerCase()));
  const arrivals: Arrival[] = receipt.tokenTransfers
    .filter((transfer) => listed.has(transfer.contract.toLowerCase()))
    .map(({ index, ...transfer }) => ({ ...transfer, hash, output: `log:${index}` }));
  const transaction = block.transactions.find((candidate) => candidate.hash === hash);
  invariant(transaction, `block ${block.number} has transaction ${hash}`);
  const native = { hash, contract: null };
  if (transaction.to) {
    const { from, to, value } = transaction;
    arrivals.push({ ...native, output: 'native', from, to, amountMinor: value });
  }
  for (const trace of traces) {
    if (trace.transactionHash !== hash) continue;
    const { from, to, amountWei } = trace;
    arrivals.push({ ...native, output: `internal:${trace.path}`, from, to, amountMinor: amountWei });
  }
  return arrivals.filter((arrival) => arrival.amountMinor > 0n && ours.has(arrival.to));
}

/**
 * Where nodes cannot trace: by how much each address grew in this block beyond what its transactions explain. Known by
 * the block's hash, since no transaction can be named.
 */
async function grownBalances(
  block: RawBlock,
  known: readonly Arrival[],
  addresses: readonly Address[],
  reading: Reading,
): Promise<Arrival[]> {
  if (block.number === 0 || block.transactions.every((transaction) => transaction.input === '0x')) return [];
  const found = await Promise.all(
    addresses.map(async (address): Promise<Arrival[]> => {
      const [before, after] = await Promise.all([
        reading.balanceAt(null, address, block.number - 1),
        reading.balanceAt(null, address, block.number),
      ]);
      const explained = known
        .filter((arrival) => arrival.contract === null && arrival.to === address)
        .reduce((sum, arrival) => sum + arrival.amountMinor, 0n);
      const spent = await spentBy(block, address, reading);
      const amountMinor = after - before - explained + spent;
      if (amountMinor <= 0n) return [];
      return [{ hash: block.hash, output: `balance:${address}`, contract: null, from: null, to: address, amountMinor }];
    }),
  );
  return found.flat();
}

/** Value and network fees of the block's transactions from this address, in wei. */
async function spentBy(block: RawBlock, address: Address, reading: Reading): Promise<bigint> {
  let spent = 0n;
  for (const transaction of block.transactions.filter((candidate) => candidate.from === address)) {
    const receipt = await reading.receipt(transaction.hash);
    if (receipt?.blockHash !== block.hash) throw new ChainMoved(`${transaction.hash} has left block ${block.number}`);
    spent += receipt.costWei + (receipt.succeeded ? transaction.value : 0n);
  }
  return spent;
}
