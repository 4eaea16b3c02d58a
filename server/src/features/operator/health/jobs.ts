import { sql } from 'kysely';
import type { PlatformTx } from '../../../platform/database/database.ts';
import { invariant } from '../../../platform/domain-error.ts';
import type { JobDefinition } from '../../../platform/jobs/jobs.ts';
import { jobDecided } from './events.ts';

/** Carries out what operators decided about jobs that failed for good. Jobs may run twice without harm, by rule. */
export function jobDecisionJobs(): JobDefinition[] {
  return [
    {
      name: 'operator.decideJob',
      on: [jobDecided],
      async run({ database }, { jobId, act }) {
        invariant(typeof jobId === 'string', 'the event names its job');
        await database.withoutCompany((tx) => (act === 'retry' ? runAgain(tx, jobId) : putAside(tx, jobId)));
      },
    },
  ];
}

/** Only a job that has failed for good is begun again: one that was before is left alone. */
async function runAgain(tx: PlatformTx, jobId: string): Promise<void> {
  await sql`
    select graphile_worker.reschedule_jobs(array_agg(j.id), run_at := now(), attempts := 0)
    from graphile_worker._private_jobs j
    where j.id = ${jobId}::bigint and j.attempts >= j.max_attempts and j.locked_at is null having count(*) > 0`.execute(
    tx,
  );
  await sql`delete from failed_job where id = ${jobId}::bigint`.execute(tx);
}

async function putAside(tx: PlatformTx, jobId: string): Promise<void> {
  await sql`update failed_job set set_aside_at = now() where id = ${jobId}::bigint and set_aside_at is null`.execute(
    tx,
  );
}
