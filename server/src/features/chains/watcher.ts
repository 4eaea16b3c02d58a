import { Counter } from 'prom-client';
import type { ChainConfig } from '../../platform/config/chains.ts';
import type { Database, PlatformTx } from '../../platform/database/database.ts';
import { type Loop, startLoop, stopAll } from '../../platform/jobs/loop.ts';
import type { Log } from '../../platform/process/log.ts';
import { chainGauge, registry } from '../../platform/process/metrics.ts';
import { type BlockContent, type ChainGateway, NoAgreement, type OwnAddresses } from './gateway.ts';
import { ownersOf } from './store/addresses.ts';
import { type Cursor, findChain, findCursor, lockCursor, rememberBlocks, rememberedBlocks } from './store/chains.ts';

/**
 * Follows one chain: block by block, each linked to the one before, and back to the fork when the chain has been
 * reorganised. The listener may get the same blocks again after a crash, since the cursor moves last.
 */

/** Blocks as they came. `forkHeight`: every block above it that was reported before is gone, and these replace them. */
export interface BlocksSeen {
  chainId: string;
  contents: readonly BlockContent[];
  forkHeight: number | null;
}

export interface ChainListener {
  onBlocks(seen: BlocksSeen): Promise<void>;
  /** In the transaction in which the cursor moves; all blocks above `above` are these. */
  onRead(tx: PlatformTx, chainId: string, above: number, contents: readonly BlockContent[]): Promise<void>;
  /** All blocks up to this height have been told. */
  onHead(chainId: string, height: number): Promise<void>;
}

/** How far back a chain is read when it is watched for the first time and no block to start at is configured. */
const firstLookbackBlocks = 1000;
const batchBlocks = 20;
/** Block hashes kept for finding a fork, more where a chain's depth is greater; a deeper reorganisation halts the chain for the operator. */
const leastRemembered = 512;

const headHeight = chainGauge('causeway_chain_head', 'Height on which the nodes agree');
const cursorHeight = chainGauge('causeway_chain_cursor', 'Height up to which the watcher has read');
const reorganisations = new Counter({
  name: 'causeway_chain_reorganisations_total',
  help: 'Reorganisations followed',
  labelNames: ['chain'],
  registers: [registry],
});
const failures = new Counter({
  name: 'causeway_chain_watch_failures_total',
  help: 'Rounds of a watcher that came to nothing',
  labelNames: ['chain'],
  registers: [registry],
});

export interface WatcherOptions {
  database: Database;
  gateway: ChainGateway;
  listener: ChainListener;
  log: Log;
  pollIntervalMs: number;
  /** Where the first watch begins; no meaning once the chain is followed. */
  startBlock?: number | undefined;
  /** Before blocks are read: what must be known of addresses; where it rejects, none is read. */
  beforeReading?: (() => Promise<void>) | undefined;
}

/** Watches a chain until stopped; of several workers one does, the others wait. */
export function startWatcher(options: WatcherOptions): Loop {
  const { database, gateway, pollIntervalMs } = options;
  const { chainId } = gateway;
  const retryMs = Math.max(pollIntervalMs, 250);
  return startLoop({
    name: `chains.watch:${chainId}`,
    everyMs: pollIntervalMs,
    retry: { firstMs: retryMs, mostMs: retryMs },
    alone: { database, lock: `watch/${chainId}` },
    log: options.log.child({ chain: chainId }),
    step: () =>
      watchOnce(options).catch((error: unknown) => {
        failures.inc({ chain: chainId });
        throw error;
      }),
  });
}

/** One watcher for each chain. */
export function startWatchers(
  options: Omit<WatcherOptions, 'gateway' | 'pollIntervalMs' | 'startBlock'> & {
    gateways: ReadonlyMap<string, ChainGateway>;
  },
  chains: readonly Pick<ChainConfig, 'id' | 'pollIntervalMs' | 'startBlock'>[],
): Pick<Loop, 'stop'> {
  const watchers = chains.map((chain) => {
    const gateway = options.gateways.get(chain.id);
    if (!gateway) throw new Error(`chain ${chain.id} has no gateway`);
    const { pollIntervalMs, startBlock } = chain;
    return startWatcher({ ...options, gateway, pollIntervalMs, startBlock });
  });
  return { stop: () => stopAll(watchers) };
}

/** Reads everything up to the agreed head. @throws NoAgreement when the nodes do not agree */
export async function watchOnce({
  database,
  gateway,
  listener,
  log,
  startBlock,
  beforeReading,
}: Omit<WatcherOptions, 'pollIntervalMs'>): Promise<void> {
  const { chainId } = gateway;
  await beforeReading?.();
  const own = ownAddresses(database, chainId);
  const head = await gateway.head();
  headHeight.set({ chain: chainId }, head);
  const { known, depth } = await database.withoutCompany(async (tx) => ({
    known: await findCursor(tx, chainId),
    depth: (await findChain(tx, chainId))?.confirmations ?? 0,
  }));
  const keep = Math.max(leastRemembered, 2 * depth);
  let cursor: Cursor | null = known;
  for (;;) {
    const from = cursor ? cursor.height + 1 : (startBlock ?? Math.max(0, head - firstLookbackBlocks));
    let forkHeight: number | null = null;
    let contents: BlockContent[] = [];
    if (from <= head) contents = await readSome(gateway, from, Math.min(head, from + batchBlocks - 1), own);
    if (cursor && !(await follows(gateway, cursor, head, contents))) {
      forkHeight = await findFork(database, gateway, Math.min(cursor.height, head));
      log.warn({ chain: chainId, forkHeight, height: cursor.height }, 'the chain was reorganised');
      contents = await replacement(gateway, own, forkHeight, Math.max(head, forkHeight));
    }
    const last = contents.at(-1)?.block;
    if (!last && forkHeight === null) break;
    await listener.onBlocks({ chainId, contents, forkHeight });
    const above = forkHeight ?? from - 1;
    const blocks = contents.map((content) => content.block);
    await database.withoutCompany(async (tx) => {
      await lockCursor(tx, chainId);
      await listener.onRead(tx, chainId, above, contents);
      await rememberBlocks(tx, chainId, above, blocks, keep);
    });
    if (forkHeight !== null) reorganisations.inc({ chain: chainId });
    if (last) cursor = { height: last.height, hash: last.hash };
    if (!last || last.height >= head) break;
  }
  if (!cursor) return;
  cursorHeight.set({ chain: chainId }, cursor.height);
  await listener.onHead(chainId, cursor.height);
}

/** The first blocks of a range: fewer where they are so full that a node does not answer in time. */
async function readSome(gateway: ChainGateway, from: number, to: number, own: OwnAddresses): Promise<BlockContent[]> {
  for (let last = to; ; last = from + Math.floor((last - from) / 2)) {
    try {
      return await gateway.contents(from, last, own);
    } catch (error) {
      if (last === from || !(error instanceof NoAgreement && error.reason === 'silence')) throw error;
    }
  }
}

/** Whether the chain still holds the block that the watcher read last. */
async function follows(
  gateway: ChainGateway,
  cursor: { height: number; hash: string },
  head: number,
  contents: readonly BlockContent[],
): Promise<boolean> {
  const next = contents[0]?.block;
  if (next) return next.parentHash === cursor.hash;
  // Nodes that are behind the cursor are only late; a chain that is really another shows when it has grown.
  if (head < cursor.height) return true;
  const same = await gateway.block(cursor.height);
  return same === null || same.hash === cursor.hash;
}

async function findFork(database: Database, gateway: ChainGateway, fromHeight: number): Promise<number> {
  const remembered = await database.withoutCompany((tx) => rememberedBlocks(tx, gateway.chainId, fromHeight));
  for (const block of remembered) {
    const now = await gateway.block(block.height);
    if (now?.hash === block.hash) return block.height;
  }
  throw new Error(
    `${gateway.chainId}: a reorganisation deeper than ${remembered.length} blocks; an operator is needed`,
  );
}

/** Every block above the fork now, read whole, so that a transaction that only moved is distinguished from one that vanished. */
async function replacement(
  gateway: ChainGateway,
  own: OwnAddresses,
  forkHeight: number,
  head: number,
): Promise<BlockContent[]> {
  const contents: BlockContent[] = [];
  for (let from = forkHeight + 1; from <= head; ) {
    const some = await readSome(gateway, from, Math.min(head, from + batchBlocks - 1), own);
    contents.push(...some);
    from += some.length;
  }
  const broken = contents.some(({ block }, index) => index > 0 && contents[index - 1]?.block.hash !== block.parentHash);
  if (broken) throw new Error(`${gateway.chainId} moved while it was being read`);
  return contents;
}

function ownAddresses(database: Database, chainId: string): OwnAddresses {
  return {
    async among(addresses) {
      if (addresses.length === 0) return new Set();
      const owners = await database.withoutCompany((tx) => ownersOf(tx, chainId, addresses));
      return new Set(owners.map((owner) => owner.address));
    },
  };
}
