import { type Block, genesis } from './block.ts';
import { type Outpoint, type Output, outpointKey, type Transaction } from './transaction.ts';

/** An output that no block has spent. */
export interface Coin extends Outpoint, Output {
  height: number;
  isCoinbase: boolean;
}

export interface Confirmed {
  transaction: Transaction;
  block: Block;
  position: number;
}

/** What the active chain says, with every index that the two protocols ask for. */
export interface BlockChain {
  tip(): Block;
  at(height: number): Block | undefined;
  /** Of the active chain, or replaced by a reorganisation. */
  byHash(hash: string): Block | undefined;
  isActive(block: Block): boolean;
  transaction(txid: string): Confirmed | undefined;
  coin(outpoint: Outpoint): Coin | undefined;
  coins(): Iterable<Coin>;
  /** The transaction of a block that spends an output, and its input. */
  spender(outpoint: Outpoint): { txid: string; vin: number } | undefined;
  /** Ids of the transactions of blocks that pay to a script or spend from it, oldest first. */
  history(script: string): readonly string[];
  /** Of the last eleven blocks (BIP 113), in seconds since 1970. */
  medianTime(height: number): number;
  connect(block: Block): void;
  /** Takes the last block off the chain and returns it. */
  disconnect(): Block;
}

export function createBlockChain(): BlockChain {
  const blocks: Block[] = [genesis()];
  const known = new Map<string, Block>(blocks.map((block) => [block.hash, block]));
  const confirmed = new Map<string, Confirmed>();
  const coins = new Map<string, Coin>();
  const spenders = new Map<string, { txid: string; vin: number }>();
  const histories = new Map<string, string[]>();

  const last = (): Block => blocks[blocks.length - 1] ?? genesis();

  function outputOf({ txid, vout }: Outpoint): Output | undefined {
    return confirmed.get(txid)?.transaction.outputs[vout];
  }

  function scriptsOf(transaction: Transaction): Set<string> {
    const spent = transaction.inputs.map((input) => outputOf(input)?.script ?? '');
    return new Set([...spent, ...transaction.outputs.map(({ script }) => script)].filter((script) => script !== ''));
  }

  function addCoin(txid: string, vout: number): void {
    const { transaction, block } = confirmed.get(txid) ?? {};
    const output = transaction?.outputs[vout];
    if (transaction === undefined || output === undefined || block === undefined) return;
    // What can never be spent is no part of the set.
    if (output.script.startsWith('6a')) return;
    coins.set(outpointKey({ txid, vout }), {
      txid,
      vout,
      ...output,
      height: block.height,
      isCoinbase: transaction.isCoinbase,
    });
  }

  return {
    tip: last,
    at: (height) => blocks[height],
    byHash: (hash) => known.get(hash),
    isActive: (block) => blocks[block.height]?.hash === block.hash,
    transaction: (txid) => confirmed.get(txid),
    coin: (outpoint) => coins.get(outpointKey(outpoint)),
    coins: () => coins.values(),
    spender: (outpoint) => spenders.get(outpointKey(outpoint)),
    history: (script) => histories.get(script) ?? [],
    medianTime(height) {
      const times = blocks.slice(Math.max(0, height - 10), height + 1).map(({ time }) => time);
      return times.sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;
    },
    connect(block) {
      if (block.previous !== last().hash) throw new Error(`block ${block.hash} does not follow ${last().hash}`);
      blocks.push(block);
      known.set(block.hash, block);
      for (const [position, transaction] of block.transactions.entries()) {
        confirmed.set(transaction.txid, { transaction, block, position });
        for (const script of scriptsOf(transaction)) {
          const history = histories.get(script);
          if (history === undefined) histories.set(script, [transaction.txid]);
          else history.push(transaction.txid);
        }
        if (!transaction.isCoinbase) {
          for (const [vin, input] of transaction.inputs.entries()) {
            coins.delete(outpointKey(input));
            spenders.set(outpointKey(input), { txid: transaction.txid, vin });
          }
        }
        for (const vout of transaction.outputs.keys()) addCoin(transaction.txid, vout);
      }
    },
    disconnect() {
      const block = blocks.pop();
      if (block === undefined || block.height === 0) throw new Error('the first block cannot be taken off');
      for (const transaction of [...block.transactions].reverse()) {
        for (const vout of transaction.outputs.keys()) coins.delete(outpointKey({ txid: transaction.txid, vout }));
        for (const script of scriptsOf(transaction)) histories.get(script)?.pop();
        confirmed.delete(transaction.txid);
        if (transaction.isCoinbase) continue;
        for (const input of transaction.inputs) {
          spenders.delete(outpointKey(input));
          addCoin(input.txid, input.vout);
        }
      }
      return block;
    },
  };
}
