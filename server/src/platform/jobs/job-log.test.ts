import { Writable } from 'node:stream';
import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type TestDatabase, testDatabase } from '../../testing/database.ts';
import { createLog } from '../process/log.ts';
import { startJobs } from './jobs.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
});
afterAll(() => db.close());

const sealed = 'c2VhbGVkLWxldHRlci13aXRoLWEtY29kZQ';

test.each([
  ['a mail server that refuses', () => Object.assign(new Error('550 refused'), { code: 'EENVELOPE' })],
  [
    'a database error that quotes the row',
    () =>
      Object.assign(new pg.DatabaseError('violates', 1, 'error'), { code: '23514', detail: `Failing row (${sealed})` }),
  ],
])('a failed job is logged once, without its payload: %s', async (_what, failure) => {
  const lines: string[] = [];
  const stream = new Writable({
    write(line, _encoding, done) {
      lines.push(String(line));
      done();
    },
  });
  const jobs = await startJobs({ database: db.worker, log: createLog('test', 'debug', stream), concurrency: 1 }, [
    { name: 'mail', run: () => Promise.reject(failure()) },
  ]);
  await db.worker.pool.query("select graphile_worker.add_job('mail', $1, max_attempts => 1)", [
    JSON.stringify({ companyId: 'a-company', payload: { sealed } }),
  ]);
  await vi.waitFor(
    async () => {
      const { rows } = await db.worker.pool.query('select last_error from graphile_worker._private_jobs');
      expect(rows[0]?.last_error).toMatch(/\S/);
    },
    { timeout: 20_000 },
  );
  await jobs.stop();
  await db.worker.pool.query('delete from graphile_worker._private_jobs');
  const failures = lines.map((line) => JSON.parse(line)).filter(({ level }) => level >= 40);
  expect(failures).toEqual([
    expect.objectContaining({ job: 'mail', companyId: 'a-company', msg: expect.stringContaining('job failed') }),
  ]);
  expect(lines.join('')).not.toContain(sealed);
});
