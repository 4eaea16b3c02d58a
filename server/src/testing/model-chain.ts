import { createHash } from 'node:crypto';
import type { Address, Hex } from 'viem';
import { type EvmBlockContent, type EvmGateway, NoAgreement, type Signer } from '../features/chains/index.ts';

/**
 * A chain in memory behind the server's own ports, for tests that go through thousands of histories: blocks, nonces,
 * balances, payments that revert, reorganisations that keep or lose what they take away, nodes that fall silent.
 */
export interface ModelChain {
  gateway: EvmGateway;
  signer: Signer;
  /** While set, no node responds. */
  silent: boolean;
  /** While set, the chain refuses every token payment that it executes. */
  reverting: boolean;
  /** While set, the signer takes every new transfer for forged. */
  refusing: boolean;
  head(): number;
  /** Value from outside, waiting for the next block; returns its hash. */
  deposit(to: Address, coin: string, amountMinor: bigint): Hex;
  mine(): void;
  /** Replaces the last blocks by one more; with `keep` they hold the same again, else it is lost. */
  reorganise(blocks: number, keep: boolean): void;
  /** A transaction's block and whether it succeeded; null when no block has it. */
  find(hash: string): { height: number; succeeded: boolean } | null;
  /** What the signer knows of a transfer, from which it builds the payment. */
  know(transferId: string, payment: ModelPayment): void;
  /** The hash under which a transfer was signed; null while it was not. */
  hashOf(transferId: string): Hex | null;
  /** Everything that was ever sent to an address. */
  sentTo(address: Address): readonly Transaction[];
  /** Of a coin at the newest block, in minor units. */
  balanceOf(address: Address, coin: string): bigint;
}

/** The platform's addresses in the model. */
export interface ModelPlatform {
  tank: Address;
  treasury: Address;
}

/** What the treasury has of each coin in the first block, in minor units. */
export const treasuryFundsMinor = 10n ** 27n;

export interface ModelPayment {
  from: Address;
  to: Address;
  coin: string;
  amountMinor: bigint;
}

interface Payment extends ModelPayment {
  nonce: number;
}

export interface Transaction extends Payment {
  hash: Hex;
  /** From outside: has no nonce and cannot fail. */
  isOutside: boolean;
}

interface Mined {
  transaction: Transaction;
  succeeded: boolean;
}

interface Block {
  height: number;
  hash: Hex;
  parentHash: Hex;
  mined: Mined[];
  balances: ReadonlyMap<string, bigint>;
  nonces: ReadonlyMap<string, number>;
}

/** What each payment costs, in wei; half of what its fee allows. */
export const paymentCostWei = 30_000n;
const fees = { maxFeePerGas: 2n, maxPriorityFeePerGas: 1n };

const digest = (text: string): Hex => `0x${createHash('sha256').update(text).digest('hex')}`;
const account = (address: string, coin: string) => `${address}/${coin}`;

/** `learn`: what the signer reads of a payment that it signs first and that a test has not told it. */
export function createModelChain(
  chainId: string,
  contracts: Readonly<Record<string, Address>>,
  { tank, treasury }: ModelPlatform,
  learn: (companyId: string, transferId: string) => Promise<ModelPayment>,
): ModelChain {
  const funded = ['ETH', ...Object.keys(contracts)].map(
    (coin) => [account(treasury, coin), treasuryFundsMinor] as const,
  );
  const genesisBalances = new Map([[account(tank, 'ETH'), 10n ** 30n], ...funded]);
  const genesis: Block = {
    height: 0,
    hash: digest('genesis'),
    parentHash: digest('nothing'),
    mined: [],
    balances: genesisBalances,
    nonces: new Map(),
  };
  const blocks: Block[] = [genesis];
  let pool: Transaction[] = [];
  const known = new Map<string, ModelPayment>();
  const signed = new Map<string, Hex>();
  const everything = new Map<Hex, Transaction>();
  let counter = 0;

  const tip = (): Block => blocks.at(-1) ?? genesis;
  const ask = async <T>(answer: () => T | Promise<T>): Promise<T> => {
    if (chain.silent) throw new NoAgreement('silence', 'the test');
    return answer();
  };

  function place(hash: string): { block: Block; mined: Mined } | null {
    for (const block of blocks) {
      const mined = block.mined.find(({ transaction }) => transaction.hash === hash);
      if (mined) return { block, mined };
    }
    return null;
  }

  /** Adds a block with as many of the transactions as can go in; the others wait. */
  function append(candidates: readonly Transaction[]): Transaction[] {
    const [balances, nonces] = [new Map(tip().balances), new Map(tip().nonces)];
    const mined: Mined[] = [];
    let waiting = [...candidates];
    for (let before = -1; before !== waiting.length; ) {
      before = waiting.length;
      waiting = waiting.filter((transaction) => {
        const outcome = execute(transaction, balances, nonces, chain.reverting);
        if (outcome !== 'waits') mined.push({ transaction, succeeded: outcome === 'succeeds' });
        return outcome === 'waits';
      });
    }
    counter += 1;
    const { height, hash } = tip();
    blocks.push({
      height: height + 1,
      hash: digest(`block ${counter}`),
      parentHash: hash,
      mined,
      balances,
      nonces,
    });
    return waiting;
  }

  function sign(payment: Payment): { signed: true; hash: Hex; raw: Hex } {
    const text = JSON.stringify({ ...payment, amountMinor: payment.amountMinor.toString() });
    return { signed: true, hash: digest(text), raw: `0x${Buffer.from(text).toString('hex')}` };
  }

  const gateway: EvmGateway = {
    chainId,
    head: () => ask(() => tip().height),
    block: (height) => ask(() => blocks[height] ?? null),
    blockTime: (height) => ask(() => (blocks[height] ? new Date(height * 12_000) : null)),
    contents: (from, to, own) =>
      ask(async () => Promise.all(blocks.slice(from, to + 1).map((block) => contentOf(block, contracts, own)))),
    internalTransfers: () => ask(() => []),
    unexplainedGrowth: (_block, addresses) => ask(() => addresses.map(() => 0n)),
    nativeBalances: (addresses, height) =>
      ask(() => addresses.map((address) => blocks[height]?.balances.get(account(address, 'ETH')) ?? 0n)),
    receipt: (hash) =>
      ask(() => {
        const found = place(hash);
        if (!found) return null;
        const { transaction, succeeded } = found.mined;
        const contract = contracts[transaction.coin];
        const { from, to, amountMinor } = transaction;
        return {
          height: found.block.height,
          blockHash: found.block.hash,
          succeeded,
          networkFeeMinor: paymentCostWei,
          tokenTransfers: succeeded && contract ? [{ index: 0, contract, from, to, amountMinor }] : [],
        };
      }),
    transaction: (hash) =>
      ask(() => {
        const transaction = place(hash)?.mined.transaction;
        if (!transaction) return null;
        const { from, nonce, to, coin, amountMinor } = transaction;
        const contract = contracts[coin];
        return {
          hash,
          from,
          nonce,
          to: contract ?? to,
          valueWei: contract ? 0n : amountMinor,
          tokenCall: contract ? { contract, to, amountMinor } : null,
          gasLimit: 30_000n,
          ...fees,
          raw: sign(transaction).raw,
        };
      }),
    highestNonce: (address) => ask(() => ({ count: tip().nonces.get(address) ?? 0, hasQuorum: true })),
    // Nothing is sent here but by our own payments.
    highestPendingNonce: (address) => ask(() => ({ count: tip().nonces.get(address) ?? 0, hasQuorum: true })),
    pending: (address) => ask(() => ({ count: tip().nonces.get(address) ?? 0, hasQuorum: true })),
    minedNonce: (address, height) => ask(() => blocks[height]?.nonces.get(address) ?? 0),
    balance: (contract, address, height) =>
      ask(() => {
        const coin = Object.keys(contracts).find((each) => contracts[each]?.toLowerCase() === contract?.toLowerCase());
        return blocks[height]?.balances.get(account(address, contract === null ? 'ETH' : (coin ?? ''))) ?? 0n;
      }),
    tokenDecimals: () => ask(() => 6),
    estimateGas: () => ask(() => 30_000n),
    fees: () => ask(() => fees),
    answers: async () => !chain.silent,
    async broadcast(raw) {
      if (chain.silent) return { outcome: 'unknown' };
      const text = Buffer.from(raw.slice(2), 'hex').toString();
      const payment = JSON.parse(text) as Omit<Payment, 'amountMinor'> & { amountMinor: string };
      const transaction = {
        ...payment,
        amountMinor: BigInt(payment.amountMinor),
        hash: digest(text),
        isOutside: false,
      };
      everything.set(transaction.hash, transaction);
      if (place(transaction.hash) || pool.some(({ hash }) => hash === transaction.hash)) return { outcome: 'known' };
      pool.push(transaction);
      return { outcome: 'accepted' };
    },
  };

  const signer: Signer = {
    async sign(request) {
      if (!('plan' in request)) throw new Error('nothing is restored in the model');
      const { companyId, transferId, plan } = request;
      const nonce = plan['nonce'] as number;
      const payment = known.get(transferId) ?? (await learn(companyId, transferId));
      known.set(transferId, payment);
      // An advance goes to the address whose network fee it covers.
      if (request.kind === 'gas') {
        return sign({ from: tank, nonce, to: payment.from, coin: 'ETH', amountMinor: plan['amountWei'] as bigint });
      }
      if (chain.refusing && !signed.has(transferId)) return { signed: false, refusal: 'forged', journaled: false };
      const answer = sign({ ...payment, nonce });
      signed.set(transferId, answer.hash);
      return answer;
    },
  };

  const chain: ModelChain = {
    gateway,
    signer,
    silent: false,
    reverting: false,
    refusing: false,
    head: () => tip().height,
    deposit(to, coin, amountMinor) {
      counter += 1;
      const hash = digest(`deposit ${counter}`);
      const from: Address = '0x00000000000000000000000000000000000000FF';
      const transaction = { hash, from, nonce: 0, to, coin, amountMinor, isOutside: true };
      everything.set(hash, transaction);
      pool.push(transaction);
      return hash;
    },
    mine() {
      pool = append(pool);
    },
    reorganise(count, keep) {
      const gone = blocks.splice(Math.max(1, blocks.length - count));
      let left: Transaction[] = [];
      for (const block of gone) {
        left = append([...left, ...(keep ? block.mined.map(({ transaction }) => transaction) : [])]);
      }
      append(left);
    },
    find(hash) {
      const found = place(hash);
      return found && { height: found.block.height, succeeded: found.mined.succeeded };
    },
    know: (transferId, payment) => void known.set(transferId, payment),
    hashOf: (transferId) => signed.get(transferId) ?? null,
    sentTo: (address) => [...everything.values()].filter(({ to }) => to === address),
    balanceOf: (address, coin) => tip().balances.get(account(address, coin)) ?? 0n,
  };
  return chain;
}

function execute(
  transaction: Transaction,
  balances: Map<string, bigint>,
  nonces: Map<string, number>,
  reverting: boolean,
): 'waits' | 'succeeds' | 'reverts' {
  const { from, to, coin, amountMinor, nonce, isOutside } = transaction;
  const add = (address: string, of: string, minor: bigint) =>
    balances.set(account(address, of), (balances.get(account(address, of)) ?? 0n) + minor);
  if (isOutside) {
    add(to, coin, amountMinor);
    return 'succeeds';
  }
  const isNative = coin === 'ETH';
  const gas = paymentCostWei + (isNative ? amountMinor : 0n);
  if ((nonces.get(from) ?? 0) !== nonce || (balances.get(account(from, 'ETH')) ?? 0n) < gas) return 'waits';
  nonces.set(from, nonce + 1);
  add(from, 'ETH', -paymentCostWei);
  if (!isNative && (reverting || (balances.get(account(from, coin)) ?? 0n) < amountMinor)) return 'reverts';
  add(from, coin, -amountMinor);
  add(to, coin, amountMinor);
  return 'succeeds';
}

async function contentOf(
  { height, hash, parentHash, mined }: Block,
  contracts: Readonly<Record<string, Address>>,
  own: Parameters<EvmGateway['contents']>[2],
): Promise<EvmBlockContent> {
  const ours = await own.among(mined.flatMap(({ transaction }) => [transaction.to, transaction.from]));
  const arrivals = mined
    .filter(({ transaction, succeeded }) => succeeded && ours.has(transaction.to))
    .map(({ transaction: { hash: of, from, to, coin, amountMinor } }) => {
      const contract = contracts[coin] ?? null;
      return { hash: of, output: contract ? 'log:0' : 'native', contract, from, to, amountMinor };
    });
  const transactionHashes = mined.map(({ transaction }) => transaction.hash);
  const departures = mined
    .filter(({ transaction }) => !transaction.isOutside && ours.has(transaction.from))
    .map(({ transaction: { hash: of, from } }) => ({ hash: of, from }));
  return { block: { height, hash, parentHash }, transactionHashes, arrivals, departures, opaqueTransactions: 0 };
}
