import { type NodeAnswer, startNodeFront } from '../node-front.ts';
import type { BitcoinEngine } from './bitcoin-engine.ts';
import { type Block, HEADER_DIGITS } from './block.ts';
import { callCore } from './core-calls.ts';
import { CoreError } from './core-error.ts';
import type { BitcoinMode, BitcoinSwitch } from './core-node.ts';
import { feesOf, type View, vsizeOf } from './core-shapes.ts';
import {
  blockShape,
  histogram,
  outspendShape,
  recentShape,
  statsShape,
  statusShape,
  transactionShape,
} from './esplora-shapes.ts';
import { scriptOf } from './outputs.ts';
import type { Transaction } from './transaction.ts';

/** A request that Esplora refuses: with words alone, no JSON. */
class EsploraError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.name = 'EsploraError';
    this.status = status;
  }
}

type Route = (view: View, engine: BitcoinEngine, argument: string, further: string) => unknown;

const PAGE = 25;
const BLOCKS_PAGE = 10;
const MOST_WAITING = 50;
const RECENT = 10;

/** Paths of Esplora; `:` stands for one part. A text is sent as it is, bytes as they are, everything else as JSON. */
const ROUTES: Readonly<Record<string, Route>> = {
  '/blocks': (view) => blocksFrom(view, view.chain.tip().height),
  '/blocks/:': (view, _, height) => blocksFrom(view, Number(height)),
  '/blocks/tip/height': ({ chain }) => String(chain.tip().height),
  '/blocks/tip/hash': ({ chain }) => chain.tip().hash,
  '/block-height/:': ({ chain }, _, height) =>
    (/^\d+$/.test(height) ? chain.at(Number(height)) : undefined)?.hash ?? missing('Block not found'),
  '/block/:': (view, _, hash) => blockShape(view, blockOf(view, hash)),
  '/block/:/header': (view, _, hash) => blockOf(view, hash).raw.slice(0, HEADER_DIGITS),
  '/block/:/raw': (view, _, hash) => Buffer.from(blockOf(view, hash).raw, 'hex'),
  '/block/:/status': (view, _, hash) => {
    const block = blockOf(view, hash);
    if (!view.chain.isActive(block)) return { in_best_chain: false };
    const next = view.chain.at(block.height + 1)?.hash ?? null;
    return { in_best_chain: true, height: block.height, next_best: next };
  },
  '/block/:/txids': (view, _, hash) => blockOf(view, hash).transactions.map(({ txid }) => txid),
  '/block/:/txs': (view, _, hash) => transactionsOf(view, blockOf(view, hash), 0),
  '/block/:/txs/:': (view, _, hash, start) => transactionsOf(view, blockOf(view, hash), Number(start)),
  '/tx/:': (view, _, txid) => transactionShape(view, transactionOf(view, txid)),
  '/tx/:/hex': (view, _, txid) => transactionOf(view, txid).raw,
  '/tx/:/raw': (view, _, txid) => Buffer.from(transactionOf(view, txid).raw, 'hex'),
  '/tx/:/status': (view, _, txid) => statusShape(view, transactionOf(view, txid).txid),
  '/tx/:/outspend/:': (view, _, txid, vout) =>
    outspendShape(view, { txid: transactionOf(view, txid).txid, vout: Number(vout) }),
  '/tx/:/outspends': (view, _, id) => {
    const { txid, outputs } = transactionOf(view, id);
    return outputs.map((_output, vout) => outspendShape(view, { txid, vout }));
  },
  '/address/:': (view, _, address) => {
    const script = scriptOfAddress(address);
    return {
      address,
      chain_stats: statsShape(view, script, view.chain.history(script)),
      mempool_stats: statsShape(view, script, waitingFor(view, script)),
    };
  },
  '/address/:/utxo': (view, _, address) => unspentOf(view, scriptOfAddress(address)),
  '/address/:/txs': (view, _, address) => [
    ...waitingPage(view, scriptOfAddress(address)),
    ...chainPage(view, scriptOfAddress(address), ''),
  ],
  '/address/:/txs/chain': (view, _, address) => chainPage(view, scriptOfAddress(address), ''),
  '/address/:/txs/chain/:': (view, _, address, last) => chainPage(view, scriptOfAddress(address), last),
  '/address/:/txs/mempool': (view, _, address) => waitingPage(view, scriptOfAddress(address)),
  '/mempool': ({ pool }) => {
    const entries = pool.entries();
    const fees = feesOf(entries);
    return { count: entries.length, vsize: vsizeOf(entries), total_fee: fees, fee_histogram: histogram(entries) };
  },
  '/mempool/txids': ({ pool }) => pool.entries().map(({ transaction }) => transaction.txid),
  '/mempool/recent': ({ pool }) => pool.entries().slice(-RECENT).reverse().map(recentShape),
  '/fee-estimates': (_view, engine) => {
    const { estimates } = engine.market();
    if (estimates === null) return {};
    const { 1: urgent, 6: normal, 144: economy } = estimates;
    return {
      1: urgent,
      2: urgent,
      3: urgent,
      6: normal,
      12: normal,
      25: normal,
      144: economy,
      504: economy,
      1008: economy,
    };
  },
};

/**
 * The REST interface of an Esplora server over the sandbox's chain, for an adapter that reads such a server.
 *
 * @throws SandboxFailure port_taken
 */
export function startEsplora(
  port: number,
  engine: BitcoinEngine,
  view: (isLying: boolean) => View,
): Promise<BitcoinSwitch> {
  return startNodeFront<BitcoinMode>({
    port,
    purpose: 'the Esplora server of the Bitcoin chain',
    foreign: text(403, 'Forbidden'),
    async answer({ method, url = '' }, body, mode) {
      if (mode === 'loading') return text(503, 'Service Unavailable');
      const { pathname } = new URL(url, 'http://esplora');
      const told = answer(engine, view(mode === 'lying'), method ?? '', pathname, body);
      await engine.durable();
      return told;
    },
  });
}

function answer(engine: BitcoinEngine, view: View, method: string, path: string, body: string): NodeAnswer {
  try {
    if (method === 'POST' && path === '/tx') return text(200, submit(engine, body.trim()));
    if (method !== 'GET') throw new EsploraError(405, 'Method Not Allowed');
    const result = find(path)(view, engine);
    if (Buffer.isBuffer(result)) {
      return { status: 200, body: result, headers: { 'content-type': 'application/octet-stream' } };
    }
    return typeof result === 'string' ? text(200, result) : { status: 200, body: JSON.stringify(result) };
  } catch (error) {
    if (error instanceof EsploraError) return text(error.status, error.message);
    throw error;
  }
}

const text = (status: number, body: string): NodeAnswer => ({
  status,
  body,
  headers: { 'content-type': 'text/plain' },
});

function find(path: string): (view: View, engine: BitcoinEngine) => unknown {
  const exact = ROUTES[path];
  if (exact !== undefined) return (view, engine) => exact(view, engine, '', '');
  const parts = path.split('/');
  for (const [pattern, route] of Object.entries(ROUTES)) {
    const wanted = pattern.split('/');
    if (wanted.length !== parts.length) continue;
    if (!wanted.every((part, index) => part === ':' || part === parts[index])) continue;
    const [argument = '', further = ''] = parts.filter((_, index) => wanted[index] === ':').map(decodeURIComponent);
    return (view, engine) => route(view, engine, argument, further);
  }
  return missing('endpoint does not exist');
}

function submit(engine: BitcoinEngine, raw: string): string {
  try {
    return String(callCore(engine, engine, 'sendrawtransaction', [raw]));
  } catch (error) {
    if (!(error instanceof CoreError)) throw error;
    const { code, message } = error;
    throw new EsploraError(400, `sendrawtransaction RPC error: ${JSON.stringify({ code, message })}`);
  }
}

function missing(message: string): never {
  throw new EsploraError(404, message);
}

function blockOf({ chain }: View, hash: string): Block {
  if (!/^[0-9a-f]{64}$/i.test(hash)) throw new EsploraError(400, 'Invalid hex string');
  return chain.byHash(hash.toLowerCase()) ?? missing('Block not found');
}

function transactionOf({ chain, pool }: View, txid: string): Transaction {
  if (!/^[0-9a-f]{64}$/i.test(txid)) throw new EsploraError(400, 'Invalid hex string');
  const id = txid.toLowerCase();
  return chain.transaction(id)?.transaction ?? pool.get(id)?.transaction ?? missing('Transaction not found');
}

function scriptOfAddress(address: string): string {
  const script = scriptOf(address);
  if (script === null) throw new EsploraError(400, 'Invalid Bitcoin address');
  return script;
}

function blocksFrom(view: View, height: number): unknown[] {
  return Array.from({ length: BLOCKS_PAGE }, (_, index) => view.chain.at(height - index)).flatMap((block) =>
    block === undefined ? [] : [blockShape(view, block)],
  );
}

const transactionsOf = (view: View, block: Block, start: number): unknown[] =>
  block.transactions.slice(start, start + PAGE).map((transaction) => transactionShape(view, transaction));

/** Ids of waiting transactions that pay to the script or spend from it, newest first. */
function waitingFor({ chain, pool }: View, script: string): string[] {
  const scriptAt = (txid: string, vout: number): string | undefined =>
    (chain.transaction(txid)?.transaction ?? pool.get(txid)?.transaction)?.outputs[vout]?.script;
  return pool
    .entries()
    .filter(
      ({ transaction: { inputs, outputs } }) =>
        outputs.some((output) => output.script === script) ||
        inputs.some(({ txid, vout }) => scriptAt(txid, vout) === script),
    )
    .map(({ transaction }) => transaction.txid)
    .reverse();
}

const waitingPage = (view: View, script: string): unknown[] =>
  waitingFor(view, script)
    .slice(0, MOST_WAITING)
    .map((txid) => transactionShape(view, transactionOf(view, txid)));

/** Confirmed, newest first, those after the last one that the reader has. */
function chainPage(view: View, script: string, last: string): unknown[] {
  const ids = [...view.chain.history(script)].reverse();
  const start = last === '' ? 0 : ids.indexOf(last) + 1;
  return ids.slice(start, start + PAGE).map((txid) => transactionShape(view, transactionOf(view, txid)));
}

function unspentOf(view: View, script: string): unknown[] {
  const ids = [...view.chain.history(script), ...waitingFor(view, script)];
  return [...new Set(ids)].flatMap((txid) =>
    transactionOf(view, txid).outputs.flatMap((output, vout) => {
      const outpoint = { txid, vout };
      const isSpent = view.chain.spender(outpoint) !== undefined || view.pool.spender(outpoint) !== undefined;
      if (output.script !== script || isSpent) return [];
      return [{ ...outpoint, status: statusShape(view, txid), value: output.value }];
    }),
  );
}
