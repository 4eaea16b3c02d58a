import { cancelBatch, sendBatchAgain } from '@causeway/contract/batch-runs.ts';
import { downloadReceipt, exportTransactions, listTransactions } from '@causeway/contract/transactions.ts';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { savedCryptoPayee } from '../../../testing/batch-drafts.ts';
import { entriesOf, insertTestBatch, runOf, submittedRun } from '../../../testing/batches.ts';
import { credit } from '../../../testing/company.ts';
import { testDatabase } from '../../../testing/database.ts';
import { type MainApp, type Member, mainApp, type Tenant } from '../../../testing/main-app.ts';
import { pdfText } from '../../../testing/pdf.ts';
import { present } from '../../../testing/present.ts';
import { succeed } from '../../../testing/succeed.ts';
import { insertTestTransaction } from '../../../testing/transactions.ts';

/** The transactions of a batch among all of the company: found by batch and run, exported and receipted with its name. */

let world: MainApp;
beforeAll(async () => {
  world = await mainApp(await testDatabase());
});
afterAll(async () => {
  await world.close();
  await world.db.close();
});
afterEach(() => expect(world.complaints.splice(0)).toEqual([]));

async function submitted(tenant: Tenant, amounts: readonly bigint[]): Promise<{ batchId: string; runId: string }> {
  const { id: payeeId } = await savedCryptoPayee(world, tenant.admin, `Contractor ${amounts.length}`);
  const rows = amounts.map((amountMinor) => ({ walletId: tenant.wallets.USDT, payeeId, amountMinor }));
  const { id: batchId } = await insertTestBatch(world.db, tenant, rows);
  return { batchId, runId: await submittedRun(world, tenant.admin, batchId) };
}

async function found(as: Member, query: Record<string, string>): Promise<string[]> {
  const { items, total } = (await succeed(world, listTransactions, { as, query: { ...query, size: '100' } })).data;
  expect(total).toBe(items.length);
  return items.map(({ id }) => id).toSorted();
}

const idsOf = async (tenant: Tenant, runId: string) =>
  (await entriesOf(world.db, tenant.id, runId)).map(({ id }) => id).toSorted();

test('transactions are found by batch and by run, and by those of no other company', async () => {
  const [tenant, other] = [await world.company(), await world.company()];
  for (const company of [tenant, other]) await credit(world.db, company, 'USDT', 1_000_000_000n);
  const first = await submitted(tenant, [5_000_000n, 6_000_000n]);
  const second = await submitted(tenant, [7_000_000n]);
  await succeed(world, cancelBatch, { as: tenant.admin, body: { id: first.runId } });
  const again = await submittedRun(world, tenant.admin, first.batchId, sendBatchAgain);
  const [ofFirst, ofAgain, ofSecond] = [
    await idsOf(tenant, first.runId),
    await idsOf(tenant, again),
    await idsOf(tenant, second.runId),
  ];
  const as = tenant.admin;
  expect(await found(as, { batchRunId: first.runId })).toEqual(ofFirst);
  expect(await found(as, { batchRunId: again })).toEqual(ofAgain);
  expect(await found(as, { batchId: first.batchId })).toEqual([...ofFirst, ...ofAgain].toSorted());
  expect(await found(as, { batchId: first.batchId, batchRunId: again })).toEqual(ofAgain);
  expect(await found(as, { batchId: second.batchId })).toEqual(ofSecond);
  expect(await found(as, { batchId: second.batchId, batchRunId: again })).toEqual([]);
  expect(await found(as, { batchId: first.batchId, status: 'pending', amountMin: '6' })).toHaveLength(1);
  expect(await found(other.admin, { batchId: first.batchId })).toEqual([]);
  expect(await found(other.admin, { batchRunId: first.runId })).toEqual([]);
});

test.each([
  ['en-us', 'Batch,Row of the batch', 'Batch', ', row 2'],
  ['zh-hk', '批次,批次中的列號', '批次', '，第 2 列'],
  ['zh-cn', '批次,批次中的行号', '批次', '，第 2 行'],
])('in %s an export has batch and row, and a receipt names them', async (locale, headings, label, row) => {
  const tenant = await world.company();
  await credit(world.db, tenant, 'USDT', 1_000_000_000n);
  const headers = { 'accept-language': locale };
  await insertTestTransaction(world.db, tenant);
  const { runId } = await submitted(tenant, [5_000_000n, 6_000_000n]);
  const { batchName } = await runOf(world, tenant.admin, runId);
  const csv = await world.ask(exportTransactions, { as: tenant.admin, headers, query: { order: 'asc' } });
  const lines = csv.raw.body.trim().split('\r\n');
  expect(lines[0]).toContain(`,${headings},`);
  const column = present(lines[0])
    .split(',')
    .indexOf(present(headings.split(',')[0]));
  const cells = lines.slice(1).map((line) => line.split(',').slice(column, column + 2));
  // Rows of one submission are of one instant.
  expect(cells.filter(([name]) => name !== '').toSorted()).toEqual([
    [batchName, '1'],
    [batchName, '2'],
  ]);
  // The deposit before them is of no batch.
  expect(cells).toContainEqual(['', '']);
  const second = present((await entriesOf(world.db, tenant.id, runId))[1]).id;
  const receipt = await world.ask(downloadReceipt, { as: tenant.admin, headers, params: { id: second } });
  const text = await pdfText(receipt.raw.rawPayload);
  expect(text).toContain(label);
  expect(text).toContain(`${batchName}${row}`);
});
