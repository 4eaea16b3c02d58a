import * as z from 'zod/mini';
import { call } from './call.ts';
import { amountText, chainId, coin, id, instant, page, pageQuery } from './ids.ts';

/** An estimate in US dollars, two decimals, half-up; null while no price is known. */
const usd = z.nullable(z.string());

export const chain = z.object({
  id: chainId,
  name: z.string(),
  family: z.enum(['evm']),
  /** Blocks on top of which a deposit or transfer is final. */
  confirmations: z.number(),
  nativeCoin: coin,
  /** With `{hash}` or `{address}` appended after /tx/ or /address/; null when none is configured. */
  explorerUrl: z.nullable(z.string()),
  coins: z.array(
    z.object({
      coin,
      decimals: z.number(),
      contract: z.nullable(z.string()),
      /** Transfers must be strictly greater, recharges at least this. */
      minimum: z.string(),
      enabled: z.boolean(),
    }),
  ),
});
export type Chain = z.output<typeof chain>;

export const wallet = z.object({
  id,
  chain: chainId,
  chainName: z.string(),
  coin,
  decimals: z.number(),
  address: z.string(),
  /** available + outbound: the coin's total assets; inbound is not in it (decisions, "Ledger"). */
  quantity: z.string(),
  available: z.string(),
  outbound: z.string(),
  inbound: z.string(),
  /** What could not be covered after a reorganisation took back a spent deposit; "0…" otherwise. */
  deficit: z.string(),
  unitPrice: z.nullable(z.string()),
  priceUpdatedAt: z.nullable(instant),
  value: usd,
  /** Per cent of the company's total assets, two decimals; null while no price is known. */
  share: z.nullable(z.string()),
  frozen: z.boolean(),
  minimum: z.string(),
});
export type Wallet = z.output<typeof wallet>;

export const getOverview = call({
  name: 'getOverview',
  method: 'GET',
  path: '/web/account/overview',
  summary: "The company's balances valued in US dollars: total (available + outbound), available, in transfer.",
  access: 'wallet.view',
  output: z.object({
    currency: z.literal('USD'),
    total: usd,
    available: usd,
    /** Held or on its way out. */
    outbound: usd,
    /** Seen on the chain, not yet final; not part of the total. */
    inbound: usd,
    pricesUpdatedAt: z.nullable(instant),
    pricesStale: z.boolean(),
  }),
  errors: [],
});

export const getHistory = call({
  name: 'getHistory',
  method: 'GET',
  path: '/web/account/history',
  summary: "The total in US dollars at the end of each of the last 30 days, at each day's own prices where known.",
  access: 'wallet.view',
  output: z.object({ currency: z.literal('USD'), days: z.array(z.object({ date: z.iso.date(), total: usd })) }),
  errors: [],
});

export const feeTypes = ['fx_fee', 'account_recharge_fee', 'crypto_withdraw_fee'] as const;
export type FeeType = (typeof feeTypes)[number];

export const getFee = call({
  name: 'getFee',
  method: 'GET',
  path: '/web/account/fees',
  summary: 'The fee for one intended operation and what will be received.',
  access: 'wallet.view',
  query: z.strictObject({ feeType: z.enum(feeTypes), coin, chain: chainId, amount: z.optional(amountText) }),
  output: z.object({
    feeType: z.enum(feeTypes),
    coin,
    fee: z.string(),
    amount: z.nullable(z.string()),
    /** What the payee will receive; for a withdrawal the amount itself, the fee comes on top. */
    received: z.nullable(z.string()),
    /** amount + fee: what leaves the wallet. */
    debited: z.nullable(z.string()),
    minimum: z.string(),
  }),
  errors: [
    'chainUnknown',
    'coinNotOnChain',
    'feeTypeUnavailable',
    'amountTooManyDecimals',
    'amountTooLarge',
    'amountFormat',
  ],
});

export const listFees = call({
  name: 'listFees',
  method: 'GET',
  path: '/web/account/fee-list',
  summary: 'The schedule of fees in force.',
  access: 'wallet.view',
  output: z.object({ items: z.array(z.object({ feeType: z.enum(feeTypes), coin, chain: chainId, fee: z.string() })) }),
  errors: [],
});

export const listChains = call({
  name: 'listChains',
  method: 'GET',
  path: '/web/crypto/chain',
  summary: 'The chains and the coins on each.',
  access: 'wallet.view',
  output: z.object({ items: z.array(chain) }),
  errors: [],
});

export const listWallets = call({
  name: 'listWallets',
  method: 'GET',
  path: '/web/crypto/wallets',
  summary: "The company's wallets, one for each coin on each chain.",
  access: 'wallet.view',
  output: z.object({ items: z.array(wallet) }),
  errors: [],
});

export const getAddress = call({
  name: 'getAddress',
  method: 'GET',
  path: '/web/crypto/chain/address',
  summary: "The company's receiving address on a chain.",
  access: 'wallet.view',
  query: z.strictObject({ chain: chainId }),
  output: z.object({ chain: chainId, address: z.string() }),
  errors: ['chainUnknown'],
});

export const getAddressV2 = call({
  name: 'getAddressV2',
  method: 'GET',
  path: '/web/crypto/chain/address/v2',
  summary:
    'The receiving address of one coin on one chain, with payment URI (EIP-681), minimum and confirmations needed.',
  access: 'wallet.view',
  query: z.strictObject({ coin, chain: chainId, amount: z.optional(amountText) }),
  output: z.object({
    walletId: id,
    chain: chainId,
    chainName: z.string(),
    coin,
    address: z.string(),
    uri: z.string(),
    minimum: z.string(),
    confirmations: z.number(),
  }),
  errors: [
    'chainUnknown',
    'coinNotOnChain',
    'amountFormat',
    'amountTooManyDecimals',
    'amountTooLarge',
    'rechargeBelowMinimum',
  ],
});

export const statementLine = z.object({
  /** The posting's own number within this account, rising by one. */
  sequence: z.number(),
  time: instant,
  description: z.string(),
  transactionId: z.nullable(id),
  /** Signed, in whole coins. */
  amount: z.string(),
  balance: z.string(),
});

export const getStatement = call({
  name: 'getStatement',
  method: 'GET',
  path: '/web/crypto/wallets/{id}/statement',
  summary: "One wallet's entries with the running available balance, newest first.",
  access: 'wallet.view',
  params: z.object({ id }),
  query: z.strictObject(pageQuery),
  output: page(statementLine),
  errors: ['walletNotFound', 'cursorInvalid'],
});
