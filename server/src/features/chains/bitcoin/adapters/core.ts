import * as z from 'zod/mini';
import { NodeRefusal } from '../../node-endpoint.ts';
import { scriptAddress } from '../addresses.ts';
import { MalformedBytes } from '../bytes.ts';
import type { FeeEstimates } from '../gateway.ts';
import { type CoreRpc, createCoreRpc } from './core-rpc.ts';
import type { BitcoinNode, NodeConfig, PlaceInChain } from './node.ts';
import { findSpender } from './spender.ts';

/** A node of Bitcoin Core, 25 or later, with an index of transactions (`txindex=1`). Its wallet is not used. */

/** Reading the whole set of outputs takes minutes. */
const scanTimeoutMs = 1_800_000;

const hash = z.string().check(z.regex(/^[0-9a-f]{64}$/));
const hex = z.string().check(z.regex(/^([0-9a-f]{2})+$/));
const height = z.number().check(z.int(), z.nonnegative());
const found = z.object({ hex, blockhash: z.optional(hash), confirmations: z.optional(z.number()) });
const header = z.object({ hash, height, confirmations: z.number() });
const scanned = z.object({
  success: z.boolean(),
  height,
  bestblock: hash,
  unspents: z.array(z.object({ txid: hash, vout: height, scriptPubKey: hex, amount: z.number(), height })),
});
const rate = z.object({ feerate: z.optional(z.number()) });
const mempoolInfo = z.object({ mempoolminfee: z.number(), minrelaytxfee: z.optional(z.number()) });
const relevant = z.object({ relevant_blocks: z.array(hash) });

/** Codes of Core's `rpc/protocol.h`. */
const codes = { notFound: -5, invalidParameter: -8, misc: -1 };

export function createCoreNode(config: NodeConfig, name: string, url: string): BitcoinNode {
  const rpc = createCoreRpc(config, name, url);
  const { ask } = rpc;
  let scanning: Promise<unknown> = Promise.resolve();

  const node: BitcoinNode = {
    name,
    head: async () => z.parse(height, await ask('getblockcount', [])),
    blockHash: (at) => orNull(codes.invalidParameter, async () => z.parse(hash, await ask('getblockhash', [at]))),
    header: (of) => bytesOrNull(ask('getblockheader', [of, false])),
    block: (of) => bytesOrNull(ask('getblock', [of, 0])),
    async transaction(of) {
      const answer = await missingOrNull(() => ask('getrawtransaction', [of, 1]));
      if (answer === null) return null;
      const { hex: bytes, blockhash, confirmations = 0 } = z.parse(found, answer);
      const block = blockhash === undefined || confirmations < 1 ? null : await placeOf(rpc, blockhash);
      return { hex: bytes, block };
    },
    transactionBytes: (hashes) =>
      Promise.all(hashes.map((of) => missingOrNull(async () => z.parse(hex, await ask('getrawtransaction', [of, 0]))))),
    waiting: async () => z.parse(z.array(hash), await ask('getrawmempool', [])),
    isUnspent: async (of) => (await ask('gettxout', [of.hash, of.index, false])) !== null,
    spender: (of) => findSpender(node, of, (script, from) => filteredBlocks(rpc, script, from)),
    async unspent(addresses) {
      const descriptors = addresses.map((address) => `addr(${address})`);
      // A node makes one scan at a time, and refuses another meanwhile.
      const scan = scanning.then(() => ask('scantxoutset', ['start', descriptors], scanTimeoutMs));
      scanning = scan.catch(() => undefined);
      const answer = z.parse(scanned, await scan);
      if (!answer.success) throw new Error(`node ${name} of ${config.id} did not finish its scan`);
      const outputs = answer.unspents.map((output) => ({
        hash: output.txid,
        index: output.vout,
        address: scriptAddress(Buffer.from(output.scriptPubKey, 'hex'), config.network) ?? '',
        amountMinor: satoshisOf(output.amount),
        height: output.height,
      }));
      return { at: { hash: answer.bestblock, height: answer.height }, outputs };
    },
    submit: async (raw) => void (await ask('sendrawtransaction', [raw])),
    estimates: () => estimatesOf(rpc),
  };
  return node;
}

async function placeOf({ ask }: CoreRpc, blockHash: string): Promise<PlaceInChain | null> {
  const { hash: of, height: at, confirmations } = z.parse(header, await ask('getblockheader', [blockHash, true]));
  // -1: the block is not of the best chain.
  return confirmations < 1 ? null : { hash: of, height: at };
}

/** The blocks from a height on that may touch a script, by the node's filters (BIP 158); null where it has none. */
async function filteredBlocks({ ask }: CoreRpc, script: string, from: number): Promise<readonly string[] | null> {
  try {
    const params = ['start', [`raw(${script})`], from];
    return z.parse(relevant, await ask('scanblocks', params, scanTimeoutMs)).relevant_blocks;
  } catch (error) {
    if (error instanceof NodeRefusal) return null;
    throw error;
  }
}

async function estimatesOf({ ask }: CoreRpc): Promise<FeeEstimates> {
  const within = async (blocks: number) => {
    const { feerate = -1 } = z.parse(rate, await ask('estimatesmartfee', [blocks]));
    return feerate > 0 ? perVbyte(feerate) : null;
  };
  const minimum = async () => {
    const { mempoolminfee, minrelaytxfee = 0 } = z.parse(mempoolInfo, await ask('getmempoolinfo', []));
    return perVbyte(Math.max(mempoolminfee, minrelaytxfee, 0));
  };
  const [urgent, normal, economy, least] = await Promise.all([within(1), within(6), within(144), minimum()]);
  return { urgent, normal, economy, minimum: least };
}

/** Coins per 1,000 virtual bytes, as satoshis per virtual byte; a rate, no amount. */
function perVbyte(coinsPerKvb: number): number {
  return Number(satoshisOf(coinsPerKvb)) / 1000;
}

/**
 * Core writes amounts as JSON numbers with 8 decimals. The nearest double of each up to 21 million coins prints as the same 8 decimals
 * again, so that no satoshi is lost.
 */
function satoshisOf(coins: number): bigint {
  return BigInt(coins.toFixed(8).replace('.', ''));
}

async function orNull<T>(code: number, read: () => Promise<T>): Promise<T | null> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof NodeRefusal && error.code === code) return null;
    throw error;
  }
}

/** A node without an index of transactions, or with one that is not ready, cannot say that there is no such transaction. */
async function missingOrNull<T>(read: () => Promise<T>): Promise<T | null> {
  try {
    return await orNull(codes.notFound, async () => {
      try {
        return await read();
      } catch (error) {
        if (error instanceof NodeRefusal && /txindex|index/i.test(error.message)) {
          throw new Error('the node has no whole index of transactions (txindex=1)');
        }
        throw error;
      }
    });
  } catch (error) {
    throw error instanceof NodeRefusal ? new Error(error.message) : error;
  }
}

async function bytesOrNull(asked: Promise<unknown>): Promise<Uint8Array | null> {
  const answer = await orNull(codes.notFound, () => asked);
  if (answer === null) return null;
  const read = hex.safeParse(answer);
  if (!read.success) throw new MalformedBytes('not hexadecimal');
  return Buffer.from(read.data, 'hex');
}
