/**
 * The Bitcoin chain's part of the desk's API (see desk-api.ts). Amounts are whole coins as plain decimal texts, fee rates satoshis
 * per virtual byte.
 *
 * GET  /api/bitcoin                                     { height, hash, timestamp, mining, market, nodes }; nodes are the two of Core
 *                                                       (urls with user and password) and the Esplora server
 * GET  /api/bitcoin/mempool                             newest first: { txid, time, fee, vsize, feeRate, isReplaceable, payer, outputs };
 *                                                       payer: faucet, crowd or null for everyone else
 * GET  /api/bitcoin/blocks                              the last ten, newest first: { height, hash, time, transactions, vsize }
 * GET  /api/bitcoin/balance?address=                    { address, confirmed, waiting }; waiting may be negative
 * POST /api/bitcoin/faucet  { payments: [{ address, amount }], feeRate?, isReplaceable? }  → { txid }: one transaction, one output
 *                                                       for each; 5 sat/vB and replaceable unless said otherwise
 * POST /api/bitcoin/replace { txid, feeRate, address? } → { txid }: a payment of the faucet that waits, sent elsewhere (BIP 125):
 *                                                       to the address, or back to the faucet
 * POST /api/bitcoin/double-spend { txid }               → { txid, height }: a block takes another transaction with the same inputs,
 *                                                       whether or not the payment can be replaced
 * POST /api/bitcoin/fill    { count, feeRate }          → { count }: payments of the crowd to itself wait for a block
 * POST /api/bitcoin/mine    { blocks }                  → { height }
 * POST /api/bitcoin/mining  { auto?, depth?, blockIntervalMs? }  → the settings in force
 * POST /api/bitcoin/reorg   { depth, transactions: mined | waiting | lost }  → { height }; depth + 1 new blocks replace depth old ones
 * POST /api/bitcoin/market  { estimates?: { 1, 6, 144 } | null, mempoolRate?, minedRate?, blockVsize? }  → the market (see `Market`)
 * POST /api/bitcoin/nodes/:n { mode: ok | down | slow | lying | loading, delayMs? }  n: 0 and 1 are Core's, 2 is Esplora
 */
import { setImmediate } from 'node:timers/promises';
import * as z from 'zod/mini';
import { inCoins } from './bitcoin/amounts.ts';
import type { Bitcoin } from './bitcoin/bitcoin.ts';
import { DEEPEST_REORGANISATION, MOST_BLOCKS_AT_ONCE, REORGANISATIONS } from './bitcoin/bitcoin-engine.ts';
import { BITCOIN_MODES } from './bitcoin/core-node.ts';
import type { PoolEntry } from './bitcoin/mempool.ts';
import { addressOf, scriptOf } from './bitcoin/outputs.ts';
import { Rejection } from './bitcoin/rejection.ts';
import type { Transaction } from './bitcoin/transaction.ts';
import { DeskError, type DeskRequest, notFound, read } from './desk-call.ts';

const MOST_PAYMENTS = 200;
const MOST_IN_CROWD = 300;
const BLOCKS_SHOWN = 10;
const USUAL_RATE = 5;

const address = z.string().check(z.refine((text) => scriptOf(text) !== null, 'not an address'));
const amount = z.string().check(z.regex(/^\d{1,8}(\.\d{1,8})?$/, 'not an amount'));
const txid = z.string().check(z.regex(/^[0-9a-f]{64}$/, 'not the id of a transaction'));
const rate = z.number().check(z.gte(0), z.lte(1000));

const faucetBody = z.object({
  payments: z.array(z.object({ address, amount })).check(z.minLength(1), z.maxLength(MOST_PAYMENTS)),
  feeRate: z.exactOptional(rate),
  isReplaceable: z.exactOptional(z.boolean()),
});
const replaceBody = z.object({ txid, feeRate: rate, address: z.exactOptional(address) });
const doubleSpendBody = z.object({ txid });
const fillBody = z.object({ count: z.int().check(z.gte(1), z.lte(MOST_IN_CROWD)), feeRate: rate });
const mineBody = z.object({ blocks: z.int().check(z.gte(1), z.lte(MOST_BLOCKS_AT_ONCE)) });
const miningBody = z.object({
  auto: z.exactOptional(z.boolean()),
  depth: z.exactOptional(z.int().check(z.gte(0), z.lte(MOST_BLOCKS_AT_ONCE))),
  blockIntervalMs: z.exactOptional(z.int().check(z.gte(1), z.lte(600_000))),
});
const reorgBody = z.object({
  depth: z.int().check(z.gte(1), z.lte(DEEPEST_REORGANISATION)),
  transactions: z.enum(REORGANISATIONS),
});
const marketBody = z.object({
  estimates: z.exactOptional(z.nullable(z.object({ 1: rate, 6: rate, 144: rate }))),
  mempoolRate: z.exactOptional(rate),
  minedRate: z.exactOptional(rate),
  blockVsize: z.exactOptional(z.int().check(z.gte(0), z.lte(990_000))),
});
const nodeBody = z.object({
  mode: z.enum(BITCOIN_MODES),
  delayMs: z.exactOptional(z.int().check(z.gte(0), z.lte(600_000))),
});

type Route = (parts: { bitcoin: Bitcoin }, request: DeskRequest, argument: string) => unknown;

export const BITCOIN_ROUTES: Readonly<Record<string, Route>> = {
  'GET /api/bitcoin': ({ bitcoin }) => {
    const { engine, miner, nodes, urls } = bitcoin;
    const { height, hash, time } = engine.chain.tip();
    return {
      height,
      hash,
      timestamp: time,
      mining: miner.settings(),
      market: engine.market(),
      nodes: nodes.map((node, index) => ({ url: urls[index], mode: node.mode() })),
    };
  },
  'GET /api/bitcoin/mempool': ({ bitcoin }) =>
    bitcoin.engine.pool
      .entries()
      .reverse()
      .map((entry) => shown(bitcoin, entry)),
  'GET /api/bitcoin/blocks': ({ bitcoin: { engine } }) => {
    const { height } = engine.chain.tip();
    return Array.from({ length: BLOCKS_SHOWN }, (_, index) => engine.chain.at(height - index)).flatMap((block) =>
      block === undefined
        ? []
        : [
            {
              height: block.height,
              hash: block.hash,
              time: block.time,
              transactions: block.transactions.length - 1,
              vsize: Math.ceil(block.weight / 4),
            },
          ],
    );
  },
  'GET /api/bitcoin/balance': ({ bitcoin: { engine } }, { query }) => {
    const wish = read(z.object({ address }), Object.fromEntries(query));
    const script = scriptOf(wish.address);
    const confirmed = total([...engine.chain.coins()].filter((coin) => coin.script === script));
    const waiting = engine.pool.entries().reduce((sum, { transaction }) => {
      const spent = transaction.inputs.flatMap((input) => {
        const output = engine.chain.coin(input) ?? engine.pool.get(input.txid)?.transaction.outputs[input.vout];
        return output?.script === script ? [output] : [];
      });
      return sum + total(transaction.outputs.filter((output) => output.script === script)) - total(spent);
    }, 0);
    return { ...wish, confirmed: inCoins(confirmed), waiting: inCoins(waiting) };
  },
  'POST /api/bitcoin/faucet': durably(({ faucet, engine }, body) => {
    const { payments, feeRate = USUAL_RATE, isReplaceable = true } = read(faucetBody, body);
    return submit(engine, faucet.pay(payments, { feeRate, isReplaceable }));
  }),
  'POST /api/bitcoin/replace': durably(({ faucet, engine }, body) => {
    const wish = read(replaceBody, body);
    return submit(engine, faucet.redirect(wish.txid, wish.feeRate, wish.address));
  }),
  'POST /api/bitcoin/double-spend': durably(({ faucet, engine }, body) => {
    const other = faucet.redirect(read(doubleSpendBody, body).txid, USUAL_RATE);
    return { txid: other.txid, height: engine.mine(1, [other]) };
  }),
  'POST /api/bitcoin/fill': durably(async ({ crowd, engine }, body) => {
    const { count, feeRate } = read(fillBody, body);
    for (let made = 0; made < count; made += 1) {
      submit(engine, crowd.pay([], { feeRate, isReplaceable: false }));
      // Signing takes a while, and the rest of the sandbox shares this thread.
      await setImmediate();
    }
    return { count };
  }),
  'POST /api/bitcoin/mine': durably(({ engine }, body) => ({ height: engine.mine(read(mineBody, body).blocks) })),
  'POST /api/bitcoin/mining': ({ bitcoin: { miner } }, { body }) => {
    miner.change(read(miningBody, body));
    return miner.settings();
  },
  'POST /api/bitcoin/reorg': durably(({ engine, miner }, body) => {
    const wish = read(reorgBody, body);
    const height = engine.reorganise(wish.depth, wish.transactions);
    miner.change({});
    return { height };
  }),
  'POST /api/bitcoin/market': ({ bitcoin: { engine, miner } }, { body }) => {
    engine.setMarket(read(marketBody, body));
    // What the miners left may be wanted now.
    if (engine.pool.entries().length > 0) miner.wake();
    return engine.market();
  },
  'POST /api/bitcoin/nodes/:': async ({ bitcoin: { nodes, urls } }, { body }, n) => {
    const node = nodes[Number(n)] ?? notFound();
    const wish = read(nodeBody, body);
    await node.setMode(wish.mode, wish.delayMs);
    return { url: urls[Number(n)], mode: node.mode() };
  },
};

/** A change of the chain: its answer leaves when it is on the disk. A refusal is the mempool's own sentence. */
function durably(change: (bitcoin: Bitcoin, body: unknown) => unknown): Route {
  return async ({ bitcoin }, { body }) => {
    try {
      const answer = await change(bitcoin, body);
      await bitcoin.engine.durable();
      return answer;
    } catch (error) {
      if (error instanceof Rejection) throw new DeskError(422, error.message);
      throw error;
    }
  };
}

function submit(engine: Bitcoin['engine'], transaction: Transaction): { txid: string } {
  engine.submit(transaction);
  return { txid: transaction.txid };
}

function shown({ engine, faucet, crowd }: Bitcoin, { transaction, time, fee }: PoolEntry) {
  const { vsize, outputs } = transaction;
  const [first] = transaction.inputs;
  const spent = first && (engine.chain.coin(first) ?? engine.pool.get(first.txid)?.transaction.outputs[first.vout]);
  const payer = spent?.script === faucet.script ? 'faucet' : spent?.script === crowd.script ? 'crowd' : null;
  return {
    txid: transaction.txid,
    time,
    fee: inCoins(fee),
    vsize,
    feeRate: Math.round((fee / vsize) * 100) / 100,
    isReplaceable: engine.pool.isReplaceable(transaction),
    payer,
    outputs: outputs.map((output) => ({ address: addressOf(output.script), amount: inCoins(output.value) })),
  };
}

const total = (outputs: readonly { value: number }[]): number => outputs.reduce((sum, { value }) => sum + value, 0);
