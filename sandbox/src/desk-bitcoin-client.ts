import * as z from 'zod/mini';
import type { Market, Reorganisation } from './bitcoin/bitcoin-engine.ts';
import type { BitcoinMode } from './bitcoin/core-node.ts';
import type { Payee } from './bitcoin/wallet.ts';
import { read } from './desk-call.ts';

/** The Bitcoin chain as journeys and tests command it (see desk-bitcoin.ts). Rates are satoshis per virtual byte. */
export type BitcoinDesk = {
  state(): Promise<z.infer<typeof state>>;
  /** Newest first. */
  mempool(): Promise<z.infer<typeof waiting>[]>;
  balance(address: string): Promise<z.infer<typeof balance>>;
  /** Returns the id of the one transaction that pays all. */
  pay(payments: readonly Payee[], options?: { feeRate?: number; isReplaceable?: boolean }): Promise<string>;
  /** Returns the id of the transaction that takes the place of a waiting payment of the faucet. */
  replace(txid: string, feeRate: number, address?: string): Promise<string>;
  /** Returns the id of the transaction that a block took instead of the payment. */
  doubleSpend(txid: string): Promise<string>;
  fill(count: number, feeRate: number): Promise<void>;
  /** Returns the new height, as `reorganise` does. */
  mine(blocks: number): Promise<number>;
  reorganise(depth: number, transactions: Reorganisation): Promise<number>;
  setMining(settings: { auto?: boolean; depth?: number; blockIntervalMs?: number }): Promise<void>;
  setMarket(market: Partial<Market>): Promise<void>;
  /** 0 and 1 are the nodes of Core, 2 is the Esplora server. */
  setNode(index: 0 | 1 | 2, mode: BitcoinMode, delayMs?: number): Promise<void>;
};

const state = z.object({
  height: z.number(),
  hash: z.string(),
  mining: z.object({ auto: z.boolean(), depth: z.number(), blockIntervalMs: z.number() }),
  nodes: z.array(z.object({ url: z.string(), mode: z.string() })),
});
const waiting = z.object({
  txid: z.string(),
  fee: z.string(),
  vsize: z.number(),
  feeRate: z.number(),
  isReplaceable: z.boolean(),
  payer: z.nullable(z.string()),
  outputs: z.array(z.object({ address: z.nullable(z.string()), amount: z.string() })),
});
const balance = z.object({ confirmed: z.string(), waiting: z.string() });
const paid = z.object({ txid: z.string() });
const mined = z.object({ height: z.number() });

export function bitcoinDesk(call: (path: string, body?: unknown) => Promise<unknown>): BitcoinDesk {
  const txidOf = async (path: string, body: unknown): Promise<string> => read(paid, await call(path, body)).txid;
  const heightOf = async (path: string, body: unknown): Promise<number> => read(mined, await call(path, body)).height;
  return {
    state: async () => read(state, await call('bitcoin')),
    mempool: async () => read(z.array(waiting), await call('bitcoin/mempool')),
    balance: async (address) => read(balance, await call(`bitcoin/balance?${new URLSearchParams({ address })}`)),
    pay: (payments, options = {}) => txidOf('bitcoin/faucet', { payments, ...options }),
    replace: (txid, feeRate, address) => txidOf('bitcoin/replace', { txid, feeRate, address }),
    doubleSpend: (txid) => txidOf('bitcoin/double-spend', { txid }),
    async fill(count, feeRate) {
      await call('bitcoin/fill', { count, feeRate });
    },
    mine: (blocks) => heightOf('bitcoin/mine', { blocks }),
    reorganise: (depth, transactions) => heightOf('bitcoin/reorg', { depth, transactions }),
    async setMining(settings) {
      await call('bitcoin/mining', settings);
    },
    async setMarket(market) {
      await call('bitcoin/market', market);
    },
    async setNode(index, mode, delayMs) {
      await call(`bitcoin/nodes/${index}`, { mode, delayMs });
    },
  };
}
