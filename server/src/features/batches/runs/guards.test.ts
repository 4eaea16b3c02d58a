import { submitBatch } from '@causeway/contract/batch-runs.ts';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import {
  decideRun,
  entriesOf,
  insertTestBatch,
  runRequest,
  submittedRun,
  type TestBatch,
} from '../../../testing/batches.ts';
import { credit } from '../../../testing/company.ts';
import { walletBalances } from '../../../testing/company-books.ts';
import { testDatabase } from '../../../testing/database.ts';
import { type MainApp, mainApp, type Tenant } from '../../../testing/main-app.ts';
import { enact, forbidding } from '../../../testing/risk.ts';
import { reviewOf } from '../../../testing/transaction-requests.ts';
import { payee } from '../../../testing/valid-requests.ts';
import { runDigest, transactionIdOf } from './domain.ts';

/** What a run's code and approval are bound to, and what is kept of a run that is refused. */

let world: MainApp;
beforeAll(async () => {
  world = await mainApp(await testDatabase());
});
afterAll(async () => {
  await world.close();
  await world.db.close();
});
afterEach(() => expect(world.complaints.splice(0)).toEqual([]));

const usdt = 1_000_000n;

/** A batch of two rows of 5 and 7 USDT, as if it had come from a file. */
async function batch(): Promise<{ tenant: Tenant; id: TestBatch['id'] }> {
  const tenant = await world.company();
  await credit(world.db, tenant, 'USDT', 1_000n * usdt);
  const payeeId = await payee(world, tenant);
  const rows = [5n, 7n].map((units) => ({ walletId: tenant.wallets.USDT, payeeId, amountMinor: units * usdt }));
  const { id } = await insertTestBatch(world.db, tenant, rows);
  await setFile(id, 'ab');
  return { tenant, id };
}

/** Gives a batch the hash of another file, which no call can: past the references, since no file is uploaded. */
async function setFile(id: string, byte: string): Promise<void> {
  const owner = new pg.Client({ connectionString: world.db.superuserUrl });
  await owner.connect();
  try {
    await owner.query("set session_replication_role = 'replica'");
    await owner.query(
      "update causeway.payout_batch set file_hash = decode(repeat($2, 32), 'hex'), source = 'csv', file_id = id where id = $1",
      [id, byte],
    );
  } finally {
    await owner.end();
  }
}

const subject = {
  companyId: 'company',
  runId: 'run',
  batchId: 'batch',
  fileHash: 'ab',
  rows: [
    { rowId: 'one', transactionId: 'first', digest: '01' },
    { rowId: 'two', transactionId: 'second', digest: '02' },
  ],
};
const [one, two] = subject.rows;

test.each([
  ['company', { companyId: 'other' }],
  ['run', { runId: 'other' }],
  ['batch', { batchId: 'other' }],
  ['file', { fileHash: 'cd' }],
  ['file, where its rows were typed', { fileHash: null }],
  ['order of its rows', { rows: [two, one] }],
  ['rows', { rows: [one] }],
  ['row of a payment', { rows: [{ ...one, rowId: 'other' }, two] }],
  ['transaction of a row', { rows: [{ ...one, transactionId: 'other' }, two] }],
  ['content of a transaction', { rows: [one, { ...two, digest: '03' }] }],
])('another %s is another digest', (_what, change) => {
  expect(runDigest(subject)).toMatch(/^[0-9a-f]{64}$/);
  expect(runDigest({ ...subject, ...change } as typeof subject)).not.toBe(runDigest(subject));
});

test('digests and ids of transactions are computed as they were for runs that are stored', () => {
  expect(runDigest(subject)).toBe('b6d9c5f90dff4aacaafdb57f78d4bc6ea2ef250884984ebac6ffc948a35fc6f1');
  expect(transactionIdOf('0197f1c2-3b4d-7abc-8def-0123456789ab', '0197f1c2-0000-7000-8000-000000000001')).toBe(
    '0197f1c2-3b4d-7271-af92-119c1bb99d67',
  );
});

test('the code proves the rows of one file, and so does the approval', async () => {
  const { tenant, id } = await batch();
  const request = await runRequest(world, tenant.admin, id);
  await setFile(id, 'cd');
  expect((await world.ask(submitBatch, request)).key).toBe('transferCodeMismatch');
  await setFile(id, 'ab');
  const approver = await world.member(tenant, 'approver');
  await reviewOf(world, tenant)(true);
  const runId = await submittedRun(world, tenant.admin, id);
  await setFile(id, 'cd');
  await expect(decideRun(world, approver, runId)).rejects.toThrow('approvalVoided');
});

test('a wrong code counts as a try although nothing else is written', async () => {
  const { tenant, id } = await batch();
  const request = await runRequest(world, tenant.admin, id);
  const wrong = request.body.code === '000000' ? '111111' : '000000';
  const keys: (string | null)[] = [];
  for (let tries = 0; tries < 6; tries += 1)
    keys.push((await world.ask(submitBatch, { ...request, body: { ...request.body, code: wrong } })).key);
  expect(keys).toEqual(['codeWrong', 'codeWrong', 'codeWrong', 'codeWrong', 'codeBurnt', 'codeBurnt']);
  expect((await world.ask(submitBatch, request)).key).toBe('codeBurnt');
  expect(await walletBalances(world.db, tenant.id, tenant.wallets.USDT)).toMatchObject({ available: 1_000n * usdt });
});

test('where risk denies a row, its judgement and the use of the code are kept, and nothing is counted for the others', async () => {
  const { tenant, id } = await batch();
  const request = await runRequest(world, tenant.admin, id);
  await enact(world.db, tenant.id, forbidding({ dimension: 'crypto_quantity', coin: 'USDT', from: '6', to: null }));
  expect((await world.ask(submitBatch, request)).key).toBe('batchRowsRefused');
  const { rows } = await world.db.app.withCompany(tenant.id, (tx) =>
    sql<{ allowed: boolean }>`select allowed from risk_assessment where company_id = company_id()`.execute(tx),
  );
  expect(rows).toEqual([{ allowed: false }]);
  const counted = await world.db.app.withCompany(tenant.id, (tx) =>
    sql`select from risk_usage where company_id = company_id() and transactions > 0`.execute(tx),
  );
  expect(counted.rows).toEqual([]);
  const { rows: codes } = await world.db.app.withCompany(tenant.id, (tx) =>
    sql<{
      used: boolean;
    }>`select used_at is not null as used from verification_code where company_id = company_id() and scenario = 'transaction'`.execute(
      tx,
    ),
  );
  expect(codes).toEqual([{ used: true }]);
  expect(await entriesOf(world.db, tenant.id, request.body.id)).toEqual([]);
});
