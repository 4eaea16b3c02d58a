import { getApproval, listApprovals } from '@causeway/contract/approvals.ts';
import * as batches from '@causeway/contract/batches.ts';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { newId } from '../../../platform/ids.ts';
import { draft, readWhole, savedCryptoPayee, uploaded } from '../../../testing/batch-drafts.ts';
import { runOf, submittedRun } from '../../../testing/batches.ts';
import { credit } from '../../../testing/company.ts';
import { testDatabase } from '../../../testing/database.ts';
import { type MainApp, type Member, mainApp, type Tenant } from '../../../testing/main-app.ts';
import { present } from '../../../testing/present.ts';
import { succeed } from '../../../testing/succeed.ts';
import { reviewOf } from '../../../testing/transaction-requests.ts';

/** What people changed of a file's rows is seen by those who approve the run beside the file's hash. */

let world: MainApp;
let tenant: Tenant;
let as: Member;
beforeAll(async () => {
  world = await mainApp(await testDatabase());
  tenant = await world.company();
  as = tenant.admin;
  await credit(world.db, tenant, 'USDT', 1_000_000_000n);
  await savedCryptoPayee(world, as, 'Pearl');
});
afterAll(async () => {
  await world.close();
  await world.db.close();
});
afterEach(() => expect(world.complaints.splice(0)).toEqual([]));

const file = 'payee,coin,amount\nPearl,USDT,5\nPearl,USDT,6\nPearl,USDT,7\nPearl,USDT,8\n';

async function acceptAll(batchId: string): Promise<void> {
  const { version } = (await draft(world, as, batchId)).batch;
  await succeed(world, batches.acceptBatchWarnings, { as, body: { batchId, version, rows: 'all' } });
}

test('rows as the file has them are said to be those, whatever was looked at', async () => {
  const { batch } = await uploaded(world, as, file);
  await acceptAll(batch.id);
  const runId = await submittedRun(world, as, batch.id);
  expect((await runOf(world, as, runId)).edits).toEqual({ mended: 0, added: 0, removed: 0 });
});

test('changed, added and removed rows are counted for approvers, until the file is read again', async () => {
  await reviewOf(world, tenant)(true);
  const approver = await world.member(tenant, 'approver');
  const { batch, rows } = await uploaded(world, as, file);
  const [first, second, third, fourth] = rows;
  const id = batch.id;
  let { version } = batch;
  const mend = async (rowId: string | undefined, amount: string) => {
    const body = { batchId: id, version, rowId, written: { amount } };
    version = (await succeed(world, batches.mendBatchRow, { as, body })).data.version;
  };
  await mend(first?.id, '9');
  await mend(first?.id, '10');
  // To the same: nothing was changed.
  await mend(second?.id, '6');
  const written = { payee: 'Pearl', asset: 'USDT', amount: '3' };
  const added = { batchId: id, version, rows: [{ id: newId(), written }] };
  version = (await succeed(world, batches.addBatchRows, { as, body: added })).data.version;
  const removed = { batchId: id, version, rows: [third?.id, fourth?.id] };
  version = (await succeed(world, batches.removeBatchRows, { as, body: removed })).data.version;
  await acceptAll(id);
  const runId = await submittedRun(world, as, id);
  const edits = { mended: 1, added: 1, removed: 2 };
  expect((await runOf(world, as, runId)).edits).toEqual(edits);
  const { items } = (await succeed(world, listApprovals, { as: approver, query: { view: 'pending' } })).data;
  const { id: taskId } = present(items[0]);
  const task = (await succeed(world, getApproval, { as: approver, params: { id: taskId } })).data;
  expect(task.content).toMatchObject({ shape: 'batch', edits });
});

test('a file that is read again has its own rows again', async () => {
  const { batch, rows } = await uploaded(world, as, file);
  const taken = { batchId: batch.id, version: batch.version, rows: [rows[0]?.id] };
  const { version } = (await succeed(world, batches.removeBatchRows, { as, body: taken })).data;
  const mapping = { payee: 0, asset: 1, amount: 2 };
  await succeed(world, batches.mapBatch, { as, body: { id: batch.id, version, mapping } });
  await readWhole(world, as, batch.id);
  await acceptAll(batch.id);
  await reviewOf(world, tenant)(false);
  const runId = await submittedRun(world, as, batch.id);
  expect((await runOf(world, as, runId)).edits).toEqual({ mended: 0, added: 0, removed: 0 });
});
