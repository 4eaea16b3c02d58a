import * as z from 'zod/mini';
import { call, nothing } from './call.ts';
import { asset, id, instant, page, pageQuery } from './ids.ts';
import { support } from './live.ts';
import { operatorReason } from './operator.ts';
import { processNames, verificationKinds, verificationResults } from './operator-health-rules.ts';

/** How the installation is: processes, checks, queues, verifications, storage. Part of the feature operator. */

export * from './operator-health-rules.ts';

export const verification = z.object({
  id,
  kind: z.enum(verificationKinds),
  /** The chain; null for what is no chain's. */
  chainId: z.nullable(z.string()),
  startedAt: instant,
  endedAt: instant,
  result: z.enum(verificationResults),
  /** Accounts, wallets or audit logs that were looked at. */
  checked: z.number(),
  differences: z.number(),
  /** The first differences, or why it could not be compared. */
  findings: z.array(z.string()),
});
export type Verification = z.output<typeof verification>;

const runningProcess = z.object({
  id,
  name: z.enum(processNames),
  version: z.string(),
  commit: z.nullable(z.string()),
  host: z.string(),
  pid: z.number(),
  startedAt: instant,
  seenAt: instant,
  /** It has not reported for two minutes. */
  silent: z.boolean(),
});

export const getHealth = call({
  name: 'getHealth',
  method: 'GET',
  path: '/operator/health',
  summary: 'Processes and their versions, checks, queues, how far chains are read, last verifications, storage.',
  access: 'operator.view',
  output: z.object({
    processes: z.array(runningProcess),
    /** Processes of which none reports. */
    missing: z.array(z.enum(processNames)),
    versionsDiffer: z.boolean(),
    /** The last migration that ran. */
    migration: z.nullable(z.string()),
    migrations: z.number(),
    checks: z.array(
      z.object({
        name: z.string(),
        /** The same in words. */
        title: z.string(),
        ok: z.boolean(),
        /** Why it fails, in words. */
        reason: z.nullable(z.string()),
        since: instant,
        checkedAt: instant,
      }),
    ),
    /** When the worker last reported queues and outbox; null before the first report. */
    reportedAt: z.nullable(instant),
    outbox: z.nullable(z.object({ rows: z.number(), oldestAt: z.nullable(instant) })),
    jobs: z.array(
      z.object({
        name: z.string(),
        waiting: z.number(),
        running: z.number(),
        /** Waiting for another try after a failure. */
        retrying: z.number(),
        failed: z.number(),
        oldestAt: z.nullable(instant),
      }),
    ),
    chains: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        readHeight: z.nullable(z.number()),
        readAt: z.nullable(instant),
        /** The highest of its nodes. */
        headHeight: z.nullable(z.number()),
      }),
    ),
    verifications: z.array(verification),
    audit: z.object({
      logs: z.number(),
      /** Entries that are not under a signature yet. */
      unsigned: z.number(),
      unsealed: z.number(),
      lastSignedAt: z.nullable(instant),
    }),
    failedJobs: z.number(),
    /** Market rates, and those of them that are too old or missing. */
    rates: z.object({ count: z.number(), stale: z.number() }),
    storage: z.object({
      databaseBytes: z.number(),
      /** Over the last seven days; null before there are two days. */
      databasePerDay: z.nullable(z.number()),
      files: z.nullable(z.object({ usedBytes: z.number(), freeBytes: z.number(), totalBytes: z.number() })),
      /** PostgreSQL's archive of its log; null where archiving is off. */
      archive: z.nullable(
        z.object({ lastAt: z.nullable(instant), failed: z.number(), lastFailedAt: z.nullable(instant) }),
      ),
    }),
  }),
  errors: [],
});

export const getSupportShown = call({
  name: 'getSupportShown',
  method: 'GET',
  path: '/operator/health/support',
  summary: 'The support contact that companies see, from the settings of this installation.',
  access: 'operator.view',
  output: support,
  errors: [],
});

export const listMarketRates = call({
  name: 'listMarketRates',
  method: 'GET',
  path: '/operator/health/rate',
  summary:
    'The market rate of each asset by which amounts are valued: its source, and whether it is too old to decide by.',
  access: 'operator.view',
  output: z.object({
    /** A rate that is older decides nothing. */
    limitSeconds: z.number(),
    items: z.array(
      z.object({
        asset,
        /** US dollars a whole unit; null while no source has named one. */
        usd: z.nullable(z.string()),
        source: z.nullable(z.string()),
        updatedAt: z.nullable(instant),
        stale: z.boolean(),
      }),
    ),
  }),
  errors: [],
});
export type MarketRates = z.output<typeof listMarketRates.output>;

export const listTables = call({
  name: 'listTables',
  method: 'GET',
  path: '/operator/health/table',
  summary: 'The largest tables of the database, with their growth over the last seven days.',
  access: 'operator.view',
  output: z.object({
    tables: z.array(
      z.object({ name: z.string(), bytes: z.number(), rows: z.number(), perDay: z.nullable(z.number()) }),
    ),
  }),
  errors: [],
});

export const listVerifications = call({
  name: 'listVerifications',
  method: 'GET',
  path: '/operator/health/verification',
  summary: 'What was verified, newest first.',
  access: 'operator.view',
  query: z.strictObject({
    ...pageQuery,
    kind: z.optional(z.enum(verificationKinds)),
    result: z.optional(z.enum(verificationResults)),
  }),
  output: page(verification),
  errors: ['cursorInvalid'],
});

export const listFailedJobs = call({
  name: 'listFailedJobs',
  method: 'GET',
  path: '/operator/health/job',
  summary: 'Jobs that were tried as often as they may be, newest first; those set aside only where they are asked for.',
  access: 'operator.view',
  query: z.strictObject({
    ...pageQuery,
    aside: z.optional(z.literal('yes')),
    /** Those that send mail. */
    mail: z.optional(z.literal('yes')),
  }),
  output: page(
    z.object({
      id: z.string(),
      name: z.string(),
      companyId: z.nullable(id),
      companyName: z.nullable(z.string()),
      attempts: z.number(),
      error: z.nullable(z.string()),
      failedAt: instant,
      /** What an operator has decided about it, and why; the worker carries it out. */
      decision: z.nullable(
        z.object({ act: z.enum(['retry', 'setAside']), by: z.string(), at: instant, reason: z.string() }),
      ),
    }),
  ),
  errors: ['cursorInvalid'],
});

const jobId = z.string().check(z.regex(/^[1-9]\d{0,17}$/, 'field.invalid'));

export const retryJob = call({
  name: 'retryJob',
  method: 'POST',
  path: '/operator/health/job/{jobId}/retry',
  summary: 'Has a failed job run again; every job may run twice without harm.',
  access: 'operator.exception',
  params: z.object({ jobId }),
  body: z.strictObject({ reason: operatorReason }),
  output: nothing,
  errors: ['jobNotFailed'],
});

export const setJobAside = call({
  name: 'setJobAside',
  method: 'POST',
  path: '/operator/health/job/{jobId}/set-aside',
  summary: 'Sets a failed job aside with a reason: it stays where it is and needs no one any more.',
  access: 'operator.exception',
  params: z.object({ jobId }),
  body: z.strictObject({ reason: operatorReason }),
  output: nothing,
  errors: ['jobNotFailed'],
});
