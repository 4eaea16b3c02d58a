import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { sql } from 'kysely';
import { Gauge } from 'prom-client';
import type { Database, PlatformTx } from '../database/database.ts';
import { migrationFiles } from '../database/migration-files.ts';
import { type HealthCheck, HealthProblem } from './health.ts';
import { registry } from './metrics.ts';

/** The checks of what every process, or the worker, has from the platform. */

const gaugeOf = (name: string, help: string) => new Gauge({ name, help, registers: [registry] });
const outboxRows = gaugeOf('causeway_outbox_rows', 'Events that wait for the relay, counted up to 10,000');
const outboxAge = gaugeOf('causeway_outbox_oldest_seconds', 'Age of the oldest event that waits for the relay');
const jobsDue = gaugeOf('causeway_jobs_due', 'Jobs that are due and not running, counted up to 10,000');
const jobsAge = gaugeOf('causeway_jobs_oldest_due_seconds', 'How long the oldest due job has been due');
const jobsFailed = gaugeOf('causeway_jobs_failed_for_good', 'Jobs that were tried as often as they may be, and stay');

/** Older than this, an event or a due job shows that the worker does not keep up. */
const lateAfterSeconds = 60;

/** The database responds and takes writes. */
export function databaseCheck(database: Database): HealthCheck {
  return {
    name: 'database',
    need: 'needed',
    async check() {
      const { rows } = await database.pool.query<{ transaction_read_only: string }>('show transaction_read_only');
      if (rows[0]?.transaction_read_only !== 'off') throw new HealthProblem('databaseReadOnly');
    },
  };
}

/** The schema holds every migration of this version, unchanged; it may hold those of a newer one. */
export function migrationsCheck(database: Database): HealthCheck {
  return {
    name: 'migrations',
    need: 'needed',
    keepMs: 30_000,
    async check() {
      const { rows } = await database.pool.query<{ name: string; sha256: string }>(
        'select name, sha256 from causeway_migration.done',
      );
      const done = new Map(rows.map(({ name, sha256 }) => [name, sha256]));
      const missing = migrationFiles().filter(({ name, sha256 }) => done.get(name) !== sha256);
      if (missing.length > 0) throw new HealthProblem('migrations', { count: missing.length });
    },
  };
}

/** The directory of files is there and can be written to. */
export function fileStoreCheck(directory: string): HealthCheck {
  return {
    name: 'file-store',
    need: 'degraded',
    async check() {
      const found = await stat(directory);
      if (!found.isDirectory()) throw new HealthProblem('noDirectory');
      await access(directory, constants.R_OK | constants.W_OK | constants.X_OK);
    },
  };
}

interface Backlog {
  count: number;
  /** Seconds; 0 when nothing waits. */
  age: number;
}

export function relayCheck(database: Database): HealthCheck {
  return {
    name: 'relay',
    need: 'degraded',
    async check() {
      const { count, age } = await database.withoutCompany(outboxBacklog);
      outboxRows.set(count);
      outboxAge.set(age);
      if (age > lateAfterSeconds) throw new HealthProblem('outbox', { seconds: Math.round(age) });
    },
  };
}

async function outboxBacklog(tx: PlatformTx): Promise<Backlog> {
  const { rows } = await sql<Backlog>`
    select count(*) as count,
      coalesce(extract(epoch from now() - min(uuid_extract_timestamp(id))), 0)::float8 as age
    from (select id from outbox order by id limit 10000) as waiting`.execute(tx);
  return rows[0] ?? { count: 0, age: 0 };
}

export function jobsCheck(database: Database): HealthCheck {
  return {
    name: 'jobs',
    need: 'degraded',
    async check() {
      const { due } = await database.withoutCompany(jobBacklog);
      jobsDue.set(due.count);
      jobsAge.set(due.age);
      if (due.age > lateAfterSeconds) throw new HealthProblem('jobs', { seconds: Math.round(due.age) });
    },
  };
}

/** Apart from the backlog: each such job is an item of the operator's queue. */
export function failedJobsCheck(database: Database): HealthCheck {
  return {
    name: 'failed-jobs',
    need: 'degraded',
    async check() {
      const { failed } = await database.withoutCompany(jobBacklog);
      jobsFailed.set(failed);
      if (failed > 0) throw new HealthProblem('failedJobs', { count: failed });
    },
  };
}

async function jobBacklog(tx: PlatformTx): Promise<{ due: Backlog; failed: number }> {
  const { rows } = await sql<Backlog & { failed: number }>`
    select count(*) filter (where attempts < max_attempts) as count,
      coalesce(extract(epoch from now() - min(run_at) filter (where attempts < max_attempts)), 0)::float8 as age,
      count(*) filter (where attempts >= max_attempts and not is_aside) as failed
    from (
      select attempts, max_attempts, run_at,
        exists (select from failed_job f where f.id = j.id and f.set_aside_at is not null) as is_aside
      from graphile_worker._private_jobs j
      where locked_at is null and run_at <= now() limit 10000
    ) as waiting`.execute(tx);
  const row = rows[0] ?? { count: 0, age: 0, failed: 0 };
  return { due: { count: row.count, age: row.age }, failed: row.failed };
}
