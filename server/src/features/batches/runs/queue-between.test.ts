import { decideApprovals, getApproval, listApprovals, withdrawApproval } from '@causeway/contract/approvals.ts';
import {
  cancelBatch,
  checkBatch,
  getBatchRun,
  listBatchRunRows,
  listBatchRuns,
  sendBatchAgain,
  submitBatch,
} from '@causeway/contract/batch-runs.ts';
import { exportTransactions, listTransactions, saveFilter } from '@causeway/contract/transactions.ts';
import { cancelTransfer, transferOut } from '@causeway/contract/transfers.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Tx } from '../../../platform/database/database.ts';
import { newId } from '../../../platform/ids.ts';
import { decision } from '../../../testing/approval-requests.ts';
import { entriesOf, insertTestBatch, runRequest, type TestBatch } from '../../../testing/batches.ts';
import { chainFamilies } from '../../../testing/chain-families.ts';
import { credit } from '../../../testing/company.ts';
import { expectCompanyBooks, expectLedgerToAgree, walletBalances } from '../../../testing/company-books.ts';
import { testDatabase } from '../../../testing/database.ts';
import { type MainApp, type Member, mainApp, type Request, type Tenant } from '../../../testing/main-app.ts';
import { present } from '../../../testing/present.ts';
import {
  entered,
  type Gate,
  gateAt,
  keptOf,
  queuedOnly,
  queuedRun,
  type WatchedDatabase,
  waitsFor,
  watched,
} from '../../../testing/queueing.ts';
import { enact, forbidding } from '../../../testing/risk.ts';
import { succeed } from '../../../testing/succeed.ts';
import { reviewOf } from '../../../testing/transaction-requests.ts';
import { payee, transferContent, transferRequest } from '../../../testing/valid-requests.ts';
import { tendApprovals } from '../../approvals/service/expire-and-remind.ts';
import { createRunSubject } from '../index.ts';
import {
  lockHead,
  readOpenRows,
  readRunIds,
  readRuns,
  readSentIds,
  readStoredRun,
  readUnpayable,
} from '../store/runs.ts';
import { transactionIdOf } from './domain.ts';

/** What is asked of a company between the answer to a large batch and the entering of its rows: it is answered as if they had been entered at once. */

const usdt = 1_000_000n;
/** Two rows, with the operator's fee of 1 for each. */
const held = 14n * usdt;

let db: WatchedDatabase;
let world: MainApp;
let gate: Gate;
let tenant: Tenant;
let initiator: Member;
let approver: Member;
let batch: TestBatch;
beforeAll(async () => {
  db = watched(await testDatabase());
  world = await mainApp(db, undefined, { rowsAtOnce: 0 });
  gate = await gateAt(db, 'payout_batch_entry');
});
afterAll(async () => {
  await expectLedgerToAgree(db);
  await gate.close();
  await world.close();
  await db.close();
});
beforeEach(async () => {
  tenant = await world.company();
  await credit(db, tenant, 'USDT', 100n * usdt);
  [initiator, approver] = [await world.member(tenant, 'finance'), await world.member(tenant, 'approver')];
  const payeeId = await payee(world, tenant);
  const row = (units: bigint) => ({ walletId: tenant.wallets.USDT, payeeId, amountMinor: units * usdt });
  batch = await insertTestBatch(db, tenant, [row(5n), row(7n)]);
});
afterEach(async () => {
  expect(world.complaints.splice(0)).toEqual([]);
  await expectCompanyBooks(db, tenant.id);
});

const queued = () => queuedRun(world, gate, initiator, batch.id);
const waits = <T>(ask: () => Promise<T>) => waitsFor(db, gate, tenant.id, ask);
const stages = async (runId: string) => (await entriesOf(db, tenant.id, runId)).map(({ stage }) => stage);
const outbound = async () => (await walletBalances(db, tenant.id, tenant.wallets.USDT)).outbound ?? 0n;

async function transfer(as?: Member): Promise<Request> {
  return transferRequest(world, tenant, await transferContent(world, tenant), as);
}

describe('a transfer is judged after the queued rows', () => {
  test('by a policy that counts the payments of a day', async () => {
    await enact(db, tenant.id, forbidding({ dimension: 'crypto_frequency', from: '3', to: null }));
    const request = await transfer();
    await queued();
    expect((await waits(() => world.ask(transferOut, request))).key).toBe('riskRefused');
    expect(await outbound()).toBe(held);
  });

  test('by the operator’s limit of a day', async () => {
    const request = await transfer();
    await gate.query(
      `insert into operator_price (id, company_id, kind, asset_id, value, valid_from, set_by) values ($1, $2, 'daily_limit', 'USDT', $3, now(), 'test')`,
      [newId(), tenant.id, 16n * usdt],
    );
    await queued();
    const refused = await waits(() => world.ask(transferOut, request));
    expect(refused.key).toBe('amountAboveDailyLimit');
    expect(refused.errors.join()).toContain('4.00 USDT');
  });

  test('and succeeds where all of them are allowed', async () => {
    const request = await transfer();
    await queued();
    expect((await waits(() => world.ask(transferOut, request))).key).toBeNull();
    expect(await outbound()).toBe(held + 6n * usdt);
    expect(await keptOf(gate, tenant.id)).toMatchObject({ parts: 0, entries: 2, payments: 3 });
  });
});

describe('one that had begun before the rows were queued', () => {
  let door: Gate;
  beforeAll(async () => {
    door = await gateAt(db, 'payout_batch_queue');
  });
  afterAll(() => door.close());

  /** Asks for something behind the locks of a submission that has everything but its commit. @returns the run's id, and the answer */
  async function behind<T>(ask: () => Promise<T>, waitingFor: string): Promise<[string, T]> {
    const request = await runRequest(world, initiator, batch.id);
    await door.hold(tenant.id);
    const submitted = world.ask(submitBatch, request);
    await door.untilWaiting('insert into payout_batch_queue');
    const asked = ask();
    await door.untilWaiting(waitingFor);
    await door.release(tenant.id);
    expect((await submitted).key).toBeNull();
    return [request.body.id, await asked];
  }

  test('a transfer is judged after them, too', async () => {
    await enact(db, tenant.id, forbidding({ dimension: 'crypto_frequency', from: '3', to: null }));
    const request = await transfer();
    const [, answer] = await behind(() => world.ask(transferOut, request), `hashtextextended('risk '`);
    expect(answer.key).toBe('riskRefused');
  });

  test.each([
    ['a submission', submitBatch, 'batchSubmitted'],
    ['sending again', sendBatchAgain, 'batchNothingToSend'],
  ] as const)('%s of the same batch finds its rows under way', async (_, call, key) => {
    const request = await runRequest(world, tenant.admin, batch.id);
    const [runId, answer] = await behind(() => world.ask(call, request), 'select from payout_batch where');
    expect(answer.key).toBe(key);
    expect(await stages(runId)).toEqual(['approved', 'approved']);
    expect(await keptOf(gate, tenant.id)).toEqual(entered(2));
  });
});

describe('what is asked of the run', () => {
  test('sending its batch again finds all rows under way', async () => {
    const request = await runRequest(world, tenant.admin, batch.id);
    await queued();
    expect((await waits(() => world.ask(sendBatchAgain, request))).key).toBe('batchNothingToSend');
    expect(await keptOf(gate, tenant.id)).toEqual(entered(2));
  });

  test('a cancel ends each row', async () => {
    const id = await queued();
    expect((await waits(() => world.ask(cancelBatch, { as: initiator, body: { id } }))).data).toEqual({
      id,
      cancelled: 2,
    });
    expect(await stages(id)).toEqual(['cancelled', 'cancelled']);
    expect(await outbound()).toBe(0n);
  });

  test('a cancel of one of its payments finds the payment', async () => {
    const runId = await queued();
    const id = transactionIdOf(runId, present(batch.rowIds[0]));
    expect((await waits(() => world.ask(cancelTransfer, { as: initiator, body: { id } }))).key).toBeNull();
    expect(await stages(runId)).toEqual(['cancelled', 'approved']);
  });

  test('what an approval asks about it waits for its rows', async () => {
    await reviewOf(world, tenant)(true);
    const id = await queued();
    const recheck = () => db.app.withCompany(tenant.id, (tx) => createRunSubject(chainFamilies).recheck(tx, id));
    expect(await waits(recheck)).toBeNull();
  });

  const id = expect.any(String);
  test.each<[string, (tx: Tx, ids: { runId: string; batchId: string }) => Promise<unknown>, unknown]>([
    ['its batch behind the lock', (tx, { batchId }) => lockHead(tx, batchId), { runs: 1 }],
    ['the rows that can be sent', (tx, { batchId }) => readOpenRows(tx, batchId), []],
    ['all payments of its batch', (tx, { batchId }) => readSentIds(tx, batchId), [id, id]],
    ['what its digest is of', (tx, { runId }) => readStoredRun(tx, runId), { entries: [{}, {}] }],
    ['its payments at a stage', (tx, { runId }) => readRunIds(tx, runId, ['waiting_approval']), [id, id]],
    ['which of them cannot be paid', (tx, { runId }) => readUnpayable(tx, runId), [{}, {}]],
    ['the run', (tx, { runId }) => readRuns(tx, { runId }), [{ waiting: 2 }]],
  ])('what was not refused as its transaction began waits where it reads %s', async (_, read, found) => {
    await reviewOf(world, tenant)(true);
    const runId = await queued();
    await gate.query('update crypto_payee set deleted_at = now() where company_id = $1', [tenant.id]);
    const reading = () => db.app.withCompany(tenant.id, (tx) => read(tx, { runId, batchId: batch.id }));
    expect(await waits(reading)).toMatchObject(found as object);
  });

  test.each([
    ['approved', 'approved', held],
    ['rejected', 'refused', 0n],
  ] as const)('a decision is on its rows: %s', async (outcome, stage, heldAfter) => {
    await reviewOf(world, tenant)(true);
    const id = await queued();
    const { items } = (await succeed(world, listApprovals, { as: approver, query: { view: 'pending' } })).data;
    const taskId = present(items[0]).id;
    const decide = async () => world.ask(decideApprovals, await decision(world, approver, [taskId], outcome));
    expect((await waits(decide)).key).toBeNull();
    expect(await stages(id)).toEqual([stage, stage]);
    expect(await outbound()).toBe(heldAfter);
  });

  test('its initiator takes it back with all its rows', async () => {
    await reviewOf(world, tenant)(true);
    const id = await queued();
    const { items } = (await succeed(world, listApprovals, { as: approver, query: { view: 'pending' } })).data;
    const body = { id: present(items[0]).id };
    expect((await waits(() => world.ask(withdrawApproval, { as: initiator, body }))).key).toBeNull();
    expect(await stages(id)).toEqual(['cancelled', 'cancelled']);
    expect(await outbound()).toBe(0n);
  });

  test('an approver reads its rows', async () => {
    await reviewOf(world, tenant)(true);
    await queued();
    const { items } = (await succeed(world, listApprovals, { as: approver, query: { view: 'pending' } })).data;
    const shown = await waits(() => world.ask(getApproval, { as: approver, params: { id: present(items[0]).id } }));
    expect(shown.data?.content).toMatchObject({ shape: 'batch', waiting: 2, totals: [{ amount: '12.000000' }] });
  });

  test('the end of its approval’s time ends its rows, although the worker cannot enter them', async () => {
    await reviewOf(world, tenant)(true);
    const id = await queued();
    const refused = Promise.withResolvers<void>();
    const others = Promise.withResolvers<void>();
    db.worker.whenQueued(() => {
      refused.resolve();
      return others.promise;
    });
    const complaints: unknown[] = [];
    const tended = tendApprovals({
      database: db.worker,
      subjects: new Map([['batch', createRunSubject(chainFamilies)]]),
      log: { warn: (what: unknown) => complaints.push(what) } as never,
      clock: { now: () => new Date(Date.now() + 60 * 86_400_000) },
    });
    await refused.promise;
    expect(await keptOf(gate, tenant.id)).toEqual(queuedOnly(2));
    await gate.release(tenant.id);
    await world.queue.settled();
    others.resolve();
    await tended;
    expect(complaints).toEqual([]);
    expect(await stages(id)).toEqual(['refused', 'refused']);
    expect(await outbound()).toBe(0n);
  });

  test.each([
    ['the run', getBatchRun, { progress: { waiting: 2, underWay: 0 }, initiator: { name: 'Ada Wong' }, open: 0 }],
    ['its rows', listBatchRunRows, { items: [{ number: 1 }, { number: 2 }] }],
    ['the runs of the batch', listBatchRuns, { items: [{ progress: { waiting: 2 } }] }],
    ['the check of the batch', checkBatch, { rows: 0 }],
  ] as const)('%s shows its rows', async (_, call, shown) => {
    const runId = await queued();
    const id = call === listBatchRuns || call === checkBatch ? batch.id : runId;
    expect((await waits(() => world.ask(call, { as: initiator, params: { id } }))).data).toMatchObject(shown);
  });

  test('a file of all transactions has its rows', async () => {
    await queued();
    const csv = await waits(() => world.ask(exportTransactions, { as: initiator }));
    expect(csv.raw.body.trim().split('\r\n').slice(1)).toHaveLength(2);
  });

  test('everything else that the company writes comes after it', async () => {
    await queued();
    const body = { id: newId(), name: 'Pending', filters: { status: 'pending' } };
    expect((await waits(() => world.ask(saveFilter, { as: tenant.admin, body }))).key).toBeNull();
    expect(await keptOf(gate, tenant.id)).toEqual(entered(2));
  });
});

test('another company is not held up, not even by transfers that wait for the rows', async () => {
  const other = await world.company();
  await credit(db, other, 'USDT', 100n * usdt);
  const requests = [await transfer(), await transfer(), await transfer()];
  const others = await transferRequest(world, other, await transferContent(world, other));
  const alone = await transferRequest(world, other, await transferContent(world, other));
  await queued();
  let answered = 0;
  const asked = requests.map(async (request) => {
    const answer = await world.ask(transferOut, request);
    answered += 1;
    return answer;
  });
  // In one transaction with them, and when they wait.
  expect((await world.ask(transferOut, others)).key).toBeNull();
  expect((await world.ask(transferOut, alone)).key).toBeNull();
  expect(answered).toBe(0);
  await gate.release(tenant.id);
  expect((await Promise.all(asked)).map(({ key }) => key)).toEqual([null, null, null]);
});

test('nor by more requests than there are connections', async () => {
  const other = await world.company();
  const id = await queued();
  const refused = db.refused(20);
  const asked = Array.from({ length: 20 }, () => world.ask(getBatchRun, { as: initiator, params: { id } }));
  await refused;
  expect((await world.ask(listTransactions, { as: other.admin })).key).toBeNull();
  await gate.release(tenant.id);
  for (const { data } of await Promise.all(asked)) expect(data?.progress.waiting).toBe(2);
});
