import type { Market, Reorganisation } from './bitcoin/bitcoin-engine.ts';
import type { Payee } from './bitcoin/wallet.ts';
import type { NodeMode } from './node-front.ts';
import type { FaucetCoin } from './tokens.ts';

/** The desk's API as the supervisor, the demo company and the fault tests use it (see desk-api.ts). */
export type DeskClient = {
  balance(coin: FaucetCoin, address: string): Promise<string>;
  faucet(coin: FaucetCoin, address: string, amount: string): Promise<void>;
  /** The mails to this address, newest first. */
  mails(to: string): Promise<DeskMail[]>;
  bitcoin: BitcoinDesk;
  /** Any other call of the API by its path: GET without a body, POST with one. */
  call(path: string, body?: unknown): Promise<unknown>;
};

export type DeskMail = { id: string; text: string; codes: string[] };

/** The Bitcoin chain as journeys and tests command it (see desk-bitcoin.ts). Rates are satoshis per virtual byte. */
export type BitcoinDesk = {
  state(): Promise<{ height: number; hash: string; market: Market }>;
  mempool(): Promise<{ txid: string; feeRate: number; isReplaceable: boolean; payer: string | null }[]>;
  balance(address: string): Promise<{ confirmed: string; waiting: string }>;
  /** Returns the id of the one transaction that pays all. */
  pay(payments: readonly Payee[], options?: { feeRate?: number; isReplaceable?: boolean }): Promise<string>;
  replace(txid: string, feeRate: number, address?: string): Promise<string>;
  doubleSpend(txid: string): Promise<string>;
  fill(count: number, feeRate: number): Promise<void>;
  /** Returns the new height, as `reorganise` does. */
  mine(blocks: number): Promise<number>;
  reorganise(depth: number, transactions: Reorganisation): Promise<number>;
  setMining(settings: { auto?: boolean; depth?: number; blockIntervalMs?: number }): Promise<void>;
  setMarket(market: Partial<Market>): Promise<void>;
  /** 0 and 1 are the nodes of Core, 2 is the Esplora server. */
  setNode(index: 0 | 1 | 2, mode: NodeMode, delayMs?: number): Promise<void>;
};

type Call = <Result>(path: string, body?: unknown) => Promise<Result>;

export function deskClient(url: string): DeskClient {
  async function call<Result>(path: string, body?: unknown): Promise<Result> {
    const response = await fetch(`${url}/api/${path}`, {
      ...(body === undefined
        ? {}
        : { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });
    const answer = await response.json();
    if (!response.ok) throw new Error(`the sandbox desk refused ${path}: ${JSON.stringify(answer)}`);
    return answer;
  }
  return {
    async balance(coin, address) {
      const answer = await call<unknown>(`balance?${new URLSearchParams({ coin, address })}`);
      if (typeof answer === 'object' && answer !== null && 'balance' in answer) return String(answer.balance);
      throw new Error('the sandbox desk named no balance');
    },
    async faucet(coin, address, amount) {
      await call('faucet', { coin, address, amount });
    },
    async mails(to) {
      const answer = await call<unknown>(`mails?${new URLSearchParams({ to })}`);
      return Array.isArray(answer) ? answer.filter(isMail) : [];
    },
    bitcoin: bitcoinDesk(call),
    call,
  };
}

function bitcoinDesk(call: Call): BitcoinDesk {
  const txidOf = async (path: string, body: unknown): Promise<string> =>
    (await call<{ txid: string }>(path, body)).txid;
  const heightOf = async (path: string, body: unknown): Promise<number> =>
    (await call<{ height: number }>(path, body)).height;
  return {
    state: () => call('bitcoin'),
    mempool: () => call('bitcoin/mempool'),
    balance: (address) => call(`bitcoin/balance?${new URLSearchParams({ address })}`),
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

function isMail(value: unknown): value is DeskMail {
  return (
    typeof value === 'object' &&
    value !== null &&
    'id' in value &&
    'text' in value &&
    'codes' in value &&
    Array.isArray(value.codes)
  );
}
