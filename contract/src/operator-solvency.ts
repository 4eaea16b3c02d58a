import * as z from 'zod/mini';
import { call, nothing } from './call.ts';
import { asset, chainId, id, instant, page, pageQuery } from './ids.ts';

/** What companies are owed and what is held, at the midnight (UTC) that ended a day. Part of the feature operator. */

const day = z.iso.date('field.day');

/** In whole units of the asset; where nothing was recorded of the chains, only what is owed is known. */
export const solvencyAsset = z.object({
  asset,
  decimals: z.number(),
  owed: z.string(),
  /** Part of it: in wallets at banks, which no chain can show. */
  atBanks: z.string(),
  /** Held for companies at banks: as these stated it, less suspense and the operator’s own; null where none has reported of it. */
  heldAtBanks: z.nullable(z.string()),
  /** What each bank had stated by then, all that is there. */
  byBank: z.array(z.object({ bank: z.string(), quantity: z.string(), suspense: z.string() })),
  /** At the companies' addresses and in the treasury, on all chains. */
  held: z.nullable(z.string()),
  /** Part of it: in the treasury; null in reports of before there was one. */
  treasury: z.nullable(z.string()),
  byChain: z.array(z.object({ chain: chainId, quantity: z.string() })),
  /** Part of it: fees and advances, the operator's own. */
  own: z.string(),
  /** Part of it, signed: what the books have on the other side of midnight. */
  timing: z.nullable(z.string()),
  /** held - own - timing - (owed - atBanks), signed; and heldAtBanks - atBanks, once banks are compared. */
  difference: z.nullable(z.string()),
  /** In the gas tank, which is in none of the above. */
  tank: z.nullable(z.string()),
});
export type SolvencyAsset = z.output<typeof solvencyAsset>;

export const getSolvency = call({
  name: 'getSolvency',
  method: 'GET',
  path: '/operator/solvency',
  summary: 'What companies were owed and what was held at the end of a day; by default of the last day.',
  access: 'operator.view',
  query: z.strictObject({ day: z.optional(day) }),
  output: z.object({
    day,
    at: instant,
    /** The last day that has ended, and the first with a report. */
    lastDay: day,
    firstReport: z.nullable(day),
    companies: z.number(),
    assets: z.array(solvencyAsset),
    /** Null while the day has no report: then only what was owed is known. */
    report: z.nullable(
      z.object({
        digest: z.string(),
        root: z.string(),
        signedAt: z.nullable(instant),
        publicKey: z.nullable(z.string()),
        chains: z.array(
          z.object({
            chain: chainId,
            block: z.nullable(z.object({ height: z.number(), hash: z.string(), at: instant })),
            /** `movements`: from a later block and the movements recorded since. `none`: the chain had no block, or is watched no more. */
            source: z.enum(['nodes', 'movements', 'none']),
          }),
        ),
      }),
    ),
    /** How the nightly work goes; null before its first night. */
    night: z.nullable(
      z.object({
        day,
        triedAt: instant,
        problem: z.nullable(z.string()),
        /** The problem ends by itself: a chain needs time. */
        waiting: z.boolean(),
      }),
    ),
  }),
  errors: ['notFound'],
});
export type Solvency = z.output<typeof getSolvency.output>;

export const listSolvencySeries = call({
  name: 'listSolvencySeries',
  method: 'GET',
  path: '/operator/solvency/series',
  summary: 'An asset in the reports of the last 90 days, oldest first.',
  access: 'operator.view',
  query: z.strictObject({ asset }),
  output: z.object({
    items: z.array(z.object({ day, owed: z.string(), held: z.string(), difference: z.string() })),
  }),
  errors: [],
});

export const listSolvencyOwed = call({
  name: 'listSolvencyOwed',
  method: 'GET',
  path: '/operator/solvency/{day}/owed/{asset}',
  summary: 'What each company was owed of an asset at the end of a day, by name of the company.',
  access: 'operator.view',
  params: z.object({ day, asset }),
  query: z.strictObject(pageQuery),
  output: page(
    z.object({
      id,
      name: z.string(),
      available: z.string(),
      inTransfer: z.string(),
      arriving: z.string(),
      inEscrow: z.string(),
      total: z.string(),
      /** At its addresses and the operator's own: fees and advances. In no total. */
      own: z.string(),
    }),
  ),
  errors: ['cursorInvalid'],
});

export const listSolvencyHeld = call({
  name: 'listSolvencyHeld',
  method: 'GET',
  path: '/operator/solvency/{day}/held/{asset}',
  summary: 'What each of our addresses held of an asset at the last block of a day.',
  access: 'operator.view',
  params: z.object({ day, asset }),
  query: z.strictObject({
    ...pageQuery,
    chain: z.optional(chainId),
    owner: z.optional(z.enum(['company', 'operator'])),
  }),
  output: page(
    z.object({
      chain: chainId,
      address: z.string(),
      quantity: z.string(),
      isTreasury: z.boolean(),
      /** Null for the treasury and the gas tank. */
      company: z.nullable(z.object({ id, name: z.string() })),
    }),
  ),
  errors: ['cursorInvalid'],
});

export const listSolvencyTiming = call({
  name: 'listSolvencyTiming',
  method: 'GET',
  path: '/operator/solvency/{day}/timing/{asset}',
  summary: 'What the books had on the other side of midnight than the chain, posting by posting.',
  access: 'operator.view',
  params: z.object({ day, asset }),
  query: z.strictObject(pageQuery),
  output: page(
    z.object({
      id,
      company: z.object({ id, name: z.string() }),
      chain: chainId,
      kind: z.string(),
      source: id,
      quantity: z.string(),
      block: z.number(),
      postedAt: instant,
    }),
  ),
  errors: ['cursorInvalid'],
});

export const checkSolvency = call({
  name: 'checkSolvency',
  method: 'GET',
  path: '/operator/solvency/{day}/check',
  summary:
    'Computes again from the ledger what every company was owed at the end of a day, and compares it with the report.',
  access: 'operator.view',
  params: z.object({ day }),
  output: z.object({ companies: z.number(), different: z.array(z.object({ id, name: z.string() })) }),
  errors: [],
});

export const downloadSolvency = call({
  name: 'downloadSolvency',
  method: 'GET',
  path: '/operator/solvency/{day}/file',
  summary:
    'The full report of a day: every leaf, address and posting that it was made of (JSON), to be verified off-line with `npm run solvency:verify`.',
  access: 'operator.view',
  params: z.object({ day }),
  output: z.null(),
  answer: 'file',
  errors: [],
});

export const requestSolvency = call({
  name: 'requestSolvency',
  method: 'POST',
  path: '/operator/solvency/request',
  summary: 'Has the worker make the report that is due now, without the pause after a failure.',
  access: 'operator.queue',
  output: nothing,
  errors: [],
});
