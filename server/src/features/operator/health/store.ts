import { listFailedJobs, listVerifications } from '@causeway/contract/operator-health.ts';
import type { ProcessName, VerificationKind, VerificationResult } from '@causeway/contract/operator-health-rules.ts';
import { valuationCurrency } from '@causeway/contract/rates.ts';
import { type RawBuilder, sql } from 'kysely';
import type { PlatformTx, Tx } from '../../../platform/database/database.ts';
import { defineList } from '../../../platform/database/list.ts';
import type { Finding } from './findings.ts';

/** What the console reads of the installation's health: what processes and the worker reported, and the database of itself. */

export interface ProcessRow {
  id: string;
  name: ProcessName;
  version: string;
  commit: string | null;
  host: string;
  pid: number;
  startedAt: Date;
  seenAt: Date;
  silentSeconds: number;
}

export async function findProcesses(tx: PlatformTx): Promise<ProcessRow[]> {
  const { rows } = await sql<ProcessRow>`
    select id, name, version, commit, host, pid, started_at as "startedAt", seen_at as "seenAt",
      extract(epoch from now() - seen_at)::float8 as "silentSeconds"
    from process_heartbeat order by name, seen_at desc, id`.execute(tx);
  return rows;
}

export async function findMigrations(tx: PlatformTx): Promise<{ last: string | null; count: number }> {
  const { rows } = await sql<{ last: string | null; count: number }>`
    select max(name) as last, count(*)::integer as count from causeway_migration.done`.execute(tx);
  return rows[0] ?? { last: null, count: 0 };
}

export interface CheckRow {
  name: string;
  ok: boolean;
  /** In English. */
  reason: string | null;
  /** The same as a sentence by its id; null from a worker of a release before. */
  said: unknown;
  since: Date;
  checkedAt: Date;
}

export async function findChecks(tx: PlatformTx): Promise<CheckRow[]> {
  const { rows } = await sql<CheckRow>`
    select name, state = 'ok' as ok, reason, said, since, checked_at as "checkedAt" from component_state
    order by state = 'ok', name`.execute(tx);
  return rows;
}

export interface ReportRow {
  name: string;
  report: unknown;
  reportedAt: Date;
}

export async function findReports(tx: PlatformTx): Promise<ReportRow[]> {
  const { rows } = await sql<ReportRow>`
    select name, report, reported_at as "reportedAt" from installation_report`.execute(tx);
  return rows;
}

export interface VerificationRow {
  id: string;
  kind: VerificationKind;
  chainId: string | null;
  startedAt: Date;
  endedAt: Date;
  result: VerificationResult;
  checked: number;
  differences: number;
  findings: Finding[];
}

const verificationColumns =
  sql<VerificationRow>`v.id, v.kind, v.chain_id as "chainId", v.started_at as "startedAt", v.ended_at as "endedAt",
  v.result, v.checked, v.differences, v.findings` as RawBuilder<VerificationRow>;

/** The last of each kind and chain. */
export async function findLastVerifications(tx: PlatformTx): Promise<VerificationRow[]> {
  const { rows } = await sql<VerificationRow>`
    select distinct on (v.kind, v.chain_id) ${verificationColumns} from verification v
    order by v.kind desc, v.chain_id, v.ended_at desc`.execute(tx);
  return rows;
}

export const verificationList = defineList(listVerifications, {
  from: () => sql`verification v`,
  where: () => sql`true`,
  filters: {
    kind: (kind) => sql`v.kind = ${kind}`,
    result: (result) => sql`v.result = ${result}`,
  },
  columns: () => verificationColumns,
  orders: { time: { by: sql`v.ended_at`, kind: 'time' } },
  first: { sort: 'time', order: 'desc' },
  id: sql`v.id`,
});

export async function summariseAudit(
  tx: PlatformTx,
): Promise<{ logs: number; unsigned: number; unsealed: number; lastSignedAt: string | null }> {
  const { rows } = await sql<{ logs: number; unsigned: number; unsealed: number; lastSignedAt: string | null }>`
    select count(*)::integer as logs, coalesce(sum(c.seq - coalesce(k.seq, 0)), 0)::bigint as unsigned,
      (select count(*) from audit_unsealed)::bigint as unsealed, max(k.signed_at) as "lastSignedAt"
    from audit_chain c left join lateral (
      select seq, signed_at from audit_checkpoint k where k.company_id = c.company_id order by seq desc limit 1) k on true`.execute(
    tx,
  );
  return rows[0] ?? { logs: 0, unsigned: 0, unsealed: 0, lastSignedAt: null };
}

export interface FailedJobRow {
  id: string;
  name: string;
  companyId: string | null;
  companyName: string | null;
  attempts: number;
  error: string | null;
  failedAt: Date;
  act: 'retry' | 'setAside' | null;
  decidedBy: string | null;
  decidedAt: Date | null;
  decisionReason: string | null;
}

export const failedJobList = defineList(listFailedJobs, {
  from: () => sql`failed_job j
    left join company y on y.company_id = j.company_id
    left join lateral (
      select d.act, o.name as by, d.at, d.reason from operator_job_decision d join operator_account o on o.id = d.operator_id
      where d.job_id = j.id and d.at >= j.failed_at order by d.at desc limit 1) d on true`,
  where: ({ aside }: { aside: boolean }) => (aside ? sql`true` : sql`j.set_aside_at is null`),
  filters: {
    aside: () => sql`j.set_aside_at is not null`,
    mail: () => sql`j.name ilike '%mail%'`,
  },
  columns: () =>
    sql`j.id::text, j.name, y.company_id as "companyId", y.name as "companyName", j.attempts, j.error, j.failed_at as "failedAt",
      d.act, d.by as "decidedBy", d.at as "decidedAt", d.reason as "decisionReason"` as RawBuilder<FailedJobRow>,
  orders: { time: { by: sql`j.failed_at`, kind: 'time' } },
  first: { sort: 'time', order: 'desc' },
  id: sql`j.id`,
});

export async function countFailedJobs(tx: PlatformTx): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from failed_job where set_aside_at is null`.execute(tx);
  return rows[0]?.count ?? 0;
}

export async function findFailedJob(tx: PlatformTx, id: string): Promise<{ name: string } | null> {
  const { rows } = await sql<{ name: string }>`
    select name from failed_job where id = ${id}::bigint and set_aside_at is null`.execute(tx);
  return rows[0] ?? null;
}

export async function insertJobDecision(
  tx: Tx,
  decision: { id: string; jobId: string; act: 'retry' | 'setAside'; reason: string; operatorId: string },
): Promise<void> {
  await sql`
    insert into operator_job_decision (id, job_id, act, reason, operator_id)
    values (${decision.id}, ${decision.jobId}::bigint, ${decision.act}, ${decision.reason}, ${decision.operatorId})`.execute(
    tx,
  );
}

export interface RateRow {
  asset: string;
  usd: string | null;
  source: string | null;
  updatedAt: Date | null;
}

/** Of each asset of the installation; the US dollar has none, since it is what rates are in. */
export async function findRates(tx: PlatformTx): Promise<RateRow[]> {
  const { rows } = await sql<RateRow>`
    select a.id as asset, r.usd::text, r.source, r.updated_at as "updatedAt" from asset a left join rate r on r.asset_id = a.id
    where a.id <> ${valuationCurrency} and (a.kind <> 'coin' or exists (select from chain_asset ca where ca.coin = a.id))
    order by a.kind <> 'coin', a.id`.execute(tx);
  return rows;
}

export interface TableRow {
  name: string;
  bytes: number;
  rows: number;
  perDay: number | null;
}

/** Growth from the first to the last of the last eight days; null with one day alone. */
const growth = sql`
  select name, case when max(day) > min(day)
    then ((array_agg(bytes order by day desc))[1] - (array_agg(bytes order by day))[1]) / (max(day) - min(day)) end::bigint as per_day
  from storage_day where day > current_date - 8 group by name`;

export async function findTables(tx: PlatformTx): Promise<TableRow[]> {
  const { rows } = await sql<TableRow>`
    select c.relname as name, pg_total_relation_size(c.oid) as bytes, greatest(c.reltuples, 0)::bigint as rows, g.per_day as "perDay"
    from pg_class c left join (${growth}) g on g.name = c.relname
    where c.relnamespace = 'causeway'::regnamespace and c.relkind in ('r', 'p') order by 2 desc, 1 limit 20`.execute(
    tx,
  );
  return rows;
}

export async function measureStorage(
  tx: PlatformTx,
): Promise<{ databaseBytes: number; perDay: number | null; fileBytes: number }> {
  const { rows } = await sql<{ databaseBytes: number; perDay: number | null; fileBytes: number }>`
    select pg_database_size(current_database()) as "databaseBytes", (select per_day from (${growth}) g where g.name = '') as "perDay",
      (select coalesce(sum(size_bytes), 0)::bigint from file) as "fileBytes"`.execute(tx);
  return rows[0] ?? { databaseBytes: 0, perDay: null, fileBytes: 0 };
}
