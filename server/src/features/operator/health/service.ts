import type { OutputInput, Query } from '@causeway/contract/call.ts';
import type { Locale } from '@causeway/contract/locale.ts';
import type * as calls from '@causeway/contract/operator-health.ts';
import { processNames, processSilentSeconds } from '@causeway/contract/operator-health-rules.ts';
import * as z from 'zod/mini';
import { audit } from '../../../platform/audit/record.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { readPage } from '../../../platform/database/list.ts';
import { announce } from '../../../platform/database/outbox.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import { newId } from '../../../platform/ids.ts';
import { actorOf, type OperatorContext } from '../../../platform/session.ts';
import { findChains } from '../../chains/index.ts';
import { isStale, sayRate, sourceName, staleAfterMs } from '../../rates/index.ts';
import { checkTitle, say } from '../queue/words.ts';
import { findCursors, findNodes } from '../treasury/store.ts';
import { jobDecided } from './events.ts';
import { sayFinding } from './findings.ts';
import {
  countFailedJobs,
  failedJobList,
  findChecks,
  findFailedJob,
  findLastVerifications,
  findMigrations,
  findProcesses,
  findRates,
  findReports,
  findTables,
  insertJobDecision,
  measureStorage,
  type ProcessRow,
  type ReportRow,
  summariseAudit,
  type VerificationRow,
  verificationList,
} from './store.ts';

/** How the installation is, from what its processes reported. */

const reportOf = {
  jobs: z.object({
    jobs: z.array(
      z.object({
        name: z.string(),
        waiting: z.number(),
        running: z.number(),
        retrying: z.number(),
        failed: z.number(),
        oldestAt: z.nullable(z.string()),
      }),
    ),
  }),
  outbox: z.object({ rows: z.number(), oldestAt: z.nullable(z.string()) }),
  files: z.object({ freeBytes: z.number(), totalBytes: z.number() }),
  archive: z.object({
    archive: z.nullable(
      z.object({ lastAt: z.nullable(z.string()), failed: z.number(), lastFailedAt: z.nullable(z.string()) }),
    ),
  }),
};

export async function get(tx: Tx, { clock, locale }: OperatorContext): Promise<OutputInput<typeof calls.getHealth>> {
  const processes = await findProcesses(tx);
  const migrations = await findMigrations(tx);
  const checks = await findChecks(tx);
  const reports = await findReports(tx);
  const chains = await findChains(tx);
  const jobs = reportIn(reports, 'jobs');
  const cursors = new Map((await findCursors(tx)).map((cursor) => [cursor.chainId, cursor]));
  const nodes = await findNodes(tx);
  const verifications = await findLastVerifications(tx);
  const storage = await measureStorage(tx);
  const files = reportIn(reports, 'files');
  const running = processes.filter((row) => !isSilent(row));
  const rates = await findRates(tx);
  return {
    processes: processes.map(shownProcess),
    missing: processNames.filter((name) => !running.some((row) => row.name === name)),
    versionsDiffer: new Set(running.map(({ version, commit }) => `${version} ${commit ?? ''}`)).size > 1,
    migration: migrations.last,
    migrations: migrations.count,
    checks: checks.map(({ said, since, checkedAt, reason, ...check }) => ({
      ...check,
      title: checkTitle(locale, check.name, chains.find(({ id }) => id === check.name.split(':')[1])?.name),
      reason: say(locale, said) ?? reason,
      since: since.toISOString(),
      checkedAt: checkedAt.toISOString(),
    })),
    reportedAt: reports.find(({ name }) => name === 'jobs')?.reportedAt.toISOString() ?? null,
    outbox: reportIn(reports, 'outbox'),
    jobs: jobs?.jobs ?? [],
    chains: chains.map(({ id, name }) => ({
      id,
      name,
      readHeight: cursors.get(id)?.height ?? null,
      readAt: cursors.get(id)?.at.toISOString() ?? null,
      headHeight: nodes
        .filter(({ chainId }) => chainId === id)
        .reduce<number | null>((most, { height }) => (height === null ? most : Math.max(most ?? 0, height)), null),
    })),
    verifications: verifications.map((row) => shownVerification(row, locale)),
    audit: await summariseAudit(tx),
    failedJobs: await countFailedJobs(tx),
    rates: { count: rates.length, stale: rates.filter(({ updatedAt }) => isTooOld(updatedAt, clock.now())).length },
    storage: {
      databaseBytes: storage.databaseBytes,
      databasePerDay: storage.perDay,
      files: files && { usedBytes: storage.fileBytes, ...files },
      archive: reportIn(reports, 'archive')?.archive ?? null,
    },
  };
}

function isSilent({ silentSeconds }: ProcessRow): boolean {
  return silentSeconds > processSilentSeconds;
}

function shownProcess(row: ProcessRow) {
  const { silentSeconds: _, startedAt, seenAt, ...known } = row;
  return { ...known, startedAt: startedAt.toISOString(), seenAt: seenAt.toISOString(), silent: isSilent(row) };
}

function shownVerification({ startedAt, endedAt, findings, ...row }: VerificationRow, locale: Locale) {
  return {
    ...row,
    findings: findings.map((finding) => sayFinding(locale, finding)),
    startedAt: startedAt.toISOString(),
    endedAt: endedAt.toISOString(),
  };
}

/** Null before the first report, and where another version of the worker reports in another form. */
function reportIn<N extends keyof typeof reportOf>(
  reports: readonly ReportRow[],
  name: N,
): z.output<(typeof reportOf)[N]> | null {
  const found = reports.find((row) => row.name === name);
  const parsed = reportOf[name].safeParse(found?.report);
  return parsed.success ? (parsed.data as z.output<(typeof reportOf)[N]>) : null;
}

/** @returns the rates of all assets but the US dollar, which is worth itself */
export async function listRates(
  tx: Tx,
  { clock }: OperatorContext,
): Promise<OutputInput<typeof calls.listMarketRates>> {
  const now = clock.now();
  return {
    limitSeconds: staleAfterMs / 1000,
    items: (await findRates(tx)).map(({ asset, usd, source, updatedAt }) => ({
      asset,
      usd: usd === null ? null : sayRate(usd),
      source: source === null ? null : sourceName(source),
      updatedAt: updatedAt?.toISOString() ?? null,
      stale: isTooOld(updatedAt, now),
    })),
  };
}

function isTooOld(updatedAt: Date | null, now: Date): boolean {
  return updatedAt === null || isStale({ updatedAt }, now);
}

export async function tables(tx: Tx): Promise<OutputInput<typeof calls.listTables>> {
  return { tables: await findTables(tx) };
}

/** @throws DomainError cursorInvalid */
export async function listRuns(
  tx: Tx,
  { locale }: OperatorContext,
  query: Query<typeof calls.listVerifications>,
): Promise<OutputInput<typeof calls.listVerifications>> {
  const page = await readPage(tx, verificationList, query, undefined);
  return { ...page, items: page.items.map((row) => shownVerification(row, locale)) };
}

/** @throws DomainError cursorInvalid */
export async function listFailed(
  tx: Tx,
  _context: OperatorContext,
  query: Query<typeof calls.listFailedJobs>,
): Promise<OutputInput<typeof calls.listFailedJobs>> {
  const page = await readPage(tx, failedJobList, query, { aside: query.aside !== undefined });
  return {
    ...page,
    items: page.items.map(({ act, decidedBy, decidedAt, decisionReason, failedAt, ...job }) => ({
      ...job,
      failedAt: failedAt.toISOString(),
      decision:
        act === null || decidedAt === null
          ? null
          : { act, by: decidedBy ?? '', at: decidedAt.toISOString(), reason: decisionReason ?? '' },
    })),
  };
}

interface Decided {
  jobId: string;
  reason: string;
}

/** @throws DomainError jobNotFailed */
export async function retry(tx: Tx, context: OperatorContext, decided: Decided): Promise<void> {
  await decide(tx, context, 'retry', decided);
}

/** @throws DomainError jobNotFailed */
export async function setAside(tx: Tx, context: OperatorContext, decided: Decided): Promise<void> {
  await decide(tx, context, 'setAside', decided);
}

/** The worker carries it out: the console has no right to the queue. */
async function decide(
  tx: Tx,
  context: OperatorContext,
  act: 'retry' | 'setAside',
  { jobId, reason }: Decided,
): Promise<void> {
  const job = await findFailedJob(tx, jobId);
  if (!job) throw new DomainError('jobNotFailed');
  await insertJobDecision(tx, { id: newId(), jobId, act, reason, operatorId: context.session.userId });
  await audit(tx, {
    actor: actorOf(context),
    action: act === 'retry' ? 'operator.retryJob' : 'operator.setJobAside',
    subjectKind: 'job',
    subjectId: jobId,
    detail: { job: job.name, reason },
  });
  await announce(tx, [{ name: jobDecided, payload: { jobId, act } }]);
}
