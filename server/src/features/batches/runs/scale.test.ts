import { cancelBatch, listBatchRunRows } from '@causeway/contract/batch-runs.ts';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { checkOf, decideRun, entriesOf, insertTestBatch, runOf, submittedRun } from '../../../testing/batches.ts';
import { credit } from '../../../testing/company.ts';
import { expectCompanyBooks, expectLedgerToAgree, walletBalances } from '../../../testing/company-books.ts';
import { testDatabase } from '../../../testing/database.ts';
import { type MainApp, mainApp } from '../../../testing/main-app.ts';
import { present } from '../../../testing/present.ts';
import { succeed } from '../../../testing/succeed.ts';
import { reviewOf } from '../../../testing/transaction-requests.ts';
import { payee } from '../../../testing/valid-requests.ts';

/** A large batch: checked, submitted, approved and cancelled as a whole. */

/** As many as a batch may have in `npm run proof`; in `npm test` some slices of them. */
const rows = process.env['PROOF_ROUNDS'] === undefined ? 1200 : 5000;
const usdt = 1_000_000n;

let world: MainApp;
beforeAll(async () => {
  world = await mainApp(await testDatabase());
});
afterAll(async () => {
  await expectLedgerToAgree(world.db);
  await world.close();
  await world.db.close();
});
afterEach(() => expect(world.complaints.splice(0)).toEqual([]));

test(`${rows} rows are held and queued together, approved with one decision, and given back together`, {
  timeout: 900_000,
}, async () => {
  const timed: Record<string, number> = {};
  const time = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
    const began = performance.now();
    const result = await work();
    timed[name] = Math.round(performance.now() - began);
    return result;
  };
  const tenant = await world.company();
  await credit(world.db, tenant, 'USDT', 100_000n * usdt);
  await reviewOf(world, tenant)(true);
  const approver = await world.member(tenant, 'approver');
  const payees = [await payee(world, tenant), await payee(world, tenant), await payee(world, tenant)];
  const { id } = await insertTestBatch(
    world.db,
    tenant,
    Array.from({ length: rows }, (_, place) => ({
      walletId: tenant.wallets.USDT,
      payeeId: present(payees[place % payees.length]),
      amountMinor: 2n * usdt + BigInt(place),
    })),
  );
  const check = await time('check', () => checkOf(world, tenant.admin, id));
  expect(check).toMatchObject({ rows, errors: 0 });
  const runId = await time('code and submission', () => submittedRun(world, tenant.admin, id));
  const held = BigInt(rows) * 3n * usdt + BigInt((rows * (rows - 1)) / 2);
  const balances = () => walletBalances(world.db, tenant.id, tenant.wallets.USDT);
  expect((await balances()).outbound).toBe(held);
  await time('approval', () => decideRun(world, approver, runId));
  expect((await runOf(world, tenant.admin, runId)).progress).toMatchObject({ waiting: rows });
  const page = { as: tenant.admin, params: { id: runId }, query: { size: '100', sort: 'remarkable' } };
  expect((await time('page of rows', () => succeed(world, listBatchRunRows, page))).data.total).toBe(rows);
  const cancelled = await time('cancel', () => succeed(world, cancelBatch, { as: tenant.admin, body: { id: runId } }));
  expect(cancelled.data.cancelled).toBe(rows);
  expect(await balances()).toEqual({ available: 100_000n * usdt, chain: -100_000n * usdt });
  expect(new Set((await entriesOf(world.db, tenant.id, runId)).map(({ stage }) => stage))).toEqual(
    new Set(['cancelled']),
  );
  await expectCompanyBooks(world.db, tenant.id);
  if (process.env['BATCH_TIMES']) process.stdout.write(`${JSON.stringify(timed)}\n`);
});
