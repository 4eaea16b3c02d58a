import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../testing/database.ts';
import { newId } from '../ids.ts';
import { keepFailedJobs, keepStates, keepWaitingJobs } from './component-states.ts';

let db: TestDatabase;
let superuser: pg.Client;
beforeAll(async () => {
  db = await testDatabase();
  superuser = new pg.Client({ connectionString: db.superuserUrl });
  await superuser.connect();
});
afterAll(async () => {
  await superuser.end();
  await db.close();
});

const states = () =>
  db.console.withoutCompany(async (tx) => {
    const { rows } = await sql<{ name: string; state: string; reason: string | null; since: Date; at: Date }>`
      select name, state, reason, since, checked_at as at from component_state order by name`.execute(tx);
    return rows;
  });

test('the time of a change stays until the next one; a check that is gone is removed', async () => {
  const report = (checks: Parameters<typeof keepStates>[1]) => db.worker.withoutCompany((tx) => keepStates(tx, checks));
  const failed = (reason: string) =>
    ({
      state: 'failed',
      need: 'degraded',
      reason,
      said: { id: 'health.reason.code', values: { code: reason } },
    }) as const;
  await report({ mail: { state: 'ok' }, signer: { state: 'ok' } });
  await report({ mail: failed('ECONNREFUSED'), signer: { state: 'ok' } });
  const first = await states();
  expect(first).toMatchObject([
    { name: 'mail', state: 'failed', reason: 'ECONNREFUSED' },
    { name: 'signer', state: 'ok', reason: null },
  ]);
  await report({ mail: failed('no answer') });
  const then = await states();
  expect(then).toMatchObject([{ name: 'mail', reason: 'no answer', since: first[0]?.since }]);
  expect(then[0]?.at.getTime()).toBeGreaterThan(first[0]?.at.getTime() ?? 0);
  await report({ mail: { state: 'ok' } });
  expect((await states())[0]?.since.getTime()).toBeGreaterThan(first[0]?.since.getTime() ?? 0);
});

test('jobs that failed for good are listed without their payload, until they run again', async () => {
  const companyId = newId();
  const add = (name: string, most: number) =>
    superuser.query('select graphile_worker.add_job($1::text, $2::json, max_attempts => $3::int)', [
      name,
      JSON.stringify({ companyId, payload: { secret: 'x' } }),
      most,
    ]);
  await add('outgoing.send', 1);
  await add('notices.mail', 25);
  await superuser.query("update graphile_worker._private_jobs set attempts = 1, last_error = repeat('e', 900)");
  const failed = async () => {
    await db.worker.withoutCompany(keepFailedJobs);
    const { rows } = await db.console.withoutCompany((tx) =>
      sql<{ name: string; companyId: string; length: number }>`
        select name, company_id as "companyId", length(error) as length from failed_job`.execute(tx),
    );
    return rows;
  };
  expect(await failed()).toEqual([{ name: 'outgoing.send', companyId, length: 500 }]);
  await superuser.query('update graphile_worker._private_jobs set attempts = 0');
  expect(await failed()).toEqual([]);
});

test('jobs that wait are listed with the ids that they name and nothing else of their payload, as long as they are there', async () => {
  await superuser.query('delete from graphile_worker._private_jobs');
  const [companyId, about] = [newId(), newId()];
  await superuser.query('select graphile_worker.add_job($1::text, $2::json, max_attempts => 5)', [
    'outgoing.send',
    JSON.stringify({ companyId, payload: { transferId: about, secret: 'not for the console' } }),
  ]);
  const waiting = async () => {
    await db.worker.withoutCompany(keepWaitingJobs);
    const { rows } = await db.console.withoutCompany((tx) =>
      sql`select name, company_id as company, about, attempts, max_attempts as most, error from waiting_job`.execute(
        tx,
      ),
    );
    return rows;
  };
  const job = { name: 'outgoing.send', company: companyId, about: [about], attempts: 0, most: 5, error: null };
  expect(await waiting()).toEqual([job]);
  await superuser.query("update graphile_worker._private_jobs set attempts = 2, last_error = repeat('e', 900)");
  expect(await waiting()).toEqual([{ ...job, attempts: 2, error: 'e'.repeat(500) }]);
  await superuser.query('delete from graphile_worker._private_jobs');
  expect(await waiting()).toEqual([]);
});
