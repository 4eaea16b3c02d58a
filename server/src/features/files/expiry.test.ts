import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { systemClock } from '../../platform/clock.ts';
import { type Jobs, startJobs } from '../../platform/jobs/jobs.ts';
import type { Loop } from '../../platform/jobs/loop.ts';
import { startRelay } from '../../platform/jobs/relay.ts';
import { sweepOnce } from '../../platform/jobs/sweeping.ts';
import { createLog } from '../../platform/process/log.ts';
import { openTestCompany, type TestCompany } from '../../testing/company.ts';
import { type TestDatabase, testDatabase } from '../../testing/database.ts';
import { insertTestTransaction } from '../../testing/transactions.ts';
import { createDiskStore, filesJobs, filesSweep } from './index.ts';
import { upload as storeFile } from './service.ts';

const log = createLog('test', 'silent');
let db: TestDatabase;
let owner: pg.Client;
let directory: string;
let company: TestCompany;
let relay: Loop;
let jobs: Jobs;
beforeAll(async () => {
  db = await testDatabase();
  directory = mkdtempSync(join(tmpdir(), 'causeway-files-'));
  owner = new pg.Client({ connectionString: db.superuserUrl });
  await owner.connect();
  company = await openTestCompany(db);
  const definitions = filesJobs(createDiskStore(directory));
  jobs = await startJobs({ database: db.worker, log, concurrency: 1 }, definitions);
  relay = startRelay(db.worker, definitions, log);
});
afterAll(async () => {
  await relay.stop();
  await jobs.stop();
  await owner.end();
  await db.close();
  rmSync(directory, { recursive: true });
});

const stored = async () =>
  (await readdir(directory, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile()).length;

async function upload(): Promise<string> {
  const session = {
    id: crypto.randomUUID(),
    companyId: company.id,
    userId: crypto.randomUUID(),
    userName: 'Ada Wong',
    permissions: [],
  };
  const context = {
    session,
    locale: 'en-us',
    ip: '127.0.0.1',
    userAgent: '',
    requestId: '',
    clock: systemClock,
    database: db.app,
    objects: createDiskStore(directory),
  } as const;
  const content = Buffer.from('%PDF-1.7\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF');
  return (await storeFile({ ...context, upload: { name: 'invoice.pdf', content } })).id;
}

async function attach(fileId: string): Promise<void> {
  const transactionId = await insertTestTransaction(db, company, { type: 'chain_withdraw' });
  await db.app.withCompany(company.id, (tx) =>
    sql`insert into outgoing_attachment (company_id, transaction_id, file_id, position)
      values (company_id(), ${transactionId}, ${fileId}, 0)`.execute(tx),
  );
}

const age = (id: string, interval: string) =>
  owner.query('update causeway.file set created_at = now() - $2::interval where id = $1', [id, interval]);

async function known(): Promise<string[]> {
  const { rows } = await owner.query('select id from causeway.file where company_id = $1', [company.id]);
  return rows.map(({ id }) => id);
}

test('an upload that nothing has named for a day goes with its bytes; what is attached, or is young, stays', async () => {
  const [forgotten, attached, young] = [await upload(), await upload(), await upload()];
  await attach(attached);
  await age(forgotten, '25 hours');
  await age(attached, '25 hours');
  await age(young, '23 hours');
  await sweepOnce(db.worker, [filesSweep], log);
  expect((await known()).sort()).toEqual([attached, young].sort());
  await vi.waitFor(async () => expect(await stored()).toBe(2), { timeout: 20_000, interval: 20 });
  const { rows } = await owner.query(`select subject_id from causeway.audit_event where action = 'files.expire'`);
  expect(rows).toEqual([{ subject_id: forgotten }]);

  // What was found attached is not looked at again.
  const { rows: kept } = await owner.query('select id from causeway.file where kept');
  expect(kept).toEqual([{ id: attached }]);
  expect(await filesSweep.run(db.worker)).toBe(0);
});

test('bytes that are gone already do not keep the row', async () => {
  const id = await upload();
  await age(id, '2 days');
  const { rows } = await owner.query('select storage_name from causeway.file where id = $1', [id]);
  const name: string = rows[0].storage_name;
  rmSync(join(directory, name.slice(0, 2), name));
  await sweepOnce(db.worker, [filesSweep], log);
  expect(await known()).not.toContain(id);
  await vi.waitFor(
    async () => {
      const { rows: left } = await db.worker.pool.query('select 1 from graphile_worker._private_jobs');
      expect(left).toEqual([]);
    },
    { timeout: 20_000, interval: 20 },
  );
  expect(existsSync(join(directory, name.slice(0, 2), name))).toBe(false);
});

test('one that cannot be removed keeps no others from their end', async () => {
  const [stuck, other] = [await upload(), await upload()];
  await age(stuck, '3 days');
  await age(other, '2 days');
  await owner.query(`create function causeway.refuse_file() returns trigger language plpgsql as $$
    begin raise 'no'; end $$`);
  await owner.query(`create trigger refuse before delete on causeway.file for each row
    when (old.id = '${stuck}') execute function causeway.refuse_file()`);
  await sweepOnce(db.worker, [filesSweep], log);
  expect(await known()).toContain(stuck);
  expect(await known()).not.toContain(other);
  await owner.query('drop function causeway.refuse_file cascade');
  await sweepOnce(db.worker, [filesSweep], log);
  expect(await known()).not.toContain(stuck);
});

test('the worker cannot remove a young file', async () => {
  const id = await upload();
  await db.worker.withCompany(company.id, (tx) => sql`delete from file where id = ${id}`.execute(tx));
  expect(await known()).toContain(id);
});

test('whatever names a file does so by a foreign key, or it would be taken for unattached', async () => {
  const { rows } = await owner.query(`
    select c.relname || '.' || a.attname as place, exists (
      select from pg_constraint k where k.conrelid = c.oid and k.contype = 'f'
        and k.confrelid = 'causeway.file'::regclass and a.attnum = any (k.conkey)) as held
    from pg_attribute a join pg_class c on c.oid = a.attrelid
    where c.relnamespace = 'causeway'::regnamespace and c.relkind = 'r' and a.attnum > 0
      and a.attname ~ '(^|_)(file|attachment)(_id)?s?$'`);
  expect(rows).toContainEqual({ place: 'outgoing_attachment.file_id', held: true });
  expect(rows.filter(({ held }) => !held)).toEqual([]);
});
