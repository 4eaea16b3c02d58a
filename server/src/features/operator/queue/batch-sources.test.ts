import { sendBatchAgain } from '@causeway/contract/batch-runs.ts';
import { getQueueItem, listQueue, resolveQueueItem } from '@causeway/contract/operator-queue.ts';
import { cancelTransfer } from '@causeway/contract/transfers.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLog } from '../../../platform/process/log.ts';
import { entriesOf, insertTestBatch, runOf, submittedRun } from '../../../testing/batches.ts';
import { credit } from '../../../testing/company.ts';
import { testDatabase } from '../../../testing/database.ts';
import { type MainApp, mainApp, type Tenant } from '../../../testing/main-app.ts';
import { type OperatorApp, operatorApp } from '../../../testing/operator-app.ts';
import { present } from '../../../testing/present.ts';
import { succeed } from '../../../testing/succeed.ts';
import { payee } from '../../../testing/valid-requests.ts';
import { release, settle } from '../../outgoing/index.ts';
import { changeStage, lockTransaction } from '../../transactions/index.ts';
import { sweep } from './sweep.ts';

/** Rows of batches that two payments pay, on the operator's pages. */

let world: MainApp;
let console: OperatorApp;
beforeAll(async () => {
  world = await mainApp(await testDatabase());
  console = await operatorApp(world.db);
});
afterAll(async () => {
  await console.close();
  await world.close();
  await world.db.close();
});

const usdt = 1_000_000n;

/** Both rows of a batch are sent again; the second attempt of the first has been handed over. */
async function sentAgain(): Promise<{ tenant: Tenant; first: string; later: string; batchName: string }> {
  const tenant = await world.company();
  await credit(world.db, tenant, 'USDT', 1_000n * usdt);
  const row = { walletId: tenant.wallets.USDT, payeeId: await payee(world, tenant), amountMinor: 10n * usdt };
  const { id } = await insertTestBatch(world.db, tenant, [row, row]);
  const run = await submittedRun(world, tenant.admin, id);
  const before = await entriesOf(world.db, tenant.id, run);
  for (const entry of before) await succeed(world, cancelTransfer, { as: tenant.admin, body: { id: entry.id } });
  const again = await submittedRun(world, tenant.admin, id, sendBatchAgain);
  const later = present((await entriesOf(world.db, tenant.id, again))[0]).id;
  await world.db.worker.withCompany(tenant.id, (tx) => changeStage(tx, later, ['approved'], { stage: 'signing' }));
  const { batchName } = await runOf(world, tenant.admin, run);
  return { tenant, first: present(before[0]).id, later, batchName };
}

async function open() {
  await sweep(world.db.console, createLog('test', 'silent'));
  const as = await console.operator('viewer');
  return (await console.ask(listQueue, { as, query: { kind: 'batchPaidTwice' } })).data.items;
}

/** A payment that had come to nothing is made after all. */
async function paidLate({ id: companyId }: Tenant, id: string): Promise<void> {
  await world.db.worker.withCompany(companyId, async (tx) => {
    await settle(tx, present(await lockTransaction(tx, id)), { contra: 'chain', finals: 0, hash: null });
  });
}

test('a row that two payments pay is an item, until one of them fails after all', async () => {
  const { tenant, first, later, batchName } = await sentAgain();
  expect(await open()).toEqual([]);
  await paidLate(tenant, first);
  const [item, ...more] = await open();
  expect(more).toEqual([]);
  expect(item).toMatchObject({
    urgency: 'urgent',
    title: `Row 1 of the batch “${batchName}” was paid twice`,
    company: { id: tenant.id },
    amount: { quantity: '10.000000', asset: 'USDT' },
    link: `/app/payments/${later}`,
  });
  const as = await console.operator('support');
  const { data } = await console.ask(getQueueItem, { as, params: { id: present(item).id } });
  const linked = data.facts.flatMap(({ label, link }) => (link === null ? [] : [[label, link]]));
  expect(linked).toEqual([
    ['Transfer', `/app/payments/${later}`],
    ['Earlier payment of the row', `/app/payments/${first}`],
  ]);
  await world.db.worker.withCompany(tenant.id, async (tx) =>
    release(tx, present(await lockTransaction(tx, later)), ['signing'], {
      stage: 'failed',
      reason: 'stage.reason.wouldRevert',
    }),
  );
  expect(await open()).toEqual([]);
});

test('a person closes it with what was agreed, and it stays closed', async () => {
  const { tenant, first } = await sentAgain();
  await paidLate(tenant, first);
  const [item] = await open();
  const as = await console.operator('support');
  const body = { reason: 'The payee pays it back on Monday' };
  await console.ask(resolveQueueItem, { as, params: { id: present(item).id }, body });
  expect(await open()).toEqual([]);
});
