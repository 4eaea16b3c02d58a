import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { RpcError } from './anvil.ts';
import { type ChainEngine, openChainEngine } from './chain-engine.ts';
import { createMiner, type Miner } from './chain-miner.ts';
import { startChainNode } from './chain-node.ts';
import type { NodeSwitch } from './node-front.ts';
import { CHAIN_ID } from './tokens.ts';
import { deployTokens, type Treasury } from './treasury.ts';

export type ChainOptions = {
  /** Where the chain lives; made when missing. Without it the chain is ephemeral: a new directory, removed by `stop`. */
  dir?: string;
  /** EIP-155, default 31337. A chain keeps its own for as long as it lives. */
  chainId?: number;
  /** Ports of the two nodes; 0, the default, takes any free port. */
  ports?: readonly [number, number];
  /** Blocks mined on top of the newest transaction, default 12. */
  depth?: number;
  /** Default 1000. */
  blockIntervalMs?: number;
  /** Default true. */
  autoMining?: boolean;
  /** Room for more than 30,000,000 gas in a block; the same for as long as the chain lives. */
  blockGasLimit?: number;
  /** A state is saved after so many changes, default 300. */
  snapshotEvery?: number;
};

export type Chain = {
  chainId: number;
  /** The addresses of the two nodes, primary first. */
  urls: readonly [string, string];
  nodes: readonly [NodeSwitch, NodeSwitch];
  engine: ChainEngine;
  miner: Miner;
  /** Deploys, mints and pays out: the other side of every deposit. */
  treasury: Treasury;
  /** A call as a well-behaved node would answer it, whatever the two nodes are made to do. @throws RpcError */
  request(method: string, params: readonly unknown[]): Promise<unknown>;
  stop(): Promise<void>;
  /** Ends everything without a farewell; the directory stays. */
  kill(): Promise<void>;
};

/** The methods of a node besides `eth_sendRawTransaction`; the rest is refused, as providers do. */
const READS: ReadonlySet<string> = new Set(
  [
    'eth_blobBaseFee eth_blockNumber eth_call eth_chainId eth_createAccessList eth_estimateGas eth_feeHistory eth_gasPrice',
    'eth_getBalance eth_getBlockByHash eth_getBlockByNumber eth_getBlockReceipts eth_getBlockTransactionCountByHash',
    'eth_getBlockTransactionCountByNumber eth_getCode eth_getLogs eth_getProof eth_getRawTransactionByHash eth_getStorageAt',
    'eth_getTransactionByBlockHashAndIndex eth_getTransactionByBlockNumberAndIndex eth_getTransactionByHash',
    'eth_getTransactionCount eth_getTransactionReceipt eth_maxPriorityFeePerGas eth_syncing net_listening net_version',
    'debug_traceBlockByHash debug_traceBlockByNumber debug_traceCall debug_traceTransaction trace_block trace_filter',
    'trace_transaction txpool_content txpool_inspect txpool_status web3_clientVersion web3_sha3',
  ].flatMap((line) => line.split(' ')),
);

/**
 * Starts a real EVM chain (anvil, chain id 31337 unless another is wanted) behind two JSON-RPC addresses, with the sandbox's tokens deployed.
 * No acknowledged transaction or block is lost by `kill -9` of anvil, of this process or of both.
 *
 * @throws SandboxFailure port_taken, damaged, unsupported, not_ready
 */
export async function startChain(options: ChainOptions = {}): Promise<Chain> {
  const chainId = options.chainId ?? CHAIN_ID;
  const isEphemeral = options.dir === undefined;
  const dir = options.dir === undefined ? await mkdtemp(join(tmpdir(), 'causeway-chain-')) : resolve(options.dir);
  await mkdir(dir, { recursive: true });
  let engine: ChainEngine | undefined;
  const miner = createMiner(() => engine, {
    auto: options.autoMining ?? true,
    depth: options.depth ?? 12,
    blockIntervalMs: options.blockIntervalMs ?? 1000,
  });
  const opened = await openChainEngine({
    dir,
    chainId,
    snapshotEvery: options.snapshotEvery ?? 300,
    blockGasLimit: options.blockGasLimit,
    onTransaction: () => miner.wake(),
  });
  engine = opened;
  const request = (method: string, params: readonly unknown[]): Promise<unknown> => answer(opened, method, params);
  const nodes: NodeSwitch[] = [];

  async function close(signal: NodeJS.Signals): Promise<void> {
    miner.stop();
    await Promise.all(nodes.map((node) => node.close()));
    await opened.close(signal);
  }

  try {
    const treasury = await deployTokens(opened, chainId, request);
    const [first = 0, second = 0] = options.ports ?? [];
    const primary = await startChainNode(first, request);
    nodes.push(primary);
    const secondary = await startChainNode(second, request);
    nodes.push(secondary);
    miner.change({});
    return {
      chainId,
      urls: [primary.url, secondary.url],
      nodes: [primary, secondary],
      engine: opened,
      miner,
      treasury,
      request,
      async stop() {
        await close('SIGTERM');
        if (isEphemeral) await rm(dir, { recursive: true, force: true });
      },
      kill: () => close('SIGKILL'),
    };
  } catch (error) {
    await close('SIGTERM');
    if (isEphemeral) await rm(dir, { recursive: true, force: true });
    throw error;
  }
}

async function answer(engine: ChainEngine, method: string, params: readonly unknown[]): Promise<unknown> {
  if (READS.has(method)) return engine.read(method, params);
  if (method !== 'eth_sendRawTransaction') {
    throw new RpcError(-32601, `the method ${method} does not exist/is not available`);
  }
  const [raw] = params;
  if (typeof raw !== 'string') throw new RpcError(-32602, 'the first parameter must be the signed transaction');
  return engine.submit(raw);
}
