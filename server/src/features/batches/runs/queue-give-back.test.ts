import { getApproval, listApprovals } from '@causeway/contract/approvals.ts';
import {
  getBatchRun,
  listBatchRunRows,
  listBatchRuns,
  sendBatchAgain,
  submitBatch,
} from '@causeway/contract/batch-runs.ts';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { newId } from '../../../platform/ids.ts';
import { entriesOf, insertTestBatch, runRequest, submittedRun } from '../../../testing/batches.ts';
import { credit } from '../../../testing/company.ts';
import { expectCompanyBooks, expectLedgerToAgree, walletBalances } from '../../../testing/company-books.ts';
import { testDatabase } from '../../../testing/database.ts';
import { type MainApp, type Member, mainApp, type Tenant } from '../../../testing/main-app.ts';
import { present } from '../../../testing/present.ts';
import { entered, type Gate, gateAt, keptOf, queuedOnly } from '../../../testing/queueing.ts';
import { succeed } from '../../../testing/succeed.ts';
import { reviewOf } from '../../../testing/transaction-requests.ts';
import { payee } from '../../../testing/valid-requests.ts';
import { accountsByKind } from '../../ledger/index.ts';
import { takeFromWallet } from '../../wallets/index.ts';

/** A run whose rows cannot be entered for ten minutes: what it holds is given back, once, and its batch can be sent. */

const usdt = 1_000_000n;
/** Two rows of 5 and 7, and a fee of 1 each. */
const held = 14n * usdt;

let world: MainApp;
let gate: Gate;
beforeAll(async () => {
  world = await mainApp(await testDatabase(), undefined, { rowsAtOnce: 0 });
  gate = await gateAt(world.db, 'payout_batch_entry');
});
afterAll(async () => {
  await expectLedgerToAgree(world.db);
  await gate.close();
  await world.close();
  await world.db.close();
});
afterEach(() => expect(world.complaints.splice(0)).toEqual([]));

interface Stuck {
  tenant: Tenant;
  initiator: Member;
  approver: Member;
  batchId: string;
  runId: string;
}

/** A run whose rows cannot be entered, as if it had been submitted so many minutes ago. */
async function stuck(minutes: number, isReviewed = false): Promise<Stuck> {
  const tenant = await world.company();
  await credit(world.db, tenant, 'USDT', 100n * usdt);
  if (isReviewed) await reviewOf(world, tenant)(true);
  const [initiator, approver] = [await world.member(tenant, 'finance'), await world.member(tenant, 'approver')];
  const payeeId = await payee(world, tenant);
  const row = (units: bigint) => ({ walletId: tenant.wallets.USDT, payeeId, amountMinor: units * usdt });
  const { id: batchId } = await insertTestBatch(world.db, tenant, [row(5n), row(7n)]);
  await gate.refuse(tenant.id);
  const runId = (await succeed(world, submitBatch, await runRequest(world, initiator, batchId))).data.id;
  await world.queue.settled();
  expect(world.complaints.splice(0)).toEqual([expect.stringContaining('refused by the test')]);
  await gate.query(
    'update payout_batch_queue set created_at = created_at - make_interval(mins => $2) where company_id = $1',
    [tenant.id, minutes],
  );
  return { tenant, initiator, approver, batchId, runId };
}

const balances = ({ tenant }: Stuck) => walletBalances(world.db, tenant.id, tenant.wallets.USDT);
const countOf = async (table: string, where: string, { tenant }: Stuck) =>
  (await gate.query(`select from ${table} where company_id = $1 and ${where}`, [tenant.id])).length;
const givenBack = { ...queuedOnly(0), postings: { 'batch.reserve': 1, 'batch.release': 1 } };

test('what is held is available again, the approval has ended, and the initiator is notified, once', async () => {
  const run = await stuck(11, true);
  const { tenant, initiator, approver, batchId, runId } = run;
  const { items } = (await succeed(world, listApprovals, { as: approver, query: { view: 'pending' } })).data;
  await world.queue.enter(tenant.id);
  expect(world.complaints.splice(0)).toEqual([expect.stringMatching(/refused by the test.*was given back/)]);
  await world.queue.enter(tenant.id);
  expect(await keptOf(gate, tenant.id)).toEqual(givenBack);
  expect(await balances(run)).toEqual({ available: 100n * usdt, chain: -100n * usdt });
  await expectCompanyBooks(world.db, tenant.id);
  expect(
    await countOf('notice', `kind = 'batchGivenBack' and recipients = array['${initiator.session.userId}'::uuid]`, run),
  ).toBe(1);
  expect(await countOf('audit_event', `action = 'batches.giveBack' and subject_id = '${runId}'`, run)).toBe(1);
  // Nothing waits for approvers, and pages of the run can be read.
  expect((await succeed(world, listApprovals, { as: approver, query: { view: 'pending' } })).data.items).toEqual([]);
  await succeed(world, getApproval, { as: approver, params: { id: present(items[0]).id } });
  const shown = (await succeed(world, getBatchRun, { as: initiator, params: { id: runId } })).data;
  expect(shown).toMatchObject({ rows: 2, open: 2, totals: [], cancellable: false });
  expect(shown.progress).toEqual({ waiting: 0, underWay: 0, completed: 0, failed: 2, paidTwice: 0 });
  expect((await succeed(world, listBatchRunRows, { as: initiator, params: { id: runId } })).data.items).toEqual([]);
  expect((await succeed(world, listBatchRuns, { as: initiator, params: { id: batchId } })).data.items).toHaveLength(1);
});

test('its batch can be sent then', async () => {
  const run = await stuck(11);
  const { tenant, initiator, batchId } = run;
  await world.queue.enter(tenant.id);
  world.complaints.splice(0);
  await gate.admit(tenant.id);
  const again = await submittedRun(world, initiator, batchId, sendBatchAgain);
  await world.queue.settled();
  expect((await entriesOf(world.db, tenant.id, again)).map(({ stage }) => stage)).toEqual(['approved', 'approved']);
  expect((await balances(run)).outbound).toBe(held);
  await expectCompanyBooks(world.db, tenant.id);
});

/** A deposit is taken back that the wallet has spent in part. Amounts in minor units. */
async function takeBack({ tenant }: Stuck, amountMinor: bigint): Promise<void> {
  const walletId = tenant.wallets.USDT;
  const posting = { kind: 'deposit.reversed', sourceId: newId(), description: 'taken back' };
  await world.db.worker.withCompany(tenant.id, async (tx) => {
    const { chain } = await accountsByKind(tx, walletId, ['chain']);
    await takeFromWallet(tx, walletId, amountMinor, posting, [{ accountId: chain.id, amountMinor }]);
  });
}

test.each([
  ['a part of what comes back', 90n * usdt, { available: 10n * usdt, chain: -10n * usdt }],
  ['all that comes back', 100n * usdt, {}],
] as const)('a shortfall that the wallet has meanwhile is repaid first, from %s', async (_, takenMinor, left) => {
  const run = await stuck(11);
  await takeBack(run, takenMinor);
  const missing = takenMinor - (100n * usdt - held);
  expect(await balances(run)).toEqual({
    outbound: held,
    deficit: -missing,
    ...(takenMinor < 100n * usdt ? { chain: takenMinor - 100n * usdt } : {}),
  });
  await world.queue.enter(run.tenant.id);
  expect(world.complaints.splice(0).join()).toContain('was given back');
  expect(await balances(run)).toEqual(left);
  await expectCompanyBooks(world.db, run.tenant.id);
});

test('nothing is given back before its time', async () => {
  const run = await stuck(9);
  await expect(world.queue.enter(run.tenant.id)).rejects.toMatchObject({ key: 'unavailable' });
  expect(world.complaints.splice(0).join()).not.toContain('given back');
  expect(await keptOf(gate, run.tenant.id)).toEqual(queuedOnly(2));
  expect((await balances(run)).outbound).toBe(held);
});

test('what can be entered is entered, however late', async () => {
  const run = await stuck(60);
  await gate.admit(run.tenant.id);
  await world.queue.enter(run.tenant.id);
  expect(await keptOf(gate, run.tenant.id)).toEqual(entered(2));
  expect((await balances(run)).outbound).toBe(held);
  await expectCompanyBooks(world.db, run.tenant.id);
});

test('a record that is not as it was sealed is given back by what the ledger holds', async () => {
  const run = await stuck(11);
  const { tenant } = run;
  await gate.admit(tenant.id);
  await gate.query('update payout_batch_queue set content = $2 where company_id = $1', [tenant.id, Buffer.from('')]);
  await world.queue.enter(tenant.id);
  expect(world.complaints.splice(0).join()).toMatch(/are as they were sealed.*was given back/);
  expect(await keptOf(gate, tenant.id)).toEqual(givenBack);
  expect(await balances(run)).toEqual({ available: 100n * usdt, chain: -100n * usdt });
});

test('what waits for the rows goes on when they are given back', async () => {
  const run = await stuck(11);
  const { tenant, initiator, runId } = run;
  expect((await succeed(world, getBatchRun, { as: initiator, params: { id: runId } })).data.open).toBe(2);
  expect(world.complaints.splice(0).join()).toContain('was given back');
  expect(await keptOf(gate, tenant.id)).toEqual(givenBack);
});

test('no right deletes queued rows whose sum is held', async () => {
  const run = await stuck(0);
  const { id } = run.tenant;
  const deleted = gate.query('delete from payout_batch_queue where company_id = $1', [id]);
  await expect(deleted).rejects.toThrow('what is held for queued rows is not given back');
  expect(await keptOf(gate, id)).toEqual(queuedOnly(2));
});
