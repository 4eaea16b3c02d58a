import { keccak256 } from 'viem';
import { type Anvil, RpcError, startAnvil } from './anvil.ts';
import { blockAt, rawTransactionsFrom, stillWaiting } from './chain-reads.ts';
import { type ChainEntry, DEEPEST_REORGANISATION, openChainStore } from './chain-store.ts';

export type ChainEngineOptions = {
  dir: string;
  /** EIP-155. */
  chainId: number;
  /** A state is saved after so many journal entries. */
  snapshotEvery: number;
  /** Anvil's own default without it; the same for as long as the chain lives. */
  blockGasLimit?: number | undefined;
  /** Told after a transaction was accepted. */
  onTransaction: () => void;
};

export type ChainTip = {
  height: number;
  /** Seconds since 1970. */
  timestamp: number;
  /** The highest block known to hold a transaction; 0 when there is none. */
  lastTransactionHeight: number;
};

export type ChainEngine = {
  /** Serves a call that changes nothing. Waits while the chain is being rebuilt. @throws RpcError */
  read(method: string, params: readonly unknown[]): Promise<unknown>;
  /** Takes a signed transaction; returns its hash once it is durable. @throws RpcError */
  submit(raw: string): Promise<string>;
  /** Mines `count` blocks, at least one second apart. Returns the new height. */
  mine(blocks: number): Promise<number>;
  /** Replaces the last `depth` blocks by `depth` + 1 others, which hold the same transactions or none of them. */
  reorganise(depth: number, keepTransactions: boolean): Promise<number>;
  /** Changes the chain by one of anvil's own methods, durably. @throws RpcError */
  set(method: string, params: unknown[]): Promise<unknown>;
  tip(): ChainTip;
  anvilPid(): number;
  /** Ends anvil; `kill` does it by force. The journal needs no farewell. */
  close(signal: NodeJS.Signals): Promise<void>;
};

/** anvil's own methods that may be used: each has the same effect whenever it is replayed. */
const SETTERS: ReadonlySet<string> = new Set([
  'anvil_dropTransaction',
  'anvil_setBalance',
  'anvil_setCode',
  'anvil_setNextBlockBaseFeePerGas',
  'anvil_setNonce',
  'anvil_setStorageAt',
]);
const MOST_BLOCKS_AT_ONCE = 500;

/**
 * A chain that survives the death of its node. Every change is written to the journal before anvil sees it and
 * answered after; when anvil dies, a new one is given the same changes and arrives at the same blocks and hashes.
 * Changes are carried out one after the other.
 */
export async function openChainEngine(options: ChainEngineOptions): Promise<ChainEngine> {
  const store = await openChainStore(options.dir);
  const waiting = new Map<string, string>();
  const tip: ChainTip = { height: 0, timestamp: 0, lastTransactionHeight: 0 };
  let closing = false;
  let anvil: Anvil;
  let isLost = true;
  let queue: Promise<unknown> = Promise.resolve();

  function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = queue.then(work);
    queue = result.catch(() => undefined);
    return result;
  }

  /** Rebuilds the chain from the last state and the journal; returns the result of the newest entry. */
  async function rebuild(): Promise<() => unknown> {
    const replay = await store.replay();
    const { dir, chainId, blockGasLimit } = options;
    anvil = await startAnvil(dir, chainId, replay.genesisTimestamp, replay.stateFile, blockGasLimit);
    isLost = false;
    const started = anvil;
    started.ended.then(() => {
      if (closing || started !== anvil) return;
      isLost = true;
      inTurn(rebuildIfLost).catch(reportAndExit);
    });
    waiting.clear();
    for (const raw of replay.pending) await settle(() => apply({ kind: 'transaction', raw }));
    let newest: () => unknown = () => undefined;
    for (const entry of replay.entries) newest = await settle(() => apply(entry));
    for (const hash of [...waiting.keys()]) if (!(await stillWaiting(anvil, hash))) waiting.delete(hash);
    await findTip();
    return newest;
  }

  async function rebuildIfLost(): Promise<void> {
    if (isLost && !closing) await rebuild();
  }

  async function findTip(): Promise<void> {
    const latest = await blockAt(anvil, 'latest');
    tip.height = latest.height;
    tip.timestamp = latest.timestamp;
    tip.lastTransactionHeight = 0;
    for (let height = latest.height; height > Math.max(0, latest.height - DEEPEST_REORGANISATION); height -= 1) {
      if ((await blockAt(anvil, height)).transactions.length === 0) continue;
      tip.lastTransactionHeight = height;
      return;
    }
  }

  async function apply(entry: ChainEntry): Promise<unknown> {
    if (entry.kind === 'transaction') {
      const hash = await anvil.call('eth_sendRawTransaction', [entry.raw]);
      waiting.set(String(hash), entry.raw);
      return hash;
    }
    if (entry.kind === 'set') return anvil.call(entry.method, entry.params);
    if (entry.kind === 'reorganise') {
      await anvil.call('anvil_rollback', [entry.depth]);
      for (const raw of entry.transactions) await settle(() => anvil.call('eth_sendRawTransaction', [raw]));
    }
    for (const timestamp of entry.timestamps) await anvil.call('evm_mine', [{ timestamp }]);
    return entry.timestamps.length;
  }

  /** Journal first, then the node. Should the node die meanwhile, the rebuilt one tells what came of it. */
  async function change(entry: ChainEntry): Promise<unknown> {
    await rebuildIfLost();
    await store.append(entry);
    try {
      return await apply(entry);
    } catch (error) {
      if (error instanceof RpcError || closing) throw error;
      await anvil.end('SIGKILL');
      return (await rebuild())();
    }
  }

  async function followTip(blocks: number, timestamp: number): Promise<void> {
    const from = tip.height + 1;
    tip.height += blocks;
    tip.timestamp = timestamp;
    for (let height = from; height <= tip.height && waiting.size > 0; height += 1) {
      const { transactions } = await blockAt(anvil, height);
      for (const hash of transactions) waiting.delete(hash);
      if (transactions.length > 0) tip.lastTransactionHeight = height;
    }
    if (store.sinceSnapshot() < options.snapshotEvery) return;
    const dump = await anvil.call('anvil_dumpState', [false]);
    await store.saveSnapshot(String(dump), tip.height, [...waiting.values()]);
  }

  function timestamps(blocks: number, after: number): number[] {
    const first = Math.max(after + 1, Math.floor(Date.now() / 1000));
    return Array.from({ length: blocks }, (_, index) => first + index);
  }

  await rebuild();

  return {
    async read(method, params) {
      const asked = anvil;
      try {
        if (isLost) return await inTurn(() => anvil.call(method, params));
        return await asked.call(method, params);
      } catch (error) {
        if (error instanceof RpcError || closing) throw error;
        await asked.end('SIGKILL');
        return inTurn(() => rebuildIfLost().then(() => anvil.call(method, params)));
      }
    },
    submit: (raw) =>
      inTurn(async () => {
        await rebuildIfLost();
        const known = isHex(raw) && waiting.has(keccak256(raw)) ? keccak256(raw) : null;
        // The node drops one whose sender can't pay for it as a block is made.
        if (known && (await stillWaiting(anvil, known))) throw new RpcError(-32000, 'already known');
        const hash = await change({ kind: 'transaction', raw });
        options.onTransaction();
        return String(hash);
      }),
    mine: (blocks) =>
      inTurn(async () => {
        if (!Number.isInteger(blocks) || blocks < 1 || blocks > MOST_BLOCKS_AT_ONCE) {
          throw new RpcError(-32602, `the number of blocks must be between 1 and ${MOST_BLOCKS_AT_ONCE}`);
        }
        const times = timestamps(blocks, tip.timestamp);
        await change({ kind: 'mine', timestamps: times });
        if (tip.timestamp < (times.at(-1) ?? 0)) await followTip(blocks, times.at(-1) ?? 0);
        return tip.height;
      }),
    reorganise: (depth, keepTransactions) =>
      inTurn(async () => {
        const deepest = Math.min(DEEPEST_REORGANISATION, tip.height);
        if (!Number.isInteger(depth) || depth < 1 || depth > deepest) {
          throw new RpcError(-32602, `the depth must be between 1 and ${deepest}`);
        }
        const transactions = keepTransactions
          ? await rawTransactionsFrom(anvil, tip.height - depth + 1, tip.height)
          : [];
        // Later than the blocks replaced, so that no new block can have an old one's hash.
        await change({ kind: 'reorganise', depth, transactions, timestamps: timestamps(depth + 1, tip.timestamp) });
        for (const hash of [...waiting.keys()]) if (!(await stillWaiting(anvil, hash))) waiting.delete(hash);
        await findTip();
        return tip.height;
      }),
    set: (method, params) => {
      if (!SETTERS.has(method)) throw new RpcError(-32601, `the method ${method} may not be used`);
      return inTurn(() => change({ kind: 'set', method, params }));
    },
    tip: () => ({ ...tip }),
    anvilPid: () => anvil.pid,
    async close(signal) {
      closing = true;
      await anvil.end(signal);
      await queue;
      await store.close();
    },
  };
}

/** Runs a step of a replay: a refusal is part of the history and came to the same the first time. */
async function settle(step: () => Promise<unknown>): Promise<() => unknown> {
  try {
    const result = await step();
    return () => result;
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    return () => {
      throw error;
    };
  }
}

function isHex(text: string): text is `0x${string}` {
  return /^0x([0-9a-f]{2})+$/i.test(text);
}

/** Without its node the chain is of no use; the supervisor starts the whole part again and says so. */
function reportAndExit(error: unknown): void {
  console.error('the local chain could not be rebuilt:', error);
  process.exit(1);
}
