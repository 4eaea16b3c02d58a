import { getApproval, listApprovals } from '@causeway/contract/approvals.ts';
import { editBankPayee } from '@causeway/contract/bank-payees.ts';
import { cancelBatch, listBatchRunRows, sendBatchAgain, submitBatch } from '@causeway/contract/batch-runs.ts';
import { sendUserCode } from '@causeway/contract/identity.ts';
import { getTransaction } from '@causeway/contract/transactions.ts';
import { cancelTransfer } from '@causeway/contract/transfers.ts';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../../platform/ids.ts';
import { newBankAccount } from '../../../testing/bank-payee-requests.ts';
import {
  checkOf,
  decideRun,
  entriesOf,
  insertTestBatch,
  paidOf,
  runContent,
  runOf,
  runRequest,
  submittedRun,
  type TestRow,
} from '../../../testing/batches.ts';
import { credit } from '../../../testing/company.ts';
import { expectCompanyBooks, expectLedgerToAgree, walletBalances } from '../../../testing/company-books.ts';
import type { Member } from '../../../testing/main-app.ts';
import { balancesOf, type PayingCompany, type PayoutWorld, payoutWorld } from '../../../testing/payouts.ts';
import { present } from '../../../testing/present.ts';
import { succeed } from '../../../testing/succeed.ts';
import { reviewOf } from '../../../testing/transaction-requests.ts';
import { payee } from '../../../testing/valid-requests.ts';

/** A batch from its check to the end of its rows, through the calls of the company. */

let payouts: PayoutWorld;
beforeAll(async () => {
  payouts = await payoutWorld();
});
afterAll(async () => {
  await expectLedgerToAgree(payouts.db);
  await payouts.close();
});
afterEach(() => expect(payouts.world.complaints.splice(0)).toEqual([]));

const usdt = 1_000_000n;
/** The operator's fee of a transfer on the test's chain, in minor units. */
const fee = 1n * usdt;

interface Payroll {
  company: PayingCompany;
  payeeIds: string[];
  rows: TestRow[];
}

/** A company with USDT and HKD, and two rows out of each wallet. */
async function payroll(credited = 10_000n * usdt): Promise<Payroll> {
  const { world, db } = payouts;
  const company = await payouts.company('10000.00');
  await credit(db, company, 'USDT', credited);
  const payeeIds = [await payee(world, company), await payee(world, company)];
  const rows: TestRow[] = [
    {
      walletId: company.wallets.USDT,
      payeeId: present(payeeIds[0]),
      amountMinor: 100n * usdt,
      terms: { notes: 'May' },
    },
    { walletId: company.walletId, payeeId: company.payee.id, versionId: company.payee.versionId, amountMinor: 50_000n },
    { walletId: company.wallets.USDT, payeeId: present(payeeIds[1]), amountMinor: 250n * usdt },
    { walletId: company.walletId, payeeId: company.payee.id, versionId: company.payee.versionId, amountMinor: 75_000n },
  ];
  return { company, payeeIds, rows };
}

describe('a check', () => {
  test('says fees, what each wallet has left and what to look at, and counts nothing', async () => {
    const { world, db } = payouts;
    const { company, rows } = await payroll();
    const { id } = await insertTestBatch(db, company, [...rows, present(rows[0])]);
    const check = await checkOf(world, company.admin, id);
    expect(check).toMatchObject({ number: 1, rows: 5, errors: 0, review: { outcome: 'off' } });
    expect(check.totals.find(({ asset }) => asset === 'USDT')).toMatchObject({
      rows: 3,
      amount: '450.000000',
      fee: '3.000000',
    });
    expect(check.wallets.find(({ walletId }) => walletId === company.wallets.USDT)).toMatchObject({
      available: '10000.000000',
      left: '9547.000000',
      covered: true,
    });
    const keys = check.items.map(({ findings }) => findings.map(({ key }) => key));
    expect(keys[0]).toEqual(['newPayee']);
    expect(keys[4]).toEqual(['newPayee', 'duplicate']);
    expect(check.items[0]).toMatchObject({ fee: '1.000000', valueUsd: '100.00' });
    const counted = await db.app.withCompany(company.id, (tx) =>
      sql`select from risk_flow where company_id = company_id()`.execute(tx),
    );
    expect(counted.rows).toEqual([]);
  });

  test('names every row that would be refused, each after those before it', async () => {
    const { world, db } = payouts;
    const { company, rows } = await payroll(350n * usdt);
    const { id } = await insertTestBatch(db, company, [...rows, { ...present(rows[0]), wrong: true }]);
    const check = await checkOf(world, company.admin, id);
    expect(check.items.map(({ findings }) => findings.find(({ severity }) => severity === 'error')?.key)).toEqual([
      undefined,
      undefined,
      // 100 and 250 with a fee each are more than 350.
      'insufficientBalance',
      undefined,
      'batchRowsWrong',
    ]);
    expect(check.valueUsd).toBeNull();
    expect(check.wallets.find(({ walletId }) => walletId === company.wallets.USDT)).toMatchObject({
      // 100, 250 and the wrong row's 100, and two fees.
      left: '-102.000000',
      covered: false,
    });
  });
});

test('a row at a bank that names no account of its payee is refused: which one was meant is not known', async () => {
  const { world, db } = payouts;
  const { company, rows } = await payroll();
  const { versionId: _version, ...unnamed } = present(rows[1]);
  const { id } = await insertTestBatch(db, company, [unnamed]);
  const [row] = (await checkOf(world, company.admin, id)).items;
  expect(row?.findings).toMatchObject([{ severity: 'error', key: 'payeeNotFound' }]);
});

describe('a submission', () => {
  test('makes each row a transaction of its own, held and queued', async () => {
    const { world, db } = payouts;
    const { company, rows } = await payroll();
    const { id, rowIds } = await insertTestBatch(db, company, rows);
    const before = await world.ask(sendBatchAgain, await runRequest(world, company.admin, id));
    expect(before.key).toBe('batchNotSubmitted');
    const runId = await submittedRun(world, company.admin, id);
    const entries = await entriesOf(db, company.id, runId);
    expect(entries.map(({ rowId }) => rowId)).toEqual(rowIds);
    expect(entries.map(({ stage }) => stage)).toEqual(['approved', 'approved', 'approved', 'approved']);
    const balances = await walletBalances(db, company.id, company.wallets.USDT);
    expect(balances['outbound']).toBe(350n * usdt + 2n * fee);
    expect((await balancesOf(payouts, company))['outbound']).toBe(125_000n);
    await expectCompanyBooks(db, company.id);
    const detail = await succeed(world, getTransaction, {
      as: company.admin,
      params: { id: present(entries[2]).id },
    });
    expect(detail.data.batch).toMatchObject({ id, runId, runNumber: 1, row: 3 });
    expect(await runOf(world, company.admin, runId)).toMatchObject({ rows: 4, progress: { waiting: 4 }, open: 0 });
    // A second submission finds no row that is open, and a first one only once.
    const again = await world.ask(submitBatch, {
      as: company.admin,
      body: { ...runContent(id, { version: 1, rows: 4, totals: [] }), codeMethod: 'email', code: '000000' },
    });
    expect(again.key).toBe('batchSubmitted');
    const open = await world.ask(sendBatchAgain, {
      as: company.admin,
      body: { ...runContent(id, { version: 1, rows: 4, totals: [] }), codeMethod: 'email', code: '000000' },
    });
    expect(open.key).toBe('batchNothingToSend');
  });

  test('of rows of which one is refused writes nothing', async () => {
    const { world, db } = payouts;
    const { company, rows } = await payroll(400n * usdt);
    const { id } = await insertTestBatch(db, company, rows);
    const request = await runRequest(world, company.admin, id);
    await db.app.withCompany(company.id, (tx) =>
      sql`update payout_batch_row set amount = 350000000 where company_id = company_id() and batch_id = ${id} and number = 3`.execute(
        tx,
      ),
    );
    const refused = await world.ask(submitBatch, request);
    expect(refused.key).toBe('batchRowsRefused');
    expect(await walletBalances(db, company.id, company.wallets.USDT)).toMatchObject({ available: 400n * usdt });
    const { rows: runs } = await db.app.withCompany(company.id, (tx) =>
      sql`select from payout_batch_run where company_id = company_id()`.execute(tx),
    );
    expect(runs).toEqual([]);
  });

  test('is bound to every row: what was changed after the code was asked for is refused', async () => {
    const { world, db } = payouts;
    const { company, rows } = await payroll();
    const { id } = await insertTestBatch(db, company, rows);
    const request = await runRequest(world, company.admin, id);
    await db.app.withCompany(company.id, (tx) =>
      sql`update payout_batch_row set amount = amount + 1 where company_id = company_id() and batch_id = ${id} and number = 4`.execute(
        tx,
      ),
    );
    expect((await world.ask(submitBatch, request)).key).toBe('transferCodeMismatch');
    expect((await world.ask(submitBatch, { ...request, body: { ...request.body, version: 2 } })).key).toBe(
      'batchChanged',
    );
    expect((await world.ask(submitBatch, { ...request, body: { ...request.body, rows: 3 } })).key).toBe('batchChanged');
    const fees = request.body.fees.map((each) => ({ ...each, amount: '0' }));
    expect((await world.ask(submitBatch, { ...request, body: { ...request.body, fees } })).key).toBe(
      'batchFeesChanged',
    );
    await db.app.withCompany(company.id, (tx) =>
      sql`update payout_batch set version = version + 1 where company_id = company_id() and id = ${id}`.execute(tx),
    );
    expect((await world.ask(submitBatch, request)).key).toBe('batchChanged');
  });

  test('repeated with its key is the same run', async () => {
    const { world, db } = payouts;
    const { company, rows } = await payroll();
    const { id } = await insertTestBatch(db, company, rows);
    const request = { ...(await runRequest(world, company.admin, id)), headers: { 'idempotency-key': newId() } };
    const [first, second] = [await succeed(world, submitBatch, request), await succeed(world, submitBatch, request)];
    expect(second.data).toEqual(first.data);
    expect((await runOf(world, company.admin, first.data.id)).progress.waiting).toBe(4);
  });
});

async function reviewed(test: Payroll): Promise<{ approver: Member; runId: string; batchId: string }> {
  const { world, db } = payouts;
  await reviewOf(world, test.company)(true);
  const approver = await world.member(test.company, 'approver');
  const { id: batchId } = await insertTestBatch(db, test.company, test.rows);
  return { approver, batchId, runId: await submittedRun(world, test.company.admin, batchId) };
}

describe('one approval', () => {
  test('has the totals and what to look at first, and lets every row go', async () => {
    const { world, db } = payouts;
    const { company, ...of } = await payroll();
    const { approver, runId } = await reviewed({ company, ...of });
    const { items } = (await succeed(world, listApprovals, { as: approver, query: { view: 'pending' } })).data;
    expect(items).toHaveLength(1);
    const task = present(items[0]);
    expect(task).toMatchObject({ kind: 'batch', shape: 'batch', subjectId: runId, amount: null, mayDecide: true });
    const { data } = await succeed(world, getApproval, { as: approver, params: { id: task.id } });
    expect(data.content).toMatchObject({ shape: 'batch', rows: 4, waiting: 4, number: 1 });
    if (data.content.shape !== 'batch') throw new Error('it is a batch');
    expect(data.content.remarkable.map(({ number }) => number)).toEqual([1, 2, 3, 4]);
    const waiting = await entriesOf(db, company.id, runId);
    expect(waiting.map(({ stage }) => stage)).toEqual(Array(4).fill('waiting_approval'));
    await decideRun(world, approver, runId);
    expect((await entriesOf(db, company.id, runId)).map(({ stage }) => stage)).toEqual(Array(4).fill('approved'));
    const detail = await succeed(world, getTransaction, { as: approver, params: { id: present(waiting[0]).id } });
    expect(detail.data.approvalTaskId).toBe(task.id);
    expect(detail.data.decisions).toHaveLength(1);
  });

  test('rejected, it gives back what every row holds', async () => {
    const { world, db } = payouts;
    const test = await payroll();
    const before = await walletBalances(db, test.company.id, test.company.wallets.USDT);
    const { approver, runId } = await reviewed(test);
    await decideRun(world, approver, runId, 'rejected');
    expect((await entriesOf(db, test.company.id, runId)).map(({ stage }) => stage)).toEqual(Array(4).fill('refused'));
    expect(await walletBalances(db, test.company.id, test.company.wallets.USDT)).toEqual(before);
    expect((await balancesOf(payouts, test.company))['outbound']).toBe(0n);
    await expectCompanyBooks(db, test.company.id);
    // What is counted towards limits is given back, too.
    const { rows } = await db.app.withCompany(test.company.id, (tx) =>
      sql<{
        transactions: number;
      }>`select sum(transactions)::integer as transactions from risk_usage where company_id = company_id()`.execute(tx),
    );
    expect(rows[0]?.transactions).toBe(0);
  });

  test('a row that its initiator cancels leaves the others; the rest is cancelled together', async () => {
    const { world, db } = payouts;
    const test = await payroll();
    const { approver, runId } = await reviewed(test);
    const [first] = await entriesOf(db, test.company.id, runId);
    await succeed(world, cancelTransfer, { as: test.company.admin, body: { id: present(first).id } });
    expect((await runOf(world, test.company.admin, runId)).progress).toMatchObject({ waiting: 3, failed: 1 });
    expect((await world.ask(cancelBatch, { as: approver, body: { id: runId } })).key).toBe('noPermission');
    const finance = await world.member(test.company, 'finance');
    expect(await runOf(world, finance, runId)).toMatchObject({ cancellable: false });
    expect(await runOf(world, test.company.admin, runId)).toMatchObject({ cancellable: true });
    expect((await world.ask(cancelBatch, { as: finance, body: { id: runId } })).key).toBe('batchRunNotOwn');
    const { data } = await succeed(world, cancelBatch, { as: test.company.admin, body: { id: runId } });
    expect(data.cancelled).toBe(3);
    expect((await world.ask(cancelBatch, { as: test.company.admin, body: { id: runId } })).key).toBe('batchRunOver');
    const { items } = (await succeed(world, listApprovals, { as: approver, query: { view: 'pending' } })).data;
    expect(items).toEqual([]);
    await expectCompanyBooks(db, test.company.id);
  });

  test('a payee that cannot be paid any more stops its own rows alone', async () => {
    const { world, db } = payouts;
    const test = await payroll();
    const { approver, runId } = await reviewed(test);
    await db.app.withCompany(test.company.id, (tx) =>
      sql`update crypto_payee set deleted_at = now() where company_id = company_id() and id = ${test.payeeIds[0]}`.execute(
        tx,
      ),
    );
    await decideRun(world, approver, runId);
    expect((await entriesOf(db, test.company.id, runId)).map(({ stage, reason }) => [stage, reason])).toEqual([
      ['refused', 'stage.reason.payeeUnusable'],
      ['approved', null],
      ['approved', null],
      ['approved', null],
    ]);
  });

  test('a payee whose account was changed meanwhile, and can be paid there, stops its own rows alone', async () => {
    const { world, db } = payouts;
    const test = await payroll();
    const { approver, runId } = await reviewed(test);
    const { id, versionId } = test.company.payee;
    const body = { id, versionId, ...newBankAccount() };
    const { status } = (await succeed(world, editBankPayee, { as: test.company.admin, body })).data;
    expect(status).toBe('usable');
    await decideRun(world, approver, runId);
    expect((await entriesOf(db, test.company.id, runId)).map(({ stage, reason }) => [stage, reason])).toEqual([
      ['approved', null],
      ['refused', 'stage.reason.payeeAccountChanged'],
      ['approved', null],
      ['refused', 'stage.reason.payeeAccountChanged'],
    ]);
    expect((await balancesOf(payouts, test.company))['outbound'] ?? 0n).toBe(0n);
    await expectCompanyBooks(db, test.company.id);
  });

  test('is void where a row is no longer what was submitted', async () => {
    const { world, db } = payouts;
    const test = await payroll();
    const { approver, runId } = await reviewed(test);
    const [first] = await entriesOf(db, test.company.id, runId);
    const owner = new pg.Client({ connectionString: db.superuserUrl });
    await owner.connect();
    await owner.query('update causeway.transaction set notes = $1 where id = $2', ['for another', present(first).id]);
    await owner.end();
    await expect(decideRun(world, approver, runId)).rejects.toThrow('approvalVoided');
  });
});

test('failed rows are sent again under their row ids, with a code and new transactions', async () => {
  const { world, db } = payouts;
  const { company, rows } = await payroll();
  const { id, rowIds } = await insertTestBatch(db, company, rows);
  const paid = () => paidOf(world, company.admin, id);
  expect(await paid()).toBeNull();
  const first = await submittedRun(world, company.admin, id);
  const [one, , three] = await entriesOf(db, company.id, first);
  for (const entry of [one, three]) {
    await succeed(world, cancelTransfer, { as: company.admin, body: { id: present(entry).id } });
  }
  expect(await paid()).toEqual({ completed: 0, failed: 2, underWay: 2 });
  const check = await checkOf(world, company.admin, id);
  expect(check).toMatchObject({ number: 2, rows: 2 });
  expect(present(check.items[0]).findings.map(({ key }) => key)).toContain('sentAgain');
  const second = await submittedRun(world, company.admin, id, sendBatchAgain);
  const again = await entriesOf(db, company.id, second);
  expect(again.map(({ rowId }) => rowId)).toEqual([rowIds[0], rowIds[2]]);
  expect(await paid()).toEqual({ completed: 0, failed: 0, underWay: 4 });
  expect(again.map((entry) => entry.id)).not.toContain(present(one).id);
  const { items } = (
    await succeed(world, listBatchRunRows, { as: company.admin, params: { id: second }, query: { state: 'waiting' } })
  ).data;
  expect(items.map(({ number }) => number)).toEqual([1, 3]);
  await expectCompanyBooks(db, company.id);
});

test('a code is mailed with the batch, the rows and the totals', async () => {
  const { world, db } = payouts;
  const { company, rows } = await payroll();
  const { id } = await insertTestBatch(db, company, rows);
  const content = runContent(id, await checkOf(world, company.admin, id));
  const other = { ...content, batchId: newId() };
  const asked = (subject: object) =>
    world.ask(sendUserCode, {
      as: company.admin,
      body: { scenario: 'transaction', subject: { kind: 'batch', content: subject } },
    });
  expect((await asked(other)).key).toBe('batchNotFound');
  expect((await asked({ ...content, version: 7 })).key).toBe('batchChanged');
  expect((await asked(content)).key).toBeNull();
});
