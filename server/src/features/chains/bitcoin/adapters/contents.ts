import type { BitcoinNetwork } from '../../../../platform/config/chains.ts';
import { type Arrival, type BlockContent, ChainMoved, type Departure, type OwnAddresses } from '../../gateway.ts';
import { keyHashAddress } from '../addresses.ts';
import type { RawBlock } from '../blocks.ts';
import { needsOf, outpointKey } from '../gateway.ts';
import { isCoinbase, type RawOutput, type RawTransaction } from '../transactions.ts';
import { type OwnInput, ownInputs, shownAddresses } from './own-inputs.ts';
import { type BitcoinNodes, blockAt, type TransactionSource } from './sources.ts';

/** Blocks in memory at once: up to 4 MB each. */
const blocksAtOnce = 4;

interface Reading {
  nodes: BitcoinNodes;
  network: BitcoinNetwork;
  source: TransactionSource;
}

/** Reads a range of blocks, linked to one another. @throws ChainMoved, NoAgreement */
export async function readContents(
  reading: Reading,
  fromHeight: number,
  toHeight: number,
  own: OwnAddresses,
): Promise<BlockContent[]> {
  const contents: BlockContent[] = [];
  for (let first = fromHeight; first <= toHeight; first += blocksAtOnce) {
    const count = Math.min(blocksAtOnce, toHeight - first + 1);
    const heights = Array.from({ length: count }, (_, index) => first + index);
    const blocks = await Promise.all(heights.map((height) => blockAt(reading.nodes, height)));
    for (const [index, block] of blocks.entries()) {
      const height = first + index;
      const before = contents.at(-1);
      if (before && block.parentHash !== before.block.hash) throw new ChainMoved(`block ${height} does not follow`);
      contents.push(await contentOf(reading, block, height, own));
    }
  }
  return contents;
}

async function contentOf(
  reading: Reading,
  { hash, parentHash, transactions }: RawBlock,
  height: number,
  own: OwnAddresses,
): Promise<BlockContent> {
  const ours = await own.among([...mentioned(transactions, reading.network)]);
  const spending = await ownInputs(transactions, ours, reading);
  return {
    block: { height, hash, parentHash },
    transactionHashes: transactions.map((transaction) => transaction.hash),
    arrivals: transactions.flatMap((transaction) =>
      arrivalsOf(transaction, spendersOf(spending.get(transaction.hash)), ours, reading.network),
    ),
    departures: transactions.flatMap(({ hash: spender }) => departuresOf(spender, spending.get(spender))),
  };
}

/** Every address of the only form that ours have. */
export function mentioned(transactions: readonly RawTransaction[], network: BitcoinNetwork): Set<string> {
  const addresses = new Set<string>();
  for (const transaction of transactions) {
    for (const address of shownAddresses(transaction, network)) addresses.add(address);
    for (const output of transaction.outputs) {
      const address = ownableAddress(output, network);
      if (address !== null) addresses.add(address);
    }
  }
  return addresses;
}

/** P2WPKH alone: working out the addresses of other forms would take most of the time. */
function ownableAddress({ script }: RawOutput, network: BitcoinNetwork): string | null {
  return script.length === 22 && script[0] === 0 && script[1] === 20
    ? keyHashAddress(script.subarray(2), network)
    : null;
}

function departuresOf(hash: string, inputs: readonly OwnInput[] = []): Departure[] {
  return [...Map.groupBy(inputs, ({ address }) => address)].map(([from, own]) => ({
    hash,
    from,
    spends: own.map(({ input }) => outpointKey(input)),
  }));
}

function spendersOf(inputs: readonly OwnInput[] = []): string[] {
  return [...new Set(inputs.map(({ address }) => address))];
}

/** So many blocks after its own a reward may be spent (consensus: COINBASE_MATURITY). */
const maturity = 100;

function arrivalsOf(
  { hash, inputs, outputs }: RawTransaction,
  changeOf: readonly string[],
  ours: ReadonlySet<string>,
  network: BitcoinNetwork,
): Arrival[] {
  const terms = isCoinbase({ inputs }) ? { leastDepth: maturity } : { needs: needsOf(inputs) };
  return outputs.flatMap((output, index) => {
    const to = ownableAddress(output, network);
    if (to === null || !ours.has(to) || output.amountMinor === 0n) return [];
    return [
      {
        hash,
        output: `vout:${index}`,
        contract: null,
        from: null,
        to,
        amountMinor: output.amountMinor,
        changeOf,
        ...terms,
      },
    ];
  });
}
