import { createHash } from 'node:crypto';
import { asTransaction, readTransaction } from '../../features/chains/bitcoin/transactions.ts';
import {
  type Arrival,
  type BitcoinGateway,
  type BlockContent,
  type Broadcast,
  type FeeEstimates,
  type MempoolView,
  NoAgreement,
  needsOf,
  type Outpoint,
  type OwnAddresses,
  outpointKey,
} from '../../features/chains/index.ts';
import { createMempools, final, type Known, replaceable, waitingOf } from './mempools.ts';

/**
 * A Bitcoin chain in memory, behind the server's own port: the transactions that the signer signs are read from their bytes, those of
 * strangers are made here. Two nodes keep what waits, replace it by the rules of BIP 125, and mine what fits.
 */

export interface PaidOutput {
  address: string;
  amountMinor: bigint;
}

type Node = 0 | 1;

interface MinedBlock {
  hash: string;
  parentHash: string;
  transactions: readonly Known[];
}

export interface BitcoinChain {
  gateway: BitcoinGateway;
  /** What the nodes estimate; changed by tests. */
  estimates: FeeEstimates;
  /** Outputs of an address that no block has spent. */
  unspent(address: string): (Outpoint & { amountMinor: bigint })[];
  /** What blocks have paid to an address, whether it was spent or not. */
  received(address: string): (Outpoint & { amountMinor: bigint })[];
  /** A transaction that a block has, with the outputs that it spends; null when none has it. */
  transaction(hash: string): { height: number; spent: readonly PaidOutput[]; outputs: readonly PaidOutput[] } | null;
  /** A stranger pays from coins of their own; in the mempool. @returns the transaction's hash */
  fund(outputs: readonly PaidOutput[], terms?: { isReplaceable?: boolean; feeMinor?: bigint }): string;
  /** The stranger replaces what they pay: these outputs instead; with `at`, at one node alone, while the other keeps the first. */
  refund(hash: string, outputs: readonly PaidOutput[], at?: Node | null): string;
  /** Offers a transaction of someone who has the keys. */
  offer(transaction: { inputs: readonly Outpoint[]; outputs: readonly PaidOutput[] }): string;
  /** Makes blocks of what waits, as far as its inputs are unspent and it pays `leastRate`. */
  mine(blocks?: number): void;
  /** Takes the last blocks away and puts as many others there and one more; what they had waits again, or is lost. */
  reorganise(depth: number, fate: 'offered' | 'lost'): void;
  /** Nodes forget a transaction that waits for a block. */
  drop(hash: string): void;
  /** A transaction that waits and that nodes have lost until this is another. */
  isGone: string | null;
  /** What the miner of the next block pays out of their reward. */
  reward: PaidOutput | null;
  /** While set, blocks take nothing that waits. */
  isFull: boolean;
  /** Does not respond: what needs the word of both nodes is not known. */
  stopped: Node | null;
  /** Where set, what is broadcast reaches this node alone. */
  reached: Node | null;
  /** Whose mempool blocks are made from first, where the two contradict each other. */
  miner: Node;
  /** Each node offers what it has to the other one. */
  gossip(): void;
  /** Strangers offer again what they once paid and no block has, as far as nothing contradicts it. */
  repeatLost(): void;
  /** Blocks take what pays at least so many satoshis per virtual byte. */
  leastRate: number;
  isWaiting(hash: string): boolean;
  /** Hashes of the transactions that wait for a block. */
  waiting(): string[];
}

const outputName = (index: number): string => `vout:${index}`;

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

const sum = (outputs: readonly { amountMinor: bigint }[]) =>
  outputs.reduce((total, { amountMinor }) => total + amountMinor, 0n);

/** Of a stranger's transaction, whatever it pays. */
const strangersVsize = 141;

/** A stranger's coin, which only the chain knows. */
const isStrangers = ({ index }: Outpoint) => index === 0xffff;

/** What blocks say, by hash, by output, and by address. */
function indexOf(blocks: readonly MinedBlock[]) {
  const places = new Map<string, { height: number; transaction: Known }>();
  const spent = new Map<string, string>();
  for (const [height, { transactions }] of blocks.entries()) {
    for (const transaction of transactions) {
      places.set(transaction.hash, { height, transaction });
      for (const input of transaction.inputs) spent.set(outpointKey(input), transaction.hash);
    }
  }
  const outputs = new Map<string, (Outpoint & { amountMinor: bigint })[]>();
  for (const [hash, { transaction }] of places) {
    for (const [index, { address, amountMinor }] of transaction.outputs.entries()) {
      if (address === null || spent.has(outpointKey({ hash, index }))) continue;
      const own = outputs.get(address) ?? [];
      outputs.set(address, own);
      own.push({ hash, index, amountMinor });
    }
  }
  return { places, spent, outputs };
}

export function createBitcoinChain(chainId: string): BitcoinChain {
  let fork = 0;
  let made = 0;
  const blocks: MinedBlock[] = [{ hash: hashOf('genesis'), parentHash: '', transactions: [] }];
  const mempools = createMempools();
  const strangers = new Map<string, Known>();
  let index = indexOf(blocks);
  const known = (hash: string) => index.places.get(hash)?.transaction ?? mempools.find(hash);
  const outputAt = ({ hash, index: place }: Outpoint) => known(hash)?.outputs[place];

  /** By what blocks have, and these beside it. */
  function canStand(transaction: Known, taken: ReadonlyMap<string, Known>, spent: ReadonlySet<string>): boolean {
    return transaction.inputs.every((input) => {
      const key = outpointKey(input);
      const isThere = isStrangers(input) || index.places.has(input.hash) || taken.has(input.hash);
      return isThere && !index.spent.has(key) && !spent.has(key);
    });
  }

  function mineOne(): void {
    const taken = new Map<string, Known>();
    const spent = new Set<string>();
    if (chain.reward) {
      const reward = rewardOf(chain.reward);
      taken.set(reward.hash, reward);
      chain.reward = null;
    }
    const candidates = chain.isFull ? [] : mempools.all(chain.miner);
    // Once more while something was taken: a child may come before its parent.
    for (let before = -1; before !== taken.size; ) {
      before = taken.size;
      for (const transaction of candidates) {
        if (mempools.bestRateOf(transaction) < chain.leastRate) continue;
        if (!canStand(transaction, taken, spent)) continue;
        taken.set(transaction.hash, transaction);
        for (const input of transaction.inputs) spent.add(outpointKey(input));
      }
    }
    const parentHash = blocks.at(-1)?.hash ?? '';
    const hash = hashOf(`${parentHash}/${blocks.length}/${fork}`);
    blocks.push({ hash, parentHash, transactions: [...taken.values()] });
    index = indexOf(blocks);
    mempools.leave([...taken.keys()]);
    // What conflicts with the block waits no longer.
    mempools.dropConflicts(index.spent);
  }

  function rewardOf(output: PaidOutput): Known {
    made += 1;
    return {
      hash: hashOf(`reward ${made}`),
      inputs: [],
      outputs: written([output]),
      vsize: strangersVsize,
      feeMinor: 0n,
    };
  }

  function arrivalsOf(transaction: Known, ours: ReadonlySet<string>): Arrival[] {
    const changeOf = transaction.inputs.flatMap(({ address }) =>
      address !== null && ours.has(address) ? [address] : [],
    );
    return transaction.outputs.flatMap(({ address, amountMinor }, index) =>
      address === null || !ours.has(address)
        ? []
        : [
            {
              hash: transaction.hash,
              output: outputName(index),
              contract: null,
              from: null,
              to: address,
              amountMinor,
              changeOf,
              needs: needsOf(transaction.inputs),
              ...(transaction.inputs.length === 0 && { leastDepth: 100 }),
            },
          ],
    );
  }

  const addressesOf = (transactions: readonly Known[]) =>
    transactions.flatMap(({ inputs, outputs }) => [...inputs, ...outputs].flatMap(({ address }) => address ?? []));

  async function contentOf(height: number, own: OwnAddresses): Promise<BlockContent> {
    const block = blocks[height];
    if (!block) throw new Error(`there is no block ${height}`);
    const ours = await own.among(addressesOf(block.transactions));
    return {
      block: { height, hash: block.hash, parentHash: block.parentHash },
      transactionHashes: block.transactions.map(({ hash }) => hash),
      arrivals: block.transactions.flatMap((each) => arrivalsOf(each, ours)),
      departures: block.transactions.flatMap((each) => {
        const byAddress = Map.groupBy(
          each.inputs.filter(({ address }) => address !== null && ours.has(address)),
          ({ address }) => address ?? '',
        );
        return [...byAddress].map(([from, inputs]) => ({ hash: each.hash, from, spends: inputs.map(outpointKey) }));
      }),
    };
  }

  const placeOf = (height: number) => {
    const block = blocks[height];
    return block ? { height, hash: block.hash, parentHash: block.parentHash } : null;
  };

  const find = (hash: string) => index.places.get(hash) ?? null;
  /** What needs both nodes. */
  async function agreed<T>(answer: () => T | Promise<T>): Promise<T> {
    if (chain.stopped !== null) throw new NoAgreement('silence', 'the test');
    return answer();
  }

  const gateway: BitcoinGateway = {
    chainId,
    head: () => agreed(() => blocks.length - 1),
    block: (height) => agreed(() => placeOf(height)),
    blockTime: async (height) => (blocks[height] ? new Date(height * 600_000) : null),
    contents: (from, to, own) =>
      agreed(() => Promise.all(Array.from({ length: to - from + 1 }, (_, place) => contentOf(from + place, own)))),
    receipt: (hash) =>
      agreed(() => {
        const found = find(hash);
        if (!found) return null;
        const { height, transaction } = found;
        const blockHash = blocks[height]?.hash ?? '';
        return { height, blockHash, succeeded: true, networkFeeMinor: transaction.feeMinor };
      }),
    async balance(_contract, address, height) {
      const [balanceMinor = 0n] = await gateway.balances([address], height);
      return balanceMinor;
    },
    balances: (addresses, height) =>
      agreed(() => {
        const { outputs } = height === blocks.length - 1 ? index : indexOf(blocks.slice(0, height + 1));
        return addresses.map((address) => sum(outputs.get(address) ?? []));
      }),
    async pending(address) {
      const isFrom = (each: Known) => each.inputs.some((input) => input.address === address);
      const hashes = mempools
        .all(chain.miner, chain.stopped)
        .filter(isFrom)
        .map(({ hash }) => hash);
      return { hasQuorum: chain.stopped === null, hashes };
    },
    answers: async () => true,
    async broadcast(raw): Promise<Broadcast> {
      const read = asTransaction(readTransaction(Buffer.from(raw, 'hex')), 'regtest');
      if (index.places.has(read.hash)) return { outcome: 'known' };
      if (read.inputs.some((input) => index.spent.has(outpointKey(input)))) return { outcome: 'spent' };
      const inputs = read.inputs.map(outputAt);
      if (!inputs.every((input) => input !== undefined)) return { outcome: 'rejected', reason: 'missing-inputs' };
      return offerTo({ ...read, feeMinor: sum(inputs) - sum(read.outputs) });
    },
    async mempool(own): Promise<MempoolView> {
      const all = mempools.all(chain.miner, chain.stopped).filter(({ hash }) => hash !== chain.isGone);
      const ours = await own.among(addressesOf(all));
      const touching = all.filter((each) => addressesOf([each]).some((address) => ours.has(address)));
      return { waiting: touching.map((each) => waitingOf(each, mempools)), hasQuorum: chain.stopped === null };
    },
    transaction: (hash) =>
      agreed(() => {
        if (hash === chain.isGone) return null;
        const found = find(hash);
        const transaction = found?.transaction ?? mempools.find(hash);
        return transaction ? { transaction, block: found && placeOf(found.height) } : null;
      }),
    spender: (outpoint) =>
      agreed(() => {
        const hash = index.spent.get(outpointKey(outpoint));
        const found = hash === undefined ? null : find(hash);
        return (
          found && { hash: found.transaction.hash, height: found.height, blockHash: blocks[found.height]?.hash ?? '' }
        );
      }),
    isUnspent: (outpoint) => agreed(() => index.places.has(outpoint.hash) && !index.spent.has(outpointKey(outpoint))),
    feeEstimates: async () => chain.estimates,
  };

  /** To the nodes that what is broadcast reaches. */
  function offerTo(transaction: Known): Broadcast {
    const nodes = ([0, 1] as const).filter((node) => node !== chain.stopped && (chain.reached ?? node) === node);
    const outcomes = nodes.map((node) => mempools.accept(node, transaction, (hash) => index.places.has(hash)));
    const taken = outcomes.find(({ outcome }) => outcome !== 'rejected');
    return taken ?? outcomes[0] ?? { outcome: 'unknown' };
  }

  const written = (outputs: readonly PaidOutput[]) => outputs.map((output) => ({ ...output, script: '' }));

  function offerOf(
    inputs: readonly (Outpoint & { sequence: number; address: string | null })[],
    outputs: readonly PaidOutput[],
    feeMinor: bigint,
    at: Node | null = null,
  ): string {
    made += 1;
    const hash = hashOf(`offered ${made}`);
    const transaction = { hash, inputs, outputs: written(outputs), vsize: strangersVsize, feeMinor };
    strangers.set(hash, transaction);
    for (const node of [0, 1] as const) if ((at ?? node) === node) mempools.put(node, transaction);
    return hash;
  }

  const chain: BitcoinChain = {
    gateway,
    estimates: { urgent: 20, normal: 10, economy: 2, minimum: 1 },
    isFull: false,
    isGone: null,
    reward: null,
    leastRate: 0,
    stopped: null,
    reached: null,
    miner: 0,
    gossip() {
      for (const transaction of mempools.all(0)) {
        for (const node of [0, 1] as const) mempools.accept(node, transaction, (hash) => index.places.has(hash));
      }
    },
    repeatLost() {
      for (const transaction of strangers.values()) {
        const isAlone = transaction.inputs.every((input) => !mempools.spends(outpointKey(input)));
        if (index.places.has(transaction.hash) || !isAlone || !canStand(transaction, new Map(), new Set())) continue;
        for (const node of [0, 1] as const) mempools.put(node, transaction);
      }
    },
    unspent: (address) => index.outputs.get(address) ?? [],
    received: (address) =>
      [...index.places].flatMap(([hash, { transaction }]) =>
        transaction.outputs.flatMap((output, place) =>
          output.address === address ? [{ hash, index: place, amountMinor: output.amountMinor }] : [],
        ),
      ),
    transaction(hash) {
      const found = find(hash);
      if (!found) return null;
      const paid = (output: { address: string | null; amountMinor: bigint }) => ({
        ...output,
        address: output.address ?? '',
      });
      const spent = found.transaction.inputs.flatMap((input) => outputAt(input) ?? []).map(paid);
      return { height: found.height, spent, outputs: found.transaction.outputs.map(paid) };
    },
    fund(outputs, { isReplaceable = false, feeMinor = 10_000n } = {}) {
      const coin = { hash: hashOf(`coin ${made}`), index: 0xffff, sequence: isReplaceable ? replaceable : final };
      return offerOf([{ ...coin, address: null }], outputs, feeMinor);
    },
    refund(hash, outputs, at) {
      const former = mempools.find(hash);
      if (!former) throw new Error(`${hash} does not wait`);
      for (const node of [0, 1] as const) if ((at ?? node) === node) mempools.drop(node, hash);
      return offerOf(former.inputs, outputs, former.feeMinor * 2n, at);
    },
    offer({ inputs, outputs }) {
      const named = inputs.map((input) => ({
        ...input,
        sequence: final,
        address: outputAt(input)?.address ?? null,
      }));
      return offerOf(named, outputs, 10_000n);
    },
    mine(count = 1) {
      for (let left = count; left > 0; left -= 1) mineOne();
    },
    reorganise(depth, fate) {
      fork += 1;
      const gone = blocks.splice(Math.max(1, blocks.length - depth)).flatMap(({ transactions }) => transactions);
      index = indexOf(blocks);
      const nodes = fate === 'offered' ? ([0, 1] as const) : [];
      for (const transaction of gone) for (const node of nodes) mempools.put(node, transaction);
      mempools.dropOrphans((hash) => index.places.has(hash));
      for (let left = depth + 1; left > 0; left -= 1) mineOne();
    },
    drop(hash) {
      for (const node of [0, 1] as const) mempools.drop(node, hash);
    },
    isWaiting: (hash) => mempools.find(hash) !== undefined,
    waiting: () => mempools.all(0).map(({ hash }) => hash),
  };
  return chain;
}
