import { sendBatchAgain, submitBatch } from '@causeway/contract/batch-runs.ts';
import { cancelTransfer } from '@causeway/contract/transfers.ts';
import { getStatement } from '@causeway/contract/wallets.ts';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { entriesOf, insertTestBatch, runRequest, submittedRun } from '../../../testing/batches.ts';
import { outgoingKinds } from '../../../testing/chain-families.ts';
import { credit } from '../../../testing/company.ts';
import { expectCompanyBooks, expectLedgerToAgree } from '../../../testing/company-books.ts';
import { testDatabase } from '../../../testing/database.ts';
import { type MainApp, mainApp, type Tenant } from '../../../testing/main-app.ts';
import { present } from '../../../testing/present.ts';
import { type Gate, gateAt } from '../../../testing/queueing.ts';
import { succeed } from '../../../testing/succeed.ts';
import { payee } from '../../../testing/valid-requests.ts';
import { settle } from '../../outgoing/index.ts';
import { lockTransaction } from '../../transactions/index.ts';
import { batchJobs } from '../index.ts';

/** What goes wrong between the answer to a run and the entering of its rows. */

const usdt = 1_000_000n;

let world: MainApp;
let gate: Gate;
beforeAll(async () => {
  world = await mainApp(await testDatabase(), undefined, { rowsAtOnce: 0 });
  gate = await gateAt(world.db, 'risk_assessment');
});
afterAll(async () => {
  await expectLedgerToAgree(world.db);
  await gate.close();
  await world.close();
  await world.db.close();
});
afterEach(() => expect(world.complaints.splice(0)).toEqual([]));

async function paying(): Promise<{ tenant: Tenant; batchId: string; rowIds: string[] }> {
  const tenant = await world.company();
  await credit(world.db, tenant, 'USDT', 100n * usdt);
  const row = { walletId: tenant.wallets.USDT, payeeId: await payee(world, tenant), amountMinor: 10n * usdt };
  const { id: batchId, rowIds } = await insertTestBatch(world.db, tenant, [row, { ...row, amountMinor: 20n * usdt }]);
  return { tenant, batchId, rowIds };
}

test('a row whose earlier payment is made after all while its second one is queued is not paid twice', async () => {
  const { tenant, batchId } = await paying();
  const [first, other] = await entriesOf(world.db, tenant.id, await submittedAndEntered(tenant, batchId));
  for (const id of [present(first).id, present(other).id]) {
    await succeed(world, cancelTransfer, { as: tenant.admin, body: { id } });
  }
  const again = await runRequest(world, tenant.admin, batchId);
  await gate.hold(tenant.id);
  const secondRun = (await succeed(world, sendBatchAgain, again)).data.id;
  await world.db.worker.withCompany(tenant.id, async (tx) => {
    const paid = present(await lockTransaction(tx, present(first).id));
    await settle(tx, paid, { contra: 'chain', finals: 0, hash: null });
  });
  const followed = present(batchJobs(outgoingKinds)[0]).run(
    { companyId: tenant.id, database: world.db.worker } as never,
    { transactionId: present(first).id, stage: 'completed' },
  );
  await gate.release(tenant.id);
  await followed;
  const ends = (await entriesOf(world.db, tenant.id, secondRun)).map(({ stage, reason }) => [stage, reason]);
  expect(ends).toEqual([
    ['refused', 'stage.reason.paidBefore'],
    ['approved', null],
  ]);
  await expectCompanyBooks(world.db, tenant.id);
});

test('a payment that is made after all at that moment is waited for, and its row is not sent again', async () => {
  const { tenant, batchId } = await paying();
  const [first, other] = await entriesOf(world.db, tenant.id, await submittedAndEntered(tenant, batchId));
  await succeed(world, cancelTransfer, { as: tenant.admin, body: { id: present(first).id } });
  const again = await runRequest(world, tenant.admin, batchId);
  expect(again.body.rows).toBe(1);
  const asked = await world.db.worker.withCompany(tenant.id, async (tx) => {
    const paid = present(await lockTransaction(tx, present(first).id));
    await settle(tx, paid, { contra: 'chain', finals: 0, hash: null });
    const asking = world.ask(sendBatchAgain, again);
    await Promise.race([asking, gate.untilWaiting('')]);
    return [asking];
  });
  expect((await Promise.all(asked)).map(({ key }) => key)).toEqual(['batchNothingToSend']);
  expect(present(other).stage).toBe('approved');
  await expectCompanyBooks(world.db, tenant.id);
});

async function submittedAndEntered(tenant: Tenant, batchId: string): Promise<string> {
  const id = await submittedRun(world, tenant.admin, batchId);
  await world.queue.enter(tenant.id);
  return id;
}

test('the wallet’s entries name the batch that they hold and give back', async () => {
  const { tenant, batchId } = await paying();
  const runId = (await succeed(world, submitBatch, await runRequest(world, tenant.admin, batchId))).data.id;
  await world.queue.enter(tenant.id);
  const { items } = (await succeed(world, getStatement, { as: tenant.admin, params: { id: tenant.wallets.USDT } }))
    .data;
  const batch = { id: batchId, runId, name: expect.stringMatching(/^Payroll/) };
  expect(items.filter((line) => line.batch !== null)).toMatchObject([
    {
      batch,
      transactionId: null,
      trade: null,
      amount: '32.000000',
      description: 'Batch hold released, now held by row',
    },
    { batch, transactionId: null, trade: null, amount: '-32.000000', description: 'Held for a batch' },
  ]);
  expect(items.filter((line) => line.transactionId !== null)).toHaveLength(items.length - 2);
});
