import { decideApprovals, listApprovals } from '@causeway/contract/approvals.ts';
import { checkBatch, submitBatch } from '@causeway/contract/batch-runs.ts';
import * as batches from '@causeway/contract/batches.ts';
import { deleteCryptoPayee } from '@causeway/contract/payees.ts';
import { cancelTransfer } from '@causeway/contract/transfers.ts';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { newId } from '../../../platform/ids.ts';
import { decision } from '../../../testing/approval-requests.ts';
import { entriesOf, insertTestBatch, runRequest, submittedRun, type TestBatch } from '../../../testing/batches.ts';
import { credit } from '../../../testing/company.ts';
import { walletBalances } from '../../../testing/company-books.ts';
import { testDatabase } from '../../../testing/database.ts';
import { asSuperuser } from '../../../testing/exchange-world.ts';
import { type MainApp, mainApp, type Tenant } from '../../../testing/main-app.ts';
import { present } from '../../../testing/present.ts';
import { succeed } from '../../../testing/succeed.ts';
import { reviewOf } from '../../../testing/transaction-requests.ts';
import { payee } from '../../../testing/valid-requests.ts';

/** What became of a batch between its code and its submission, or between its submission and the decision, refuses it. */

const usdt = 1_000_000n;

let world: MainApp;
let tenant: Tenant;
let payeeId: string;
let batch: TestBatch;
beforeAll(async () => {
  world = await mainApp(await testDatabase());
});
afterAll(async () => {
  await world.close();
  await world.db.close();
});
beforeEach(async () => {
  tenant = await world.company();
  await credit(world.db, tenant, 'USDT', 100n * usdt);
  payeeId = await payee(world, tenant);
  const rows = [5n, 7n].map((units) => ({ walletId: tenant.wallets.USDT, payeeId, amountMinor: units * usdt }));
  batch = await insertTestBatch(world.db, tenant, rows);
});
afterEach(() => expect(world.complaints.splice(0)).toEqual([]));

const available = async () => (await walletBalances(world.db, tenant.id, tenant.wallets.USDT)).available;

const removePayee = () => succeed(world, deleteCryptoPayee, { as: tenant.admin, params: { id: payeeId } });
const freeze = (table: 'wallet' | 'company') =>
  asSuperuser(world.db, `update causeway.${table} set frozen_at = now() where company_id = $1`, [tenant.id]);

test.each([
  ['payee was removed', 'batchRowsRefused', /row 1/i, removePayee],
  ['wallet was frozen', 'batchRowsRefused', /row 1/i, () => freeze('wallet')],
  ['company was frozen', 'companyFrozen', /frozen/, () => freeze('company')],
] as const)('a run whose %s meanwhile is refused, and holds nothing', async (_, key, words, change) => {
  const request = await runRequest(world, tenant.admin, batch.id);
  await change();
  const refused = await world.ask(submitBatch, request);
  expect(refused.key).toBe(key);
  expect(refused.errors.join()).toMatch(words);
  expect(await entriesOf(world.db, tenant.id, request.body.id)).toEqual([]);
  expect(await available()).toBe(100n * usdt);
});

test('a row that has an error by now is to be mended before anything is submitted', async () => {
  const request = await runRequest(world, tenant.admin, batch.id);
  await asSuperuser(
    world.db,
    `update causeway.payout_batch_row set problems = '[{"column": "amount", "key": "amountFormat", "severity": "error", "blanks": {}}]'
      where company_id = $1 and number = 2`,
    [tenant.id],
  );
  expect((await world.ask(submitBatch, request)).key).toBe('batchRowsWrong');
  expect(await available()).toBe(100n * usdt);
});

test('rows that cannot be submitted are named, and count in what each wallet would have left', async () => {
  await asSuperuser(
    world.db,
    `update causeway.payout_batch_row set amount = 99000000 where company_id = $1 and number = 2`,
    [tenant.id],
  );
  await asSuperuser(
    world.db,
    `update causeway.payout_batch_row set problems = '[{"column": "category", "key": "cellLong", "severity": "error", "blanks": {}}]'
      where company_id = $1 and number = 2`,
    [tenant.id],
  );
  const checked = (await succeed(world, checkBatch, { as: tenant.admin, params: { id: batch.id } })).data;
  expect(checked).toMatchObject({ rows: 2, errors: 1, review: null });
  const [first, second] = checked.items;
  expect(second).toMatchObject({ payee: first?.payee, amount: '99.000000', findings: [{ key: 'batchRowsWrong' }] });
  expect(first?.payee).not.toBeNull();
  const sum = { asset: 'USDT', rows: 2, amount: '104.000000', fee: '1.000000' };
  expect(checked.totals).toEqual([expect.objectContaining(sum)]);
  expect(checked.wallets).toEqual([
    expect.objectContaining({ ...sum, available: '100.000000', left: '-5.000000', covered: false }),
  ]);
  // With no row that passes, the wallet is there all the same.
  await removePayee();
  const none = (await succeed(world, checkBatch, { as: tenant.admin, params: { id: batch.id } })).data;
  expect(none.wallets).toEqual([
    expect.objectContaining({ available: '100.000000', left: '-4.000000', fee: '0.000000' }),
  ]);
  expect(none.items.map(({ payee: name }) => name)).toEqual([first?.payee, first?.payee]);
});

test('a batch that was submitted can neither be changed nor discarded', async () => {
  const { admin: as } = tenant;
  await submittedRun(world, as, batch.id);
  const { id: batchId, rowIds } = batch;
  const body = { batchId, version: 1 };
  const written = { amount: '9' };
  for (const asked of [
    world.ask(batches.mendBatchRow, { as, body: { ...body, rowId: rowIds[0], written } }),
    world.ask(batches.addBatchRows, { as, body: { ...body, rows: [{ id: newId(), written }] } }),
    world.ask(batches.removeBatchRows, { as, body: { ...body, rows: [rowIds[0]] } }),
    world.ask(batches.acceptBatchWarnings, { as, body: { ...body, rows: 'all' } }),
    world.ask(batches.saveNewPayees, { as, body }),
    world.ask(batches.discardBatch, { as, params: { id: batchId } }),
  ]) {
    expect((await asked).key).toBe('batchSubmitted');
  }
});

test('a batch that was discarded is neither checked nor submitted', async () => {
  const request = await runRequest(world, tenant.admin, batch.id);
  await succeed(world, batches.discardBatch, { as: tenant.admin, params: { id: batch.id } });
  expect((await world.ask(submitBatch, request)).key).toBe('batchNotFound');
  const checked = await world.ask(checkBatch, { as: tenant.admin, params: { id: batch.id } });
  expect(checked.key).toBe('batchNotFound');
  expect(await available()).toBe(100n * usdt);
});

test('a run of which every row was cancelled has nothing to approve, and its task ends', async () => {
  await reviewOf(world, tenant)(true);
  const approver = await world.member(tenant, 'approver');
  const runId = await submittedRun(world, tenant.admin, batch.id);
  for (const { id } of await entriesOf(world.db, tenant.id, runId)) {
    await succeed(world, cancelTransfer, { as: tenant.admin, body: { id } });
  }
  const pending = async () =>
    (await succeed(world, listApprovals, { as: approver, query: { view: 'pending' } })).data.items;
  const request = await decision(world, approver, [present((await pending())[0]).id]);
  expect((await world.ask(decideApprovals, request)).key).toBe('approvalStopped');
  expect(await pending()).toEqual([]);
  expect((await entriesOf(world.db, tenant.id, runId)).map(({ stage }) => stage)).toEqual(['cancelled', 'cancelled']);
  expect(await available()).toBe(100n * usdt);
});
