import { createHash } from 'node:crypto';
import type { BlockContent, Broadcast, ChainGateway, OwnAddresses } from '../../features/chains/index.ts';

/**
 * A chain of unspent outputs in memory, behind the server's own port: transactions spend whole outputs and make new ones, the
 * rest is the miner's. It has no accounts, no nonces, no contracts and no logs.
 */

/** An output of a transaction, by the transaction's hash and its position. */
export interface Outpoint {
  hash: string;
  index: number;
}

export interface Output {
  address: string;
  amountMinor: bigint;
}

export interface UtxoTransaction {
  hash: string;
  inputs: readonly Outpoint[];
  outputs: readonly Output[];
}

interface MinedBlock {
  hash: string;
  parentHash: string;
  transactions: readonly UtxoTransaction[];
}

export interface UtxoChain {
  gateway: ChainGateway;
  /** Outputs of an address that no block has spent. */
  unspent(address: string): (Outpoint & { amountMinor: bigint })[];
  /** A transaction of a block with the outputs that it spends; null when no block has it. */
  transaction(hash: string): { height: number; spent: readonly Output[]; outputs: readonly Output[] } | null;
  /** The transaction of a block that spent an output; null when none has. */
  spender(outpoint: Outpoint): { hash: string; height: number } | null;
  /** Pays to addresses from nowhere, in the next block. @returns the transaction's hash */
  fund(outputs: readonly Output[]): string;
  /** Offers a transaction of another party to the miners. */
  offer(transaction: Omit<UtxoTransaction, 'hash'>): string;
  /** Makes blocks of what was offered, as far as its inputs are unspent. */
  mine(blocks?: number): void;
  /** Takes the last blocks away and puts as many others there and one more; what they had is offered again, or lost. */
  reorganise(depth: number, fate: 'offered' | 'lost'): void;
  /** Nodes forget a transaction that waits for a block. */
  drop(hash: string): void;
  /** While set, blocks take nothing that was offered. */
  isFull: boolean;
  /** Hashes of the transactions that wait for a block. */
  waiting(): string[];
}

/** The name of a position among the outputs of a transaction, as a deposit keeps it. */
const outputName = (index: number): string => `vout:${index}`;

export const keyOf = ({ hash, index }: Outpoint): string => `${hash}:${index}`;

/** Signed bytes in this chain's form. */
export function serialise({ inputs, outputs }: Omit<UtxoTransaction, 'hash'>): string {
  return JSON.stringify({
    inputs: inputs.map(({ hash, index }) => [hash, index]),
    outputs: outputs.map(({ address, amountMinor }) => [address, amountMinor.toString()]),
  });
}

export function hashOf(bytes: string): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function parse(raw: string): UtxoTransaction {
  const { inputs, outputs } = JSON.parse(raw) as { inputs: [string, number][]; outputs: [string, string][] };
  return {
    hash: hashOf(raw),
    inputs: inputs.map(([hash, index]) => ({ hash, index })),
    outputs: outputs.map(([address, amount]) => ({ address, amountMinor: BigInt(amount) })),
  };
}

export function createUtxoChain(chainId: string): UtxoChain {
  let fork = 0;
  let funded = 0;
  const blocks: MinedBlock[] = [{ hash: hashOf('genesis'), parentHash: '', transactions: [] }];
  const offered = new Map<string, UtxoTransaction>();
  const everything = () => blocks.flatMap(({ transactions }) => transactions);
  const find = (hash: string) => {
    const height = blocks.findIndex(({ transactions }) => transactions.some((each) => each.hash === hash));
    const transaction = blocks[height]?.transactions.find((each) => each.hash === hash);
    return transaction ? { height, transaction } : null;
  };
  const outputAt = ({ hash, index }: Outpoint, among: readonly UtxoTransaction[]): Output | undefined =>
    among.find((each) => each.hash === hash)?.outputs[index];
  const spentBy = (transactions: readonly UtxoTransaction[]) =>
    new Map(transactions.flatMap((each) => each.inputs.map((input) => [keyOf(input), each.hash] as const)));

  function canStand(transaction: UtxoTransaction, known: readonly UtxoTransaction[]): boolean {
    const spent = spentBy(known);
    return transaction.inputs.every((input) => outputAt(input, known) && !spent.has(keyOf(input)));
  }

  function mineOne(): void {
    const taken: UtxoTransaction[] = [];
    for (const transaction of chain.isFull ? [] : [...offered.values()]) {
      const known = [...everything(), ...taken];
      if (!canStand(transaction, known)) continue;
      taken.push(transaction);
      offered.delete(transaction.hash);
    }
    const parentHash = blocks.at(-1)?.hash ?? '';
    blocks.push({ hash: hashOf(`${parentHash}/${blocks.length}/${fork}`), parentHash, transactions: taken });
  }

  async function contentOf(height: number, own: OwnAddresses): Promise<BlockContent> {
    const block = blocks[height];
    if (!block) throw new Error(`there is no block ${height}`);
    const all = everything();
    const spentFrom = (each: UtxoTransaction) => each.inputs.flatMap((input) => outputAt(input, all)?.address ?? []);
    const ours = await own.among(
      block.transactions.flatMap((each) => [...each.outputs.map(({ address }) => address), ...spentFrom(each)]),
    );
    return {
      block: { height, hash: block.hash, parentHash: block.parentHash },
      transactionHashes: block.transactions.map(({ hash }) => hash),
      arrivals: block.transactions.flatMap((each) => {
        const changeOf = spentFrom(each).filter((address) => ours.has(address));
        return each.outputs.flatMap(({ address, amountMinor }, index) => {
          if (!ours.has(address)) return [];
          const output = outputName(index);
          return [{ hash: each.hash, output, contract: null, from: null, to: address, amountMinor, changeOf }];
        });
      }),
      departures: block.transactions.flatMap((each) =>
        [...new Set(spentFrom(each))].filter((from) => ours.has(from)).map((from) => ({ hash: each.hash, from })),
      ),
    };
  }

  const gateway: ChainGateway = {
    chainId,
    head: async () => blocks.length - 1,
    async block(height) {
      const block = blocks[height];
      return block ? { height, hash: block.hash, parentHash: block.parentHash } : null;
    },
    blockTime: async (height) => (blocks[height] ? new Date(height * 600_000) : null),
    contents: (from, to, own) =>
      Promise.all(Array.from({ length: to - from + 1 }, (_, index) => contentOf(from + index, own))),
    async receipt(hash) {
      const found = find(hash);
      if (!found) return null;
      const { height, transaction } = found;
      const all = everything();
      const sum = (outputs: readonly (Output | undefined)[]) =>
        outputs.reduce((total, output) => total + (output?.amountMinor ?? 0n), 0n);
      const spent = sum(transaction.inputs.map((input) => outputAt(input, all)));
      return {
        height,
        blockHash: blocks[height]?.hash ?? '',
        succeeded: true,
        networkFeeMinor: spent - sum(transaction.outputs),
      };
    },
    async balance(_contract, address, height) {
      const upTo = blocks.slice(0, height + 1).flatMap(({ transactions }) => transactions);
      const spent = spentBy(upTo);
      return upTo
        .flatMap((each) => each.outputs.map((output, index) => ({ ...output, key: keyOf({ hash: each.hash, index }) })))
        .filter((output) => output.address === address && !spent.has(output.key))
        .reduce((total, { amountMinor }) => total + amountMinor, 0n);
    },
    async pending(address) {
      const known = [...everything(), ...offered.values()];
      const isFrom = (each: UtxoTransaction) =>
        each.inputs.some((input) => outputAt(input, known)?.address === address);
      return { hasQuorum: true, hashes: [...offered.values()].filter(isFrom).map(({ hash }) => hash) };
    },
    answers: async () => true,
    async broadcast(raw): Promise<Broadcast> {
      const transaction = parse(raw);
      if (find(transaction.hash) || offered.has(transaction.hash)) return { outcome: 'known' };
      const all = everything();
      if (transaction.inputs.some((input) => spentBy(all).has(keyOf(input)))) return { outcome: 'spent' };
      const among = [...all, ...offered.values()];
      if (!transaction.inputs.every((input) => outputAt(input, among))) {
        return { outcome: 'rejected', reason: 'an input does not exist' };
      }
      // A replacement takes the place of what spends the same, as nodes do for a higher fee (BIP 125).
      const keys = new Set(transaction.inputs.map(keyOf));
      for (const other of offered.values()) {
        if (other.inputs.some((input) => keys.has(keyOf(input)))) offered.delete(other.hash);
      }
      offered.set(transaction.hash, transaction);
      return { outcome: 'accepted' };
    },
  };

  const chain: UtxoChain = {
    gateway,
    isFull: false,
    unspent(address) {
      const all = everything();
      const spent = spentBy(all);
      return all.flatMap(({ hash, outputs }) =>
        outputs.flatMap((output, index) =>
          output.address === address && !spent.has(keyOf({ hash, index }))
            ? [{ hash, index, amountMinor: output.amountMinor }]
            : [],
        ),
      );
    },
    transaction(hash) {
      const found = find(hash);
      if (!found) return null;
      const all = everything();
      const spent = found.transaction.inputs.flatMap((input) => outputAt(input, all) ?? []);
      return { height: found.height, spent, outputs: found.transaction.outputs };
    },
    spender(outpoint) {
      const hash = spentBy(everything()).get(keyOf(outpoint));
      const found = hash === undefined ? null : find(hash);
      return found && { hash: found.transaction.hash, height: found.height };
    },
    fund(outputs) {
      funded += 1;
      const hash = hashOf(`funding ${funded}`);
      offered.set(hash, { hash, inputs: [], outputs });
      return hash;
    },
    offer(transaction) {
      const hash = hashOf(serialise(transaction));
      offered.set(hash, { ...transaction, hash });
      return hash;
    },
    mine(count = 1) {
      for (let left = count; left > 0; left -= 1) mineOne();
    },
    reorganise(depth, fate) {
      fork += 1;
      const gone = blocks.splice(-depth).flatMap(({ transactions }) => transactions);
      if (fate === 'offered') for (const transaction of gone) offered.set(transaction.hash, transaction);
      for (let left = depth + 1; left > 0; left -= 1) mineOne();
    },
    drop: (hash) => void offered.delete(hash),
    waiting: () => [...offered.keys()],
  };
  return chain;
}
