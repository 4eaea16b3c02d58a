import * as z from 'zod/mini';
import { call } from './call.ts';
import { frozen } from './freeze.ts';
import { historyPeriods } from './history-rules.ts';
import { amountText, asset, bankId, chainId, coin, id, instant, page, pageQuery } from './ids.ts';
import { baseCurrencies } from './organisation-rules.ts';

/** An estimate in US dollars, two decimals, half-up; null while no price is known. */
const usd = z.nullable(z.string());

/** The same in the currency that is named beside it. */
const estimate = usd;

/** The company's base currency; US dollars as long as no exchange rate of it is known. */
const currency = z.enum(baseCurrencies);

export const chain = z.object({
  id: chainId,
  name: z.string(),
  /** Chains of one family share address rules and a way to send, e.g. `evm`. */
  family: z.string(),
  /** Each deposit gets an address that none went to before; earlier ones stay valid (`listReceivingAddresses`). */
  freshAddresses: z.boolean(),
  /** Who sends chooses what the network takes (`listNetworkFees`); otherwise the fee is that of `getFee`. */
  choosesFee: z.boolean(),
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
      /** Recharges must be at least this. */
      minimum: z.string(),
      enabled: z.boolean(),
      /** Switched off by the operator for a time; so are both while the chain is. */
      withdrawalsPaused: z.boolean(),
      depositsPaused: z.boolean(),
    }),
  ),
});
export type Chain = z.output<typeof chain>;

/** The account at a bank to which others pay, as they have to write it; null where the bank's country has no such field. */
export const bankAccount = z.object({
  holder: z.string(),
  number: z.string(),
  iban: z.nullable(z.string()),
  /** ISO 9362. */
  bic: z.string(),
  /** The bank's number in its country's clearing. */
  clearingCode: z.nullable(z.string()),
  branchCode: z.nullable(z.string()),
  /** ISO 3166-1. */
  country: z.string(),
});
export type BankAccount = z.output<typeof bankAccount>;

/** Where a wallet's asset is: coins on a chain, currencies at a bank (docs/adr/0061). `name` is in the reader's language. */
export const place = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('chain'), chain: chainId, name: z.string(), address: z.string() }),
  z.object({ kind: z.literal('bank'), bank: bankId, name: z.string(), account: bankAccount }),
]);
export type Place = z.output<typeof place>;

export const wallet = z.object({
  id,
  asset,
  decimals: z.number(),
  place,
  /** available + outbound + escrow: the asset's total; inbound is not in it (decisions, "Ledger"). */
  quantity: z.string(),
  available: z.string(),
  outbound: z.string(),
  inbound: z.string(),
  /** Frozen for guaranteed trades. */
  escrow: z.string(),
  /** What could not be covered after a reorganisation took back a spent deposit; "0…" otherwise. */
  deficit: z.string(),
  unitPrice: z.nullable(z.string()),
  priceUpdatedAt: z.nullable(instant),
  value: usd,
  /** What one whole unit and the whole quantity are worth in the company's base currency. */
  base: z.object({ currency, unitPrice: z.nullable(z.string()), value: estimate }),
  /** Per cent of the company's total assets, two decimals; null while no price is known. */
  share: z.nullable(z.string()),
  frozen: z.boolean(),
  /** Where the operator froze it. */
  frozenBy: z.nullable(frozen),
  /** Switched off by the operator for a time, for every company. */
  withdrawalsPaused: z.boolean(),
  depositsPaused: z.boolean(),
  /** Transfers must be strictly greater. */
  minimum: z.string(),
  /** The available balance below which members are alerted who chose so; null: never. */
  alertBelow: z.nullable(z.string()),
});
export type Wallet = z.output<typeof wallet>;

/** What the company holds, valued in one currency; `available`, `outbound` and `escrow` add up to the total. */
const overview = z.object({
  currency,
  total: estimate,
  available: estimate,
  /** Held or on its way out. */
  outbound: estimate,
  /** Frozen for guaranteed trades. */
  escrow: estimate,
  /** Seen on the chain, not yet final; not part of the total. */
  inbound: estimate,
  pricesUpdatedAt: z.nullable(instant),
  pricesStale: z.boolean(),
});

export const getOverview = call({
  name: 'getOverview',
  method: 'GET',
  path: '/web/account/overview',
  summary:
    "The company's balances valued in its base currency: total (available + outbound + escrow), available, in transfer, frozen for trades; in US dollars as long as no exchange rate is known.",
  access: 'wallet.view',
  output: overview,
  errors: [],
});

export const getHistory = call({
  name: 'getHistory',
  method: 'GET',
  path: '/web/account/history',
  summary:
    "The total in the company's base currency over the last 7, 30 (the default) or 90 days of the company's time zone, and what changed it: money paid in and out, and prices.",
  access: 'wallet.view',
  query: z.strictObject({ days: z.optional(z.enum(historyPeriods)) }),
  output: z.object({
    /** Of the same moment as the last day. */
    overview,
    /**
     * The total at the end of each day at that day's prices; first that of the day before the period, last that of now. Null where
     * a price is not known.
     */
    days: z.array(z.object({ date: z.iso.date(), total: estimate })),
    /** From the first of the days to the last: total = paidIn - paidOut + prices, to the cent; null while a price is not known. */
    change: z.nullable(
      z.object({
        /** Signed. */
        total: z.string(),
        paidIn: z.string(),
        /** Fees included. */
        paidOut: z.string(),
        /** Signed: what price changes added to the value of what was held. */
        prices: z.string(),
      }),
    ),
  }),
  errors: [],
});

export const feeTypes = ['fx_fee', 'account_recharge_fee', 'crypto_withdraw_fee'] as const;
export type FeeType = (typeof feeTypes)[number];

export const getFee = call({
  name: 'getFee',
  method: 'GET',
  path: '/web/account/fees',
  summary: 'The fee for one intended operation, what will be received, and how long it takes.',
  access: 'wallet.view',
  query: z
    .strictObject({
      feeType: z.enum(feeTypes),
      asset,
      /** Exactly one of chain and bank. */
      chain: z.optional(chainId),
      bank: z.optional(bankId),
      amount: z.optional(amountText),
    })
    .check(
      z.refine(({ chain, bank }) => (chain === undefined) !== (bank === undefined), {
        error: 'field.place',
        path: ['chain'],
      }),
    ),
  output: z.object({
    feeType: z.enum(feeTypes),
    asset,
    fee: z.string(),
    /** Of a fee that is a share of what is exchanged: `fee` is then that of the amount, 0 where none was given; null: it is flat. */
    basisPoints: z.nullable(z.number()),
    /** The network's fee comes on top, chosen at each transfer (`listNetworkFees`); `fee` is then the operator's alone. */
    plusNetworkFee: z.boolean(),
    amount: z.nullable(z.string()),
    /** What is credited: to the payee of a withdrawal, whose fee comes on top; to the wallet after a recharge's fee. */
    received: z.nullable(z.string()),
    /** What leaves the payer: the amount, and the fee of a withdrawal or an exchange. */
    debited: z.nullable(z.string()),
    minimum: z.string(),
    /** The most that the operator lets this company send at once and within a day of its time zone, without fees; null: no limit. */
    transferLimit: z.nullable(z.string()),
    dailyLimit: z.nullable(z.string()),
    /** About how long it takes from the moment it is sent until it is final; null where nothing is sent. */
    arrivalSeconds: z.nullable(z.number()),
  }),
  errors: [
    'chainUnknown',
    'coinNotOnChain',
    'bankUnknown',
    'currencyNotAtBank',
    'feeTypeUnavailable',
    'amountTooManyDecimals',
    'amountTooLarge',
    'amountFormat',
  ],
});

/** One line of the schedule; exactly one of chain and bank is there. */
const feeLine = z.object({
  feeType: z.enum(feeTypes),
  asset,
  chain: z.nullable(chainId),
  bank: z.nullable(bankId),
  fee: z.string(),
  /** Of what is exchanged, where the fee is a share of it; null: it is flat. */
  basisPoints: z.nullable(z.number()),
  /** The network's fee comes on top, chosen at each transfer (`listNetworkFees`); `fee` is then the operator's alone. */
  plusNetworkFee: z.boolean(),
});

export const listFees = call({
  name: 'listFees',
  method: 'GET',
  path: '/web/account/fee-list',
  summary: 'The schedule of fees in force.',
  access: 'wallet.view',
  output: z.object({ items: z.array(feeLine) }),
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
  summary: "The company's wallets, one for each coin on each chain and each currency at each bank.",
  access: 'wallet.view',
  output: z.object({ items: z.array(wallet) }),
  errors: [],
});

export const getAddress = call({
  name: 'getAddress',
  method: 'GET',
  path: '/web/crypto/chain/address',
  summary:
    "The company's receiving address on a chain; where the chain's family wants it, one that no deposit went to.",
  access: 'wallet.view',
  query: z.strictObject({ chain: chainId }),
  output: z.object({ chain: chainId, address: z.string() }),
  errors: ['chainUnknown', 'depositsPaused'],
});

/** An address that deposits were to go to before the current one; it stays the company's. */
export const earlierAddress = z.object({
  address: z.string(),
  /** When the first deposit to it was seen; null: none was. */
  firstUsedAt: z.nullable(instant),
  /** By coin; deposits that were taken away again are in neither. */
  received: z.array(
    z.object({
      coin,
      deposits: z.number(),
      credited: z.string(),
      /** Seen and not final yet. */
      waiting: z.string(),
    }),
  ),
});
export type EarlierAddress = z.output<typeof earlierAddress>;

export const listReceivingAddresses = call({
  name: 'listReceivingAddresses',
  method: 'GET',
  path: '/web/crypto/chain/addresses',
  summary:
    'The addresses of a chain that were shown before the current one, newest first, with what each has received. They stay valid; on a chain whose address never changes there are none.',
  access: 'wallet.view',
  query: z.strictObject({ chain: chainId, ...pageQuery }),
  output: page(earlierAddress),
  errors: ['chainUnknown', 'cursorInvalid'],
});

export const getAddressV2 = call({
  name: 'getAddressV2',
  method: 'GET',
  path: '/web/crypto/chain/address/v2',
  summary:
    'The receiving address of one coin on one chain, with payment URI (EIP-681 on EVM chains), minimum, confirmations needed and how long they take.',
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
    /** About how long it takes from the moment it is sent until it is available. */
    arrivalSeconds: z.number(),
  }),
  errors: [
    'depositsPaused',
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
  /** The guaranteed trade that it is a step of; null: of none. */
  trade: z.nullable(z.object({ id, number: z.string() })),
  /** The batch, and the run of it, whose rows it holds before they are transactions, or gives back; null: of none. */
  batch: z.nullable(z.object({ id, runId: id, name: z.string() })),
  /** Signed, in whole units of the asset. */
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
