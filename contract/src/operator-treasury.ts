import * as z from 'zod/mini';
import { call, nothing } from './call.ts';
import { amountText, chainId, coin, id, instant, page, pageQuery, text } from './ids.ts';
import { operatorReason } from './operator.ts';
import {
  feePaymentStates,
  gasTankMostDays,
  gasTankMostPayments,
  settlementDirections,
  treasuryLabelMaxLength,
} from './operator-treasury-rules.ts';

/** The gas tank, the fees that the operator has earned, keys and nodes. Part of the feature operator. */

export * from './operator-treasury-rules.ts';

const amount = z.object({ asset: z.string(), quantity: z.string() });
const label = text(treasuryLabelMaxLength).check(z.trim(), z.minLength(1, 'field.required'));
/** What one wrote as an address; the chain's family says whether it is one. */
const addressText = z
  .string('field.required')
  .check(z.minLength(1, 'field.required'), z.maxLength(128, 'field.tooLong'));

export const chainNode = z.object({
  /** Its place in the configuration: its address may hold a key. */
  node: z.string(),
  checkedAt: instant,
  height: z.nullable(z.number()),
  /** When the block at this height was made, by the node. */
  blockAt: z.nullable(instant),
  delayMs: z.nullable(z.number()),
  /** Blocks behind the highest node of the chain. */
  behind: z.nullable(z.number()),
  /** It has another block at the same height than the other nodes. */
  disagrees: z.boolean(),
  error: z.nullable(z.string()),
});

export const getTreasury = call({
  name: 'getTreasury',
  method: 'GET',
  path: '/operator/treasury',
  summary:
    'By chain: the gas tank with what it spends and how long it lasts, the treasury with what exchanges owe, and the nodes; and the signer.',
  access: 'operator.view',
  output: z.object({
    chains: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        coin: z.string(),
        explorerUrl: z.nullable(z.string()),
        /** The block up to which the worker has read, and when it read it. */
        readHeight: z.nullable(z.number()),
        readAt: z.nullable(instant),
        tank: z.nullable(
          z.object({
            address: z.string(),
            /** As last reported by the worker; null before the first report. */
            balance: z.nullable(z.string()),
            balanceAt: z.nullable(instant),
            usd: z.nullable(z.string()),
            /** What it paid for companies’ network fees: advances and its own fees. */
            spent7: z.string(),
            spent30: z.string(),
            advances7: z.number(),
            perDay: z.string(),
            /** At `perDay`; null where nothing was spent, or no balance is known. */
            daysLeft: z.nullable(z.number()),
            /** Payments whose network fee it can still advance at the present fee. */
            paymentsLeft: z.nullable(z.number()),
            low: z.boolean(),
            /** Below its stop: payments that have not begun wait until it is filled. */
            stopped: z.boolean(),
            threshold: z.object({
              warnDays: z.number(),
              warnPayments: z.number(),
              stopPayments: z.number(),
              /** The last change; null where operators have changed nothing. */
              change: z.nullable(z.object({ at: instant, by: z.string(), confirmedBy: z.string() })),
              /** The open proposal to change it. */
              proposalId: z.nullable(id),
            }),
            /** Rises of the balance between two reports, newest first. */
            topUps: z.array(z.object({ at: instant, quantity: z.string(), balance: z.string() })),
          }),
        ),
        /** The platform's own coins, with which exchanges are settled; null where the chain has none. */
        treasury: z.nullable(
          z.object({
            address: z.string(),
            /** As the worker last read it; null before. */
            readAt: z.nullable(instant),
            coins: z.array(
              z.object({
                coin: z.string(),
                balance: z.nullable(z.string()),
                usd: z.nullable(z.string()),
                /** By exchanges that no final settlement has settled: what companies are owed, and what at their addresses is the platform's. */
                owed: z.string(),
                due: z.string(),
                /** On the way to companies, and from them. */
                underWayIn: z.string(),
                underWayOut: z.string(),
                /** What settlements that wait need more than is there; null where nothing is missing. */
                missing: z.nullable(z.string()),
              }),
            ),
          }),
        ),
        /** On a chain whose payments pay their fee out of what they spend; null elsewhere. */
        feeRates: z.nullable(
          z.object({
            /** Satoshis per virtual byte, each; null before the nodes were asked. */
            published: z.nullable(
              z.object({
                economy: z.string(),
                normal: z.string(),
                urgent: z.string(),
                minimum: z.string(),
                /** The bounds of the configuration; null until the worker has written them. */
                floor: z.nullable(z.string()),
                ceiling: z.nullable(z.string()),
                source: z.enum(['nodes', 'fallback']),
                publishedAt: instant,
                askedAt: instant,
                /** The nodes were last asked too long ago. */
                stale: z.boolean(),
              }),
            ),
            /** What the treasury has in blocks and what waits for one, by its outputs; the first null where there is no treasury. */
            treasury: z.nullable(z.object({ companyId: z.string(), confirmed: z.string(), waiting: z.string() })),
          }),
        ),
        nodes: z.array(chainNode),
      }),
    ),
    /** By currency: what exchanges owe companies at banks beyond what these hold for them, and the other way. No money moves at a bank by an exchange. */
    atBanks: z.array(z.object({ asset: z.string(), owed: z.string(), due: z.string() })),
    signer: z.object({
      reachable: z.nullable(z.boolean()),
      since: z.nullable(instant),
      checkedAt: z.nullable(instant),
      problem: z.nullable(z.string()),
      /** Whether its journal agrees with the database. */
      agrees: z.nullable(z.boolean()),
      comparedAt: z.nullable(instant),
      finding: z.nullable(z.string()),
      entries: z.number(),
      /** What it signed last. */
      lastSignedAt: z.nullable(instant),
      /** The public key with which it signs the audit log. */
      auditKeys: z.array(z.string()),
      /** Where the gas tank’s address is another than the worker's configuration says. */
      addresses: z.array(z.object({ chainId: z.string(), address: z.string(), agrees: z.nullable(z.boolean()) })),
    }),
  }),
  errors: [],
});

const count = (least: number, most: number) =>
  z
    .number('field.required')
    .check(z.int('field.invalid'), z.minimum(least, 'field.invalid'), z.maximum(most, 'field.invalid'));

export const proposeTankThreshold = call({
  name: 'proposeTankThreshold',
  method: 'POST',
  path: '/operator/treasury/tank/{chainId}/threshold',
  summary:
    'Proposes when a chain’s gas tank is low and below how many payments it stops, 0 for never; another operator confirms it.',
  access: 'operator.treasury',
  params: z.object({ chainId }),
  body: z
    .strictObject({
      warnDays: count(1, gasTankMostDays),
      warnPayments: count(1, gasTankMostPayments),
      stopPayments: count(0, gasTankMostPayments),
      reason: operatorReason,
    })
    .check(
      z.refine(({ stopPayments, warnPayments }) => stopPayments < warnPayments, {
        error: 'field.stopBelowWarning',
        path: ['stopPayments'],
      }),
    ),
  output: z.object({ proposalId: id }),
  errors: ['notFound', 'nothingChanges', 'proposalOpen'],
});

export const listCollectableFees = call({
  name: 'listCollectableFees',
  method: 'GET',
  path: '/operator/treasury/fee',
  summary: 'Fees that companies have paid and that still lie at their addresses, by chain and coin.',
  access: 'operator.view',
  output: z.object({
    fees: z.array(
      z.object({
        chainId: z.string(),
        chainName: z.string(),
        coin: z.string(),
        quantity: z.string(),
        usd: z.nullable(z.string()),
        /** Of it, what is on its way to the operator. */
        underWay: z.string(),
        companies: z.number(),
        /** What was collected so far. */
        collected: z.string(),
        /** The open proposal to collect it. */
        proposalId: z.nullable(id),
      }),
    ),
  }),
  errors: [],
});

export const listFeeSources = call({
  name: 'listFeeSources',
  method: 'GET',
  path: '/operator/treasury/fee-source',
  summary: 'At which companies’ addresses the fees of a coin lie, the largest first.',
  access: 'operator.view',
  query: z.strictObject({ ...pageQuery, chainId, coin }),
  output: page(
    z.object({
      id,
      companyId: id,
      companyName: z.string(),
      address: z.nullable(z.string()),
      quantity: z.string(),
      underWay: z.string(),
      frozen: z.boolean(),
    }),
  ),
  errors: ['cursorInvalid', 'notFound'],
});

export const treasuryAddress = z.object({
  id,
  chainId: z.string(),
  chainName: z.string(),
  address: z.string(),
  label: z.string(),
  addedAt: instant,
});
export type TreasuryAddress = z.output<typeof treasuryAddress>;

export const listTreasuryAddresses = call({
  name: 'listTreasuryAddresses',
  method: 'GET',
  path: '/operator/treasury/address',
  summary: 'The addresses to which fees may be sent.',
  access: 'operator.view',
  output: z.object({ addresses: z.array(treasuryAddress) }),
  errors: [],
});

/** What a proposal to add an address says. */
export const treasuryAddressInput = z.strictObject({ chainId, address: addressText, label });

export const proposeTreasuryAddress = call({
  name: 'proposeTreasuryAddress',
  method: 'POST',
  path: '/operator/treasury/address',
  summary: 'Proposes an address to which fees may be sent; it is written twice, and another operator confirms it.',
  access: 'operator.treasury',
  body: z.strictObject({ id, ...treasuryAddressInput.shape, again: addressText, reason: operatorReason }),
  output: z.object({ proposalId: id }),
  errors: [
    'idTaken',
    'addressInvalid',
    'addressChecksum',
    'addressNetwork',
    'addressReserved',
    'addressIsToken',
    'treasuryAddressAgain',
    'treasuryAddressOurs',
    'treasuryAddressKnown',
    'proposalOpen',
    'notFound',
  ],
});

export const removeTreasuryAddress = call({
  name: 'removeTreasuryAddress',
  method: 'POST',
  path: '/operator/treasury/address/{id}/remove',
  summary: 'Removes an address at once: nothing new is sent there.',
  access: 'operator.treasury',
  params: z.object({ id }),
  body: z.strictObject({ reason: operatorReason }),
  output: nothing,
  errors: ['nothingChanges'],
});

export const proposeFeeWithdrawal = call({
  name: 'proposeFeeWithdrawal',
  method: 'POST',
  path: '/operator/treasury/fee/{chainId}/{coin}/withdraw',
  summary:
    'Proposes to send the fees of a coin to an address of the book: one payment from each company’s address that holds at least the minimum, the largest first, 100 at most.',
  access: 'operator.treasury',
  params: z.object({ chainId, coin }),
  body: z.strictObject({ addressId: id, minimum: amountText, reason: operatorReason }),
  output: z.object({ proposalId: id, payments: z.number(), total: amount }),
  errors: [
    'feesNone',
    'amountFormat',
    'amountTooManyDecimals',
    'amountTooLarge',
    'treasuryAddressGone',
    'proposalOpen',
  ],
});

export const listFeePayments = call({
  name: 'listFeePayments',
  method: 'GET',
  path: '/operator/treasury/payment',
  summary: 'Payments of collected fees, newest first.',
  access: 'operator.view',
  query: z.strictObject({ ...pageQuery, proposalId: z.optional(id) }),
  output: page(
    z.object({
      id,
      proposalId: id,
      companyId: id,
      companyName: z.string(),
      chainId: z.string(),
      chainName: z.string(),
      coin: z.string(),
      quantity: z.string(),
      address: z.string(),
      label: z.string(),
      state: z.enum(feePaymentStates),
      hash: z.nullable(z.string()),
      explorerUrl: z.nullable(z.string()),
      at: instant,
      /** Why it was refused or has failed, in the reader's language. */
      problem: z.nullable(z.string()),
    }),
  ),
  errors: ['cursorInvalid'],
});

export const listSettlements = call({
  name: 'listSettlements',
  method: 'GET',
  path: '/operator/treasury/settlement',
  summary: 'Settlements of exchanged coins between companies’ addresses and the treasury, newest first.',
  access: 'operator.view',
  query: z.strictObject(pageQuery),
  output: page(
    z.object({
      id,
      companyId: id,
      companyName: z.string(),
      chainId: z.string(),
      chainName: z.string(),
      coin: z.string(),
      quantity: z.string(),
      /** In: to the company. None: its exchanges come to nothing, and no coins move. */
      direction: z.enum(settlementDirections),
      /** Sides of exchanges that it settles. */
      legs: z.number(),
      state: z.enum(feePaymentStates),
      hash: z.nullable(z.string()),
      explorerUrl: z.nullable(z.string()),
      at: instant,
      /** Why it was refused or has failed, in the reader's language. */
      problem: z.nullable(z.string()),
    }),
  ),
  errors: ['cursorInvalid'],
});
