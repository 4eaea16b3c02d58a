import { sql } from 'kysely';
import type { Database, PlatformTx } from '../database/database.ts';
import { type Loop, startLoop } from '../jobs/loop.ts';
import type { Health } from './health.ts';
import type { Log } from './log.ts';

/**
 * The worker writes the results of its health checks, and which jobs wait or have failed for good, to small tables: the operator's console has
 * no way to its health port, and no right to the job queue's tables.
 */

const everyMs = 30_000;
/** An error of a library can be a page long. */
const errorLength = 500;

/** One worker at a time reports, so that two which see different things do not overwrite each other. */
export function startReporting(database: Database, health: Pick<Health, 'state'>, log: Log): Loop {
  return startLoop({
    name: 'platform.report',
    everyMs,
    log,
    alone: { database, lock: 'platform.report' },
    async step() {
      const { checks } = await health.state();
      await database.withoutCompany(async (tx) => {
        await keepStates(tx, checks);
        await keepFailedJobs(tx);
        await keepWaitingJobs(tx);
      });
    },
  });
}

type Checks = Awaited<ReturnType<Health['state']>>['checks'];

/** Writes each check's state; the time of a change stays until the next one. Checks that are no longer made are removed. */
export async function keepStates(tx: PlatformTx, checks: Checks): Promise<void> {
  const names = Object.keys(checks);
  const states = Object.values(checks);
  const reasons = states.map((state) => (state.state === 'failed' ? state.reason : null));
  const said = states.map((state) => (state.state === 'failed' ? JSON.stringify(state.said) : null));
  await sql`
    insert into component_state as c (name, state, reason, said)
    select * from unnest(${names}::text[], ${states.map(({ state }) => state)}::text[], ${reasons}::text[], ${said}::jsonb[])
    on conflict (name) do update set state = excluded.state, reason = excluded.reason, said = excluded.said, checked_at = now(),
      since = case when c.state = excluded.state then c.since else now() end`.execute(tx);
  await sql`delete from component_state where name <> all (${names}::text[])`.execute(tx);
}

/** The jobs that were tried as often as they may be, as they are now. */
export async function keepFailedJobs(tx: PlatformTx): Promise<void> {
  await sql`
    insert into failed_job (id, name, company_id, attempts, error, failed_at)
    select j.id, t.identifier, (j.payload ->> 'companyId')::uuid, j.attempts, left(j.last_error, ${errorLength}), j.updated_at
    from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
    where j.attempts >= j.max_attempts and j.locked_at is null
    on conflict (id) do nothing`.execute(tx);
  await sql`
    delete from failed_job f where not exists (select from graphile_worker._private_jobs j
      where j.id = f.id and j.attempts >= j.max_attempts and j.locked_at is null)`.execute(tx);
}

/** Of more jobs than these the oldest are reported. */
const mostWaiting = 5000;
const anyId = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';

/** The jobs that the queue holds now: those that wait, are tried again, or were tried as often as they may be. Of the payload only its ids. */
export async function keepWaitingJobs(tx: PlatformTx): Promise<void> {
  await sql`
    with held as (
      select j.*, t.identifier from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
      order by j.id limit ${mostWaiting}
    ), kept as (
      insert into waiting_job as w (id, name, company_id, about, attempts, max_attempts, error, queued_at, run_at)
      select h.id, h.identifier, (h.payload ->> 'companyId')::uuid,
        array(select distinct found[1]::uuid from regexp_matches(h.payload ->> 'payload', ${anyId}, 'g') as found),
        h.attempts, h.max_attempts, left(h.last_error, ${errorLength}), h.created_at, h.run_at
      from held h
      on conflict (id) do update set attempts = excluded.attempts, error = excluded.error, run_at = excluded.run_at
        where (w.attempts, w.run_at) <> (excluded.attempts, excluded.run_at)
    )
    delete from waiting_job w where not exists (select from held h where h.id = w.id)`.execute(tx);
}
