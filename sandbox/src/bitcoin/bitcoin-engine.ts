import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { openJournal } from '../journal.ts';
import { type Admission, admit } from './admission.ts';
import { type Block, makeBlock, readBlock } from './block.ts';
import { type BlockChain, createBlockChain } from './block-chain.ts';
import { fillBlock } from './block-filling.ts';
import { createMempool, type Mempool } from './mempool.ts';
import { Rejection } from './rejection.ts';
import { readTransaction, type Transaction } from './transaction.ts';

/** Everything that changes chain or mempool, with its outcome: a replay decides nothing. */
type Entry =
  | { kind: 'transaction'; raw: string; fee: number; time: number; replaced: readonly string[] }
  | { kind: 'blocks'; blocks: readonly string[] }
  | { kind: 'reorganise'; depth: number; blocks: readonly string[]; waiting: readonly string[] };

/** What nodes and miners ask for; the desk changes it, a restart begins with the defaults. */
export interface Market {
  /** Satoshis per virtual byte for a block within so many blocks; null: the node knows too little. */
  estimates: { 1: number; 6: number; 144: number } | null;
  /** Below this the mempool takes nothing; at least 1. */
  mempoolRate: number;
  /** Below this the miners take nothing, though the mempool does. */
  minedRate: number;
  /** Virtual bytes of transactions in a block. */
  blockVsize: number;
}

/** What becomes of the transactions of replaced blocks: mined again, offered again and waiting, or gone. */
export const REORGANISATIONS = ['mined', 'waiting', 'lost'] as const;
export type Reorganisation = (typeof REORGANISATIONS)[number];

export interface BitcoinEngine {
  chain: BlockChain;
  pool: Mempool;
  market(): Market;
  setMarket(market: Partial<Market>): void;
  /** What `submit` would do. @throws Rejection */
  consider(transaction: Transaction): Admission;
  /** Carries out what `consider` has just decided. */
  accept(admission: Admission): void;
  /** Considers and accepts. @throws Rejection */
  submit(transaction: Transaction): void;
  /** Mines blocks; `first`, which spend what is in blocks, go in whatever the mempool holds. Returns the new height. @throws Rejection */
  mine(blocks: number, first?: readonly Transaction[]): number;
  /** Replaces the last `depth` blocks by `depth` + 1 others. Returns the new height. */
  reorganise(depth: number, outcome: Reorganisation): number;
  /** As the miner asks for it (see ../chain-miner.ts). */
  tip(): { height: number; timestamp: number; lastTransactionHeight: number };
  /** Settles when everything that was shown so far is on the disk: nothing leaves the process before. */
  durable(): Promise<void>;
  close(): Promise<void>;
}

export interface BitcoinEngineOptions {
  dir: string;
  /** To which the miner's rewards are paid, in hexadecimal. */
  rewardScript: string;
  /** Blocks on a new chain, so that there is money to pay out. */
  firstBlocks: number;
  onTransaction: () => void;
  /** The journal cannot be written any more. */
  onFailure: (error: unknown) => void;
}

export const DEEPEST_REORGANISATION = 64;
export const MOST_BLOCKS_AT_ONCE = 500;
const MINIMUM_RATE = 1;
const BLOCK_TIME_S = 600;
const CALM: Market = { estimates: { 1: 5, 6: 3, 144: 1 }, mempoolRate: 1, minedRate: 1, blockVsize: 990_000 };

/**
 * A regtest chain with its mempool in memory and a journal on disk. A change is carried out at once and written behind it;
 * `durable` holds back every answer until the journal has what the answer shows. Rules of transactions are bcoin's and Core's
 * (admission.ts); blocks are made here alone.
 *
 * @throws SandboxFailure damaged
 */
export async function openBitcoinEngine(options: BitcoinEngineOptions): Promise<BitcoinEngine> {
  await mkdir(options.dir, { recursive: true });
  const journal = await openJournal(join(options.dir, 'journal.log'), isEntry);
  const chain = createBlockChain();
  const pool = createMempool();
  let market = CALM;
  let lastTransactionHeight = 0;
  let unwritten: Entry[] = [];
  let written: Promise<void> = Promise.resolve();
  for (const entry of journal.entries) replay(entry);

  function record(entry: Entry): void {
    unwritten.push(entry);
    // The first of those that come while the disk is at work takes the others along.
    if (unwritten.length > 1) return;
    written = written.then(() => {
      const entries = unwritten;
      unwritten = [];
      return journal.appendAll(entries);
    });
    written.catch(options.onFailure);
  }

  function replay(entry: Entry): void {
    if (entry.kind === 'blocks') {
      connectAll(entry.blocks);
      return;
    }
    if (entry.kind === 'transaction') {
      for (const txid of entry.replaced) pool.remove(txid);
      const { fee, time } = entry;
      pool.add({ transaction: known(entry.raw), fee, time, height: chain.tip().height });
      return;
    }
    for (let step = 0; step < entry.depth; step += 1) chain.disconnect();
    connectAll(entry.blocks);
    for (const raw of entry.waiting) readmit(known(raw));
    dropOrphans();
    findLastTransaction();
  }

  function connectAll(raws: readonly string[]): void {
    for (const raw of raws) connect(readBlock(raw, chain.tip().height + 1));
  }

  function connect(block: Block): void {
    chain.connect(block);
    pool.confirm(block);
    if (block.transactions.length > 1) lastTransactionHeight = block.height;
  }

  function findLastTransaction(): void {
    let { height } = chain.tip();
    while (height > 0 && chain.at(height)?.transactions.length === 1) height -= 1;
    lastTransactionHeight = height;
  }

  /** Transactions whose inputs went with a replaced block leave the mempool. */
  function dropOrphans(): void {
    for (const { transaction } of pool.entries()) {
      const isWhole = transaction.inputs.every((input) => chain.coin(input) ?? pool.get(input.txid));
      if (!isWhole) pool.remove(transaction.txid);
    }
  }

  /** Back into the mempool from a replaced block: without a check of fees, as a node does, unless it conflicts. */
  function readmit(transaction: Transaction): boolean {
    const { inputs, outputs } = transaction;
    let paidIn = 0;
    for (const input of inputs) {
      const output = chain.coin(input) ?? pool.get(input.txid)?.transaction.outputs[input.vout];
      if (output === undefined || pool.spender(input) !== undefined) return false;
      paidIn += output.value;
    }
    const fee = paidIn - outputs.reduce((sum, { value }) => sum + value, 0);
    pool.add({ transaction, fee, time: Math.floor(Date.now() / 1000), height: chain.tip().height });
    return true;
  }

  function nextBlock(first: readonly Transaction[], isEmpty = false): Block {
    const tip = chain.tip();
    const filling = isEmpty ? { transactions: [], fees: 0 } : fillBlock(chain, pool, first, market);
    const block = makeBlock({
      previous: tip.hash,
      height: tip.height + 1,
      // One second after the newest at least, also of those that were replaced: no two blocks are the same.
      time: Math.max(tip.time + 1, latest + 1, Math.floor(Date.now() / 1000)),
      script: options.rewardScript,
      ...filling,
    });
    latest = block.time;
    connect(block);
    return block;
  }

  let latest = 0;
  for (let height = 0; height <= chain.tip().height; height += 1)
    latest = Math.max(latest, chain.at(height)?.time ?? 0);

  if (chain.tip().height === 0) {
    const start = Math.floor(Date.now() / 1000) - options.firstBlocks * BLOCK_TIME_S;
    const blocks: string[] = [];
    for (let height = 1; height <= options.firstBlocks; height += 1) {
      const { hash: previous } = chain.tip();
      const time = start + height * BLOCK_TIME_S;
      const block = makeBlock({ previous, height, time, script: options.rewardScript, fees: 0, transactions: [] });
      connect(block);
      blocks.push(block.raw);
    }
    record({ kind: 'blocks', blocks });
    latest = chain.tip().time;
    await written;
  }

  const consider = (transaction: Transaction): Admission =>
    admit(chain, pool, transaction, { minimumRate: MINIMUM_RATE, mempoolRate: market.mempoolRate });

  function accept({ entry, replaced }: Admission): void {
    for (const txid of replaced) pool.remove(txid);
    pool.add(entry);
    const { transaction, fee, time } = entry;
    record({ kind: 'transaction', raw: transaction.raw, fee, time, replaced });
    options.onTransaction();
  }

  return {
    chain,
    pool,
    market: () => ({ ...market }),
    setMarket(changed) {
      market = { ...market, ...changed };
    },
    consider,
    accept,
    submit: (transaction) => accept(consider(transaction)),
    mine(blocks, first = []) {
      inRange('number of blocks', blocks, MOST_BLOCKS_AT_ONCE);
      if (!first.every(({ inputs }) => inputs.every((input) => chain.coin(input) !== undefined))) {
        throw new Rejection('it spends what is in no block yet');
      }
      const made = Array.from({ length: blocks }, (_, count) => nextBlock(count === 0 ? first : []).raw);
      record({ kind: 'blocks', blocks: made });
      return chain.tip().height;
    },
    reorganise(depth, outcome) {
      inRange('depth', depth, Math.min(DEEPEST_REORGANISATION, chain.tip().height - 1));
      const replacedBlocks: Block[] = [];
      for (let step = 0; step < depth; step += 1) replacedBlocks.unshift(chain.disconnect());
      const freed = replacedBlocks.flatMap((block) => block.transactions.filter(({ isCoinbase }) => !isCoinbase));
      const blocks: Block[] = [];
      const waiting: string[] = [];
      const offer = (): void => {
        for (const transaction of freed) if (readmit(transaction)) waiting.push(transaction.raw);
        dropOrphans();
      };
      if (outcome === 'mined') offer();
      for (let count = 0; count <= depth; count += 1) blocks.push(nextBlock([], outcome !== 'mined'));
      if (outcome === 'waiting') offer();
      dropOrphans();
      record({
        kind: 'reorganise',
        depth,
        blocks: blocks.map(({ raw }) => raw),
        waiting: waiting.filter((raw) => pool.get(known(raw).txid) !== undefined),
      });
      findLastTransaction();
      if (outcome === 'waiting') options.onTransaction();
      return chain.tip().height;
    },
    tip: () => ({ height: chain.tip().height, timestamp: chain.tip().time, lastTransactionHeight }),
    durable: () => written,
    async close() {
      await written.catch(() => undefined);
      await journal.close();
    },
  };
}

function inRange(what: string, value: number, most: number): void {
  if (!Number.isInteger(value) || value < 1 || value > most) {
    throw new Rejection(`the ${what} must be between 1 and ${most}`);
  }
}

/** Of bytes that were read before. */
function known(raw: string): Transaction {
  const transaction = readTransaction(raw);
  if (transaction === null) throw new Error('the journal holds a transaction that cannot be read');
  return transaction;
}

function isEntry(value: unknown): value is Entry {
  return typeof value === 'object' && value !== null && 'kind' in value && typeof value.kind === 'string';
}
