import * as z from 'zod/mini';
import { auditEvent } from './audit.ts';
import { call } from './call.ts';
import { amountText, asset, chainId, id, instant, page, pageQuery, text } from './ids.ts';
import { attemptStates, nodeAnswers } from './operator-transactions-rules.ts';
import { explanation } from './risk.ts';
import { transactionDetail } from './transactions.ts';
import { stages, transactionDirections, transactionStatuses, transactionTypes } from './transactions-rules.ts';

/** Transactions of all companies as the operator sees them. Part of the feature operator. */

export * from './operator-transactions-rules.ts';

const company = z.object({ id, name: z.string() });
const party = z.object({ name: z.nullable(z.string()), account: z.nullable(z.string()) });

export const operatorTransaction = z.object({
  id,
  company,
  type: z.enum(transactionTypes),
  status: z.enum(transactionStatuses),
  stage: z.enum(stages),
  createdAt: instant,
  coin: z.string(),
  /** Null where the wallet is at a bank. */
  chain: z.nullable(chainId),
  /** The chain or the bank of its wallet, in the reader's language. */
  placeName: z.string(),
  /** Unsigned, in whole units; `direction` says which way it went. */
  quantity: z.string(),
  /** In whole units; of an acceleration all that leaves. */
  fee: z.string(),
  /** The deposit that an acceleration spends; null of every other. */
  accelerates: z.nullable(z.object({ id, hash: z.string(), quantity: z.string() })),
  direction: z.enum(transactionDirections),
  /** What it was worth when it was written; null where no price was known. */
  usd: z.nullable(z.string()),
  payer: party,
  payee: party,
  hash: z.nullable(z.string()),
  confirmations: z.nullable(z.number()),
  confirmationsNeeded: z.nullable(z.number()),
  invoiceNumber: z.nullable(z.string()),
});
export type OperatorTransaction = z.output<typeof operatorTransaction>;

const filters = {
  keyword: z.optional(text(128)),
  company: z.optional(id),
  type: z.optional(z.enum(transactionTypes)),
  status: z.optional(z.enum(transactionStatuses)),
  stage: z.optional(z.enum(stages)),
  coin: z.optional(asset),
  chain: z.optional(chainId),
  from: z.optional(instant),
  to: z.optional(instant),
  amountMin: z.optional(amountText),
  amountMax: z.optional(amountText),
  sort: z.optional(z.enum(['time', 'amount'])),
  order: z.optional(z.enum(['asc', 'desc'])),
};

export const listOperatorTransactions = call({
  name: 'listOperatorTransactions',
  method: 'GET',
  path: '/operator/transaction',
  summary:
    'Transactions of all companies, newest first. The keyword is an id, a hash or an address in full, an amount, or a part of a name, a note or an invoice number. Amounts are compared in whole units.',
  access: 'operator.view',
  query: z.strictObject({ ...pageQuery, ...filters }),
  output: page(operatorTransaction),
  errors: ['cursorInvalid'],
});

export const exportOperatorTransactions = call({
  name: 'exportOperatorTransactions',
  method: 'GET',
  path: '/operator/transaction/export',
  summary:
    'The filtered list as CSV (UTF-8 with byte order mark, formulas neutralised), at most 50,000 rows. The export is in the operator’s audit log.',
  access: 'operator.look',
  query: z.strictObject(filters),
  output: z.null(),
  answer: 'file',
  errors: ['exportTooLarge'],
});

/** The filters of that list that have to be read. */
export const listOperatorTransactionFilters = call({
  name: 'listOperatorTransactionFilters',
  method: 'GET',
  path: '/operator/transaction/filter',
  summary: 'The assets and chains that transactions can be filtered by.',
  access: 'operator.view',
  output: z.object({
    assets: z.array(z.string()),
    chains: z.array(z.object({ id: chainId, name: z.string() })),
  }),
  errors: [],
});

/** One signing of a payment, of an empty transaction in its place, or of the gas tank's advance for its network fee. */
export const paymentAttempt = z.object({
  kind: z.enum(['transfer', 'empty', 'gas']),
  attempt: z.number(),
  state: z.enum(attemptStates),
  from: z.string(),
  /** Null where the chain has none. */
  nonce: z.nullable(z.number()),
  /** Per unit of gas, in gwei; null where the chain has no gas. */
  maxFeePerGas: z.nullable(z.string()),
  maxPriorityFeePerGas: z.nullable(z.string()),
  gasLimit: z.nullable(z.string()),
  /** What it spends and pays the miner, on a chain of outputs; null on every other. */
  spends: z.nullable(
    z.object({
      /** The first of them, `hash:index`. */
      inputs: z.array(
        z.object({
          output: z.string(),
          address: z.string(),
          quantity: z.string(),
          /** A reorganisation removed it: no node has it since then. `replacedBy`: what a block has in its place, where that is known. */
          lost: z.nullable(z.object({ since: instant, replacedBy: z.nullable(z.string()) })),
        }),
      ),
      inputCount: z.number(),
      /** The company's payments that the transaction makes, or takes the place of, where they are several; `share`: what of the fee each pays. */
      payments: z.array(
        z.object({ id, payee: z.nullable(z.string()), quantity: z.nullable(z.string()), share: z.string() }),
      ),
      /** In whole coins; the miner gets it, to the smallest unit. */
      fee: z.string(),
      /** Satoshis per virtual byte. */
      feeRate: z.string(),
      /** Virtual bytes. */
      size: z.number(),
    }),
  ),
  /** What the network took, in whole units of the chain's own coin; null before it is final. */
  networkFee: z.nullable(z.string()),
  feeCoin: z.string(),
  hash: z.nullable(z.string()),
  explorerUrl: z.nullable(z.string()),
  /** The hash of the attempt that took its place. */
  replacedBy: z.nullable(z.string()),
  createdAt: instant,
  firstBroadcastAt: z.nullable(instant),
  lastBroadcastAt: z.nullable(instant),
  minedBlock: z.nullable(z.number()),
  finalAt: z.nullable(instant),
  /** What each node last said of these bytes, the newest first. */
  answers: z.array(
    z.object({
      node: z.string(),
      answer: z.enum(nodeAnswers),
      /** The node's own words; null where it took them or said nothing. */
      words: z.nullable(z.string()),
      firstAt: instant,
      lastAt: instant,
      times: z.number(),
    }),
  ),
});
export type PaymentAttempt = z.output<typeof paymentAttempt>;

/** The queue of the address that it is sent from; null where its chain counts no nonces. */
export const senderQueue = z.object({
  address: z.string(),
  chain: chainId,
  /** The nonce that the next payment gets. */
  nextNonce: z.nullable(z.number()),
  /** Why nothing is sent from it; null while nothing holds it. */
  held: z.nullable(z.string()),
  /** Payments of this address that no block has for good, by nonce. */
  open: z.array(
    z.object({
      nonce: z.number(),
      transactionId: id,
      kind: z.enum(['transfer', 'gas']),
      mined: z.boolean(),
      hash: z.nullable(z.string()),
    }),
  ),
});

/** A balanced set of entries of the ledger. */
export const ledgerPosting = z.object({
  id,
  kind: z.string(),
  description: z.string(),
  at: instant,
  /** The posting that this one corrects. */
  correctsId: z.nullable(id),
  entries: z.array(
    z.object({
      account: z.string(),
      accountId: id,
      walletId: id,
      asset: z.string(),
      decimals: z.number(),
      /** Signed, in whole units. */
      amount: z.string(),
      balanceAfter: z.string(),
    }),
  ),
  /** The sum of its entries, by asset: zero. */
  sums: z.array(z.object({ asset: z.string(), sum: z.string() })),
});
export type LedgerPosting = z.output<typeof ledgerPosting>;

/** Work of the worker about a transaction that is not done. */
export const waitingWork = z.object({
  /** `announced`: in the outbox, not yet taken up. `queued`: a job of the worker. */
  kind: z.enum(['announced', 'queued']),
  name: z.string(),
  since: instant,
  attempts: z.number(),
  maxAttempts: z.number(),
  lastError: z.nullable(z.string()),
  nextAt: z.nullable(instant),
});

/** A request that wrote something, as it was logged after it was answered. */
export const loggedRequest = z.object({
  requestId: id,
  /** The name of the call; null where the request is older than the log, or not yet written to it. */
  call: z.nullable(z.string()),
  at: instant,
  status: z.nullable(z.number()),
  /** The key of the error; null where it succeeded. */
  error: z.nullable(z.string()),
  durationMs: z.nullable(z.number()),
  ip: z.nullable(z.string()),
  actor: z.nullable(z.string()),
  /** What the request did, by the company's audit log. */
  what: z.array(z.string()),
});

export const operatorTransactionDetail = z.object({
  company,
  /** As the company's own people see it, in the operator's language. */
  transaction: transactionDetail,
  attempts: z.array(paymentAttempt),
  queue: z.nullable(senderQueue),
  postings: z.array(ledgerPosting),
  work: z.array(waitingWork),
  /** How old the worker's report of its jobs is; null before its first. */
  workReportedAt: z.nullable(instant),
  /** Why risk let it pass or stopped it; null where it was never judged. */
  risk: z.nullable(explanation),
  /** What the company's audit log says of it, newest first. */
  audit: z.array(auditEvent),
  requests: z.array(loggedRequest),
});
export type OperatorTransactionDetail = z.output<typeof operatorTransactionDetail>;

export const getOperatorTransaction = call({
  name: 'getOperatorTransaction',
  method: 'GET',
  path: '/operator/transaction/{id}',
  summary:
    'One transaction as its company sees it, with what the operator needs beside it: attempts, nonces, answers of nodes, postings, waiting work, risk, audit entries and requests. The look is in the operator’s audit log, once an hour for each operator and company.',
  access: 'operator.view',
  params: z.object({ id }),
  output: operatorTransactionDetail,
  errors: [],
});
