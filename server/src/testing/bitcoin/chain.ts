import { createHash } from 'node:crypto';
import type { BitcoinTransaction } from '../../features/chains/bitcoin/gateway.ts';
import { asTransaction, readTransaction } from '../../features/chains/bitcoin/transactions.ts';
import {
  type Arrival,
  type BitcoinGateway,
  type BlockContent,
  type Broadcast,
  type FeeEstimates,
  type MempoolView,
  type Outpoint,
  type OwnAddresses,
  outpointKey,
  type WaitingTransaction,
} from '../../features/chains/index.ts';

/**
 * A Bitcoin chain in memory, behind the server's own port: the transactions that the signer signs are read from their bytes, those of
 * strangers are made here. Nodes keep what waits, replace it by the rules of BIP 125, and mine what fits.
 */

export interface PaidOutput {
  address: string;
  amountMinor: bigint;
}

interface Known extends BitcoinTransaction {
  feeMinor: bigint;
}

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
  /** A transaction that a block has, with the outputs that it spends; null when none has it. */
  transaction(hash: string): { height: number; spent: readonly PaidOutput[]; outputs: readonly PaidOutput[] } | null;
  /** A stranger pays from coins of their own; in the mempool. @returns the transaction's hash */
  fund(outputs: readonly PaidOutput[], terms?: { isReplaceable?: boolean; feeMinor?: bigint }): string;
  /** The stranger replaces what they pay: these outputs instead. */
  refund(hash: string, outputs: readonly PaidOutput[]): string;
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
  /** Blocks take what pays at least so many satoshis per virtual byte. */
  leastRate: number;
  /** Hashes of the transactions that wait for a block. */
  waiting(): string[];
}

const outputName = (index: number): string => `vout:${index}`;

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

const sum = (outputs: readonly { amountMinor: bigint }[]) =>
  outputs.reduce((total, { amountMinor }) => total + amountMinor, 0n);

const replaceable = 0xfffffffd;
const final = 0xffffffff;
/** Of a stranger's transaction, whatever it pays. */
const strangersVsize = 141;

export function createBitcoinChain(chainId: string): BitcoinChain {
  let fork = 0;
  let made = 0;
  const blocks: MinedBlock[] = [{ hash: hashOf('genesis'), parentHash: '', transactions: [] }];
  const offered = new Map<string, Known>();
  const everything = () => blocks.flatMap(({ transactions }) => transactions);
  const known = () => [...everything(), ...offered.values()];
  const find = (hash: string) => {
    const height = blocks.findIndex(({ transactions }) => transactions.some((each) => each.hash === hash));
    const transaction = blocks[height]?.transactions.find((each) => each.hash === hash);
    return transaction ? { height, transaction } : null;
  };
  const outputAt = ({ hash, index }: Outpoint, among: readonly Known[]) =>
    among.find((each) => each.hash === hash)?.outputs[index];
  const spentBy = (transactions: readonly Known[]) =>
    new Map(transactions.flatMap((each) => each.inputs.map((input) => [outpointKey(input), each.hash] as const)));
  /** A stranger's coin, which only the chain knows. */
  const isStrangers = ({ index }: Outpoint) => index === 0xffff;

  function canStand(transaction: Known, standing: readonly Known[]): boolean {
    const spent = spentBy(standing);
    return transaction.inputs.every(
      (input) => !spent.has(outpointKey(input)) && (isStrangers(input) || outputAt(input, standing)),
    );
  }

  function mineOne(): void {
    const taken: Known[] = chain.reward ? [rewardOf(chain.reward)] : [];
    chain.reward = null;
    for (const transaction of chain.isFull ? [] : [...offered.values()]) {
      if (bestRateOf(transaction) < chain.leastRate) continue;
      if (!canStand(transaction, [...everything(), ...taken])) continue;
      taken.push(transaction);
      offered.delete(transaction.hash);
    }
    const parentHash = blocks.at(-1)?.hash ?? '';
    blocks.push({ hash: hashOf(`${parentHash}/${blocks.length}/${fork}`), parentHash, transactions: taken });
    // What conflicts with the block waits no longer.
    const spent = spentBy(everything());
    for (const other of offered.values()) {
      if (other.inputs.some((input) => spent.has(outpointKey(input)))) dropWithDescendants(other.hash);
    }
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

  /** As miners choose: what it pays alone, or together with one that spends of it and all that this needs. */
  function bestRateOf(transaction: Known): number {
    const spending = [...offered.values()].filter((other) => ancestorsOf(other).includes(transaction));
    return Math.max(
      ...[transaction, ...spending].map((last) => {
        const together = [last, ...ancestorsOf(last)];
        return (
          Number(sum(together.map(({ feeMinor }) => ({ amountMinor: feeMinor })))) /
          together.reduce((size, { vsize }) => size + vsize, 0)
        );
      }),
    );
  }

  function dropWithDescendants(hash: string): void {
    offered.delete(hash);
    for (const other of [...offered.values()]) {
      if (other.inputs.some((input) => input.hash === hash)) dropWithDescendants(other.hash);
    }
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

  const gateway: BitcoinGateway = {
    chainId,
    head: async () => blocks.length - 1,
    block: async (height) => placeOf(height),
    blockTime: async (height) => (blocks[height] ? new Date(height * 600_000) : null),
    contents: (from, to, own) =>
      Promise.all(Array.from({ length: to - from + 1 }, (_, index) => contentOf(from + index, own))),
    async receipt(hash) {
      const found = find(hash);
      if (!found) return null;
      const { height, transaction } = found;
      return {
        height,
        blockHash: blocks[height]?.hash ?? '',
        succeeded: true,
        networkFeeMinor: transaction.feeMinor,
      };
    },
    async balance(_contract, address, height) {
      const upTo = blocks.slice(0, height + 1).flatMap(({ transactions }) => transactions);
      const spent = spentBy(upTo);
      const outputs = upTo.flatMap((each) =>
        each.outputs.map((output, index) => ({ ...output, key: outpointKey({ hash: each.hash, index }) })),
      );
      return sum(outputs.filter((output) => output.address === address && !spent.has(output.key)));
    },
    balances: (addresses, height) => Promise.all(addresses.map((address) => gateway.balance(null, address, height))),
    async pending(address) {
      const isFrom = (each: Known) => each.inputs.some((input) => input.address === address);
      return { hasQuorum: true, hashes: [...offered.values()].filter(isFrom).map(({ hash }) => hash) };
    },
    answers: async () => true,
    async broadcast(raw): Promise<Broadcast> {
      const read = asTransaction(readTransaction(Buffer.from(raw, 'hex')), 'regtest');
      if (find(read.hash) || offered.has(read.hash)) return { outcome: 'known' };
      const spent = spentBy(everything());
      if (read.inputs.some((input) => spent.has(outpointKey(input)))) return { outcome: 'spent' };
      const inputs = read.inputs.map((input) => outputAt(input, known()));
      if (!inputs.every((input) => input !== undefined)) return { outcome: 'rejected', reason: 'missing-inputs' };
      return accept({ ...read, feeMinor: sum(inputs) - sum(read.outputs) });
    },
    async mempool(own): Promise<MempoolView> {
      const all = [...offered.values()].filter(({ hash }) => hash !== chain.isGone);
      const ours = await own.among(addressesOf(all));
      const touching = all.filter((each) => addressesOf([each]).some((address) => ours.has(address)));
      return { waiting: touching.map(waitingOf), hasQuorum: true };
    },
    async transaction(hash) {
      if (hash === chain.isGone) return null;
      const found = find(hash);
      const transaction = found?.transaction ?? offered.get(hash);
      return transaction ? { transaction, block: found && placeOf(found.height) } : null;
    },
    async spender(outpoint) {
      const hash = spentBy(everything()).get(outpointKey(outpoint));
      const found = hash === undefined ? null : find(hash);
      return (
        found && { hash: found.transaction.hash, height: found.height, blockHash: blocks[found.height]?.hash ?? '' }
      );
    },
    isUnspent: async (outpoint) =>
      outputAt(outpoint, everything()) !== undefined && !spentBy(everything()).has(outpointKey(outpoint)),
    feeEstimates: async () => chain.estimates,
  };

  /** By the rules of BIP 125: a higher fee, and more by at least a satoshi a byte. */
  function accept(transaction: Known): Broadcast {
    const keys = new Set(transaction.inputs.map(outpointKey));
    const conflicts = [...offered.values()].filter((other) =>
      other.inputs.some((input) => keys.has(outpointKey(input))),
    );
    const replaced = sum(conflicts.map(({ feeMinor }) => ({ amountMinor: feeMinor })));
    if (conflicts.length > 0) {
      if (conflicts.some(({ inputs }) => inputs.every(({ sequence }) => sequence > replaceable))) {
        return { outcome: 'rejected', reason: 'txn-mempool-conflict' };
      }
      if (transaction.feeMinor < replaced + BigInt(transaction.vsize)) {
        return { outcome: 'rejected', reason: 'insufficient fee' };
      }
    }
    if (transaction.feeMinor < BigInt(transaction.vsize))
      return { outcome: 'rejected', reason: 'min relay fee not met' };
    for (const { hash } of conflicts) dropWithDescendants(hash);
    offered.set(transaction.hash, transaction);
    return { outcome: 'accepted' };
  }

  function waitingOf(transaction: Known): WaitingTransaction {
    const ancestors = ancestorsOf(transaction);
    return {
      transaction,
      feeMinor: transaction.feeMinor,
      isReplaceable: [transaction, ...ancestors].some(({ inputs }) =>
        inputs.some(({ sequence }) => sequence <= replaceable),
      ),
      ancestorFeeMinor: sum([transaction, ...ancestors].map(({ feeMinor }) => ({ amountMinor: feeMinor }))),
      ancestorVsize: [transaction, ...ancestors].reduce((total, { vsize }) => total + vsize, 0),
    };
  }

  function ancestorsOf(transaction: Known): Known[] {
    const parents = transaction.inputs.flatMap(({ hash }) => offered.get(hash) ?? []);
    return parents.flatMap((parent) => [parent, ...ancestorsOf(parent)]);
  }

  const written = (outputs: readonly PaidOutput[]) => outputs.map((output) => ({ ...output, script: '' }));

  function offerOf(
    inputs: readonly (Outpoint & { sequence: number; address: string | null })[],
    outputs: readonly PaidOutput[],
    feeMinor: bigint,
  ): string {
    made += 1;
    const hash = hashOf(`offered ${made}`);
    offered.set(hash, { hash, inputs, outputs: written(outputs), vsize: strangersVsize, feeMinor });
    return hash;
  }

  const chain: BitcoinChain = {
    gateway,
    estimates: { urgent: 20, normal: 10, economy: 2, minimum: 1 },
    isFull: false,
    isGone: null,
    reward: null,
    leastRate: 0,
    unspent(address) {
      const spent = spentBy(everything());
      return everything().flatMap(({ hash, outputs }) =>
        outputs.flatMap((output, index) =>
          output.address === address && !spent.has(outpointKey({ hash, index }))
            ? [{ hash, index, amountMinor: output.amountMinor }]
            : [],
        ),
      );
    },
    transaction(hash) {
      const found = find(hash);
      if (!found) return null;
      const paid = (output: { address: string | null; amountMinor: bigint }) => ({
        ...output,
        address: output.address ?? '',
      });
      const spent = found.transaction.inputs.flatMap((input) => outputAt(input, everything()) ?? []).map(paid);
      return { height: found.height, spent, outputs: found.transaction.outputs.map(paid) };
    },
    fund(outputs, { isReplaceable = false, feeMinor = 10_000n } = {}) {
      const coin = { hash: hashOf(`coin ${made}`), index: 0xffff, sequence: isReplaceable ? replaceable : final };
      return offerOf([{ ...coin, address: null }], outputs, feeMinor);
    },
    refund(hash, outputs) {
      const former = offered.get(hash);
      if (!former) throw new Error(`${hash} does not wait`);
      dropWithDescendants(hash);
      return offerOf(former.inputs, outputs, former.feeMinor * 2n);
    },
    offer({ inputs, outputs }) {
      const named = inputs.map((input) => ({
        ...input,
        sequence: final,
        address: outputAt(input, known())?.address ?? null,
      }));
      return offerOf(named, outputs, 10_000n);
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
    drop: dropWithDescendants,
    waiting: () => [...offered.keys()],
  };
  return chain;
}
