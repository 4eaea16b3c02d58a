/// <reference path="./bcoin.d.ts" />
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createMiner, type Minable, type Miner } from '../chain-miner.ts';
import { type BitcoinEngine, openBitcoinEngine } from './bitcoin-engine.ts';
import { callCore } from './core-calls.ts';
import { type BitcoinSwitch, startCoreNode } from './core-node.ts';
import type { View } from './core-shapes.ts';
import { startEsplora } from './esplora.ts';
import { lyingView } from './lies.ts';
import { openWallet, type Wallet } from './wallet.ts';

export type BitcoinOptions = {
  /** Where the chain lives; made when missing. Without it the chain is ephemeral: a new directory, removed by `stop`. */
  dir?: string;
  /** Ports of the two Core nodes and of the Esplora server; 0, the default, takes any free port. */
  ports?: readonly [number, number, number];
  /** Blocks mined on top of the newest transaction, default 6. */
  depth?: number;
  /** Default 1000: of a waiting payment too, so that it is seen waiting. */
  blockIntervalMs?: number;
  /** Default true. */
  autoMining?: boolean;
};

export type Bitcoin = {
  /** The addresses of the two Core nodes, primary first, each with user and password; then that of the Esplora server. */
  urls: readonly [string, string, string];
  /** In the same order. */
  nodes: readonly [BitcoinSwitch, BitcoinSwitch, BitcoinSwitch];
  engine: BitcoinEngine;
  miner: Miner;
  /** Pays to addresses: the other side of every deposit. Miners are rewarded here. */
  faucet: Wallet;
  /** Whose payments fill the mempool. */
  crowd: Wallet;
  /** A call as a well-behaved node would answer it, whatever the nodes are made to do. @throws CoreError */
  request(method: string, parameters: readonly unknown[]): Promise<unknown>;
  stop(): Promise<void>;
};

/** 150 rewards can be spent at once, and the wait for the next block is that of a network at rest. */
const FIRST_BLOCKS = 250;
/** Of the crowd, so that its payments do not hang on those of the faucet. */
const CROWD_OUTPUTS = 30;

/**
 * Starts a Bitcoin chain (regtest) behind two addresses that answer as Bitcoin Core 28 does and one that answers as Esplora
 * does. Every answer is on disk before it leaves, so `kill -9` loses nothing that was seen.
 *
 * @throws SandboxFailure port_taken, damaged
 */
export async function startBitcoin(options: BitcoinOptions = {}): Promise<Bitcoin> {
  const isEphemeral = options.dir === undefined;
  const dir = options.dir === undefined ? await mkdtemp(join(tmpdir(), 'causeway-bitcoin-')) : resolve(options.dir);
  let engine: BitcoinEngine | undefined;
  const opened = (): BitcoinEngine => {
    if (engine === undefined) throw new Error('the Bitcoin chain is not open');
    return engine;
  };
  const faucet = openWallet('faucet', opened);
  const crowd = openWallet('crowd', opened);
  const settings = {
    auto: options.autoMining ?? true,
    depth: options.depth ?? 6,
    blockIntervalMs: options.blockIntervalMs ?? 1000,
  };
  const miner = createMiner(
    () => engine && minable(engine),
    settings,
    ({ blockIntervalMs }) => blockIntervalMs,
  );
  engine = await openBitcoinEngine({
    dir,
    rewardScript: faucet.script,
    firstBlocks: FIRST_BLOCKS,
    onTransaction: () => miner.wake(),
    onFailure: reportAndExit,
  });
  const { chain, pool, durable } = engine;
  const truth: View = { chain, pool };
  const lies = lyingView(truth);
  const view = (isLying: boolean): View => (isLying ? lies() : truth);
  const nodes: BitcoinSwitch[] = [];

  async function close(): Promise<void> {
    miner.stop();
    await Promise.all(nodes.map((node) => node.close()));
    await engine?.close();
    if (isEphemeral) await rm(dir, { recursive: true, force: true });
  }

  async function request(method: string, parameters: readonly unknown[], isLying = false): Promise<unknown> {
    const answer = callCore(view(isLying), opened(), method, parameters);
    await durable();
    return answer;
  }

  try {
    await fundCrowd(engine, faucet, crowd);
    const [first = 0, second = 0, third = 0] = options.ports ?? [];
    const primary = await startCoreNode(first, request);
    nodes.push(primary);
    const secondary = await startCoreNode(second, request);
    nodes.push(secondary);
    const esplora = await startEsplora(third, engine, view);
    nodes.push(esplora);
    // What a stop or crash left waiting.
    if (pool.entries().length > 0) miner.wake();
    miner.change({});
    return {
      urls: [primary.url, secondary.url, esplora.url],
      nodes: [primary, secondary, esplora],
      engine,
      miner,
      faucet,
      crowd,
      request: (method, parameters) => request(method, parameters),
      stop: close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Once on a new chain: the crowd pays from outputs of its own. */
async function fundCrowd(engine: BitcoinEngine, faucet: Wallet, crowd: Wallet): Promise<void> {
  if (engine.chain.history(crowd.script).length > 0) return;
  const payees = Array.from({ length: CROWD_OUTPUTS }, () => ({ address: crowd.address, amount: '1' }));
  engine.mine(1, [faucet.pay(payees, { feeRate: 1, isReplaceable: false })]);
  await engine.durable();
}

/** The miner waits for the disk too. */
const minable = (engine: BitcoinEngine): Minable => ({
  tip: engine.tip,
  async mine(blocks) {
    const height = engine.mine(blocks);
    await engine.durable();
    return height;
  },
});

/** Without its journal the chain is of no use; the supervisor starts the whole part again and says so. */
function reportAndExit(error: unknown): void {
  console.error('the journal of the Bitcoin chain could not be written:', error);
  process.exit(1);
}
