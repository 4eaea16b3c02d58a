import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type TestDatabase, testDatabase } from '../../testing/database.ts';
import { openDatabase } from '../database/database.ts';
import { mailCheck, smtpMailer } from '../text/mail.ts';
import { createHealth, HealthProblem, serveHealth } from './health.ts';
import {
  databaseCheck,
  failedJobsCheck,
  fileStoreCheck,
  jobsCheck,
  migrationsCheck,
  relayCheck,
} from './health-checks.ts';
import { createLog } from './log.ts';
import { registry } from './metrics.ts';

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

const well = async () => undefined;
const failing = (error: unknown) => () => Promise.reject(error);

async function pageOf(port: number, path: string): Promise<{ status: number; text: string }> {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`);
  return { status: answer.status, text: await answer.text() };
}

test('what is needed makes the process unready, what is not makes it degraded; each by name', async () => {
  const health = createHealth({ keepMs: 0 });
  const server = await serveHealth(0, health, createLog('test', 'silent'));
  const page = (path: string) => pageOf(server.port, path);
  let database: () => Promise<unknown> = well;
  health.register({ name: 'database', need: 'needed', check: () => database() });
  expect(await page('/readyz')).toEqual({ status: 200, text: '{"status":"ok","checks":{"database":{"state":"ok"}}}' });

  health.register({
    name: 'signer',
    need: 'degraded',
    check: failing(new HealthProblem('signerSilent')),
  });
  const degraded = await page('/readyz');
  expect(degraded.status).toBe(200);
  expect(JSON.parse(degraded.text)).toEqual({
    status: 'degraded',
    checks: {
      database: { state: 'ok' },
      signer: { state: 'failed', need: 'degraded', reason: 'the signer does not answer' },
    },
  });

  const secret = Object.assign(new Error('no pg_hba entry for user causeway_app, password tr0ub4dor'), {
    code: '28000',
  });
  database = failing(secret);
  const unready = await page('/readyz');
  expect(unready.status).toBe(503);
  expect(unready.text).toContain('"reason":"28000"');
  expect(unready.text).not.toContain('tr0ub4dor');
  expect((await page('/metrics')).text).toContain('causeway_health_check{check="database",need="needed"} 0');

  database = well;
  health.drain();
  expect(await page('/readyz')).toMatchObject({ status: 503, text: expect.stringContaining('"draining"') });
  expect((await page('/healthz')).status).toBe(200);
  await server.close();
});

test('polling is cheap: one check at a time, its answer kept', async () => {
  const health = createHealth({ keepMs: 60_000 });
  const check = vi.fn(well);
  health.register({ name: 'database', need: 'needed', check });
  await Promise.all(Array.from({ length: 20 }, () => health.state()));
  await health.state();
  expect(check).toHaveBeenCalledTimes(1);
});

test('a dependency that never answers is a failure in bounded time', async () => {
  const health = createHealth({ timeoutMs: 20 });
  health.register({ name: 'mail', need: 'degraded', check: () => new Promise(() => undefined) });
  expect(await health.state()).toMatchObject({
    status: 'degraded',
    checks: { mail: { reason: 'no answer within 0.02 s' } },
  });
});

test('a name is registered once', () => {
  const health = createHealth();
  health.register({ name: 'mail', need: 'degraded', check: well });
  expect(() => health.register({ name: 'mail', need: 'needed', check: well })).toThrow('registered twice');
});

test('a schema that lacks a migration of this version is not ready; every role may look', async () => {
  for (const role of ['causeway_app', 'causeway_worker', 'causeway_signer']) {
    const database = openDatabase(db.urlFor(role), { poolSize: 1, applicationName: 'health' });
    await migrationsCheck(database).check();
    await databaseCheck(database).check();
    await database.close();
  }
  await superuser.query("update causeway_migration.done set sha256 = 'another' where name like '0001%'");
  await expect(migrationsCheck(db.app).check()).rejects.toThrow('1 migration has not run');
});

test('events and jobs that wait, and jobs that have failed for good, are counted', async () => {
  await relayCheck(db.worker).check();
  await jobsCheck(db.worker).check();
  await superuser.query(`insert into causeway.outbox (company_id, id, name, payload)
    values (gen_random_uuid(), uuidv7('-2 minutes'::interval), 'x', '{}')`);
  await expect(relayCheck(db.worker).check()).rejects.toThrow(/the oldest event has waited 12\d s/);
  await superuser.query("select graphile_worker.add_job('late', '{}', run_at => now() - interval '5 minutes')");
  await superuser.query("select graphile_worker.add_job('failed', '{}', max_attempts => 1)");
  await superuser.query('update graphile_worker._private_jobs set attempts = 1 where max_attempts = 1');
  await expect(jobsCheck(db.worker).check()).rejects.toThrow(/^the oldest due job has waited 30\d s$/);
  await expect(failedJobsCheck(db.worker).check()).rejects.toThrow(/^1 job has failed for good$/);
  const metrics = await registry.metrics();
  expect(metrics).toMatch(/^causeway_outbox_rows 1$/m);
  expect(metrics).toMatch(/^causeway_jobs_due 1$/m);
  expect(metrics).toMatch(/^causeway_jobs_failed_for_good 1$/m);
});

test('a directory of files that is gone or is none', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'causeway-health-'));
  await fileStoreCheck(directory).check();
  chmodSync(directory, 0o700);
  rmSync(directory, { recursive: true });
  await expect(fileStoreCheck(directory).check()).rejects.toMatchObject({ code: 'ENOENT' });
  await expect(fileStoreCheck(import.meta.filename).check()).rejects.toThrow('no directory');
});

test('a mail server that does not answer', async () => {
  const mailer = smtpMailer('smtp://someone:tr0ub4dor@127.0.0.1:1', 'a@example.com');
  const health = createHealth();
  health.register(mailCheck(mailer));
  const state = await health.state();
  expect(state).toMatchObject({ status: 'degraded', checks: { mail: { state: 'failed' } } });
  expect(JSON.stringify(state)).not.toContain('tr0ub4dor');
  mailer.close();
});
