import { submitBatch } from '@causeway/contract/batch-runs.ts';
import { maxBatchRows } from '@causeway/contract/batches-rules.ts';
import { listTransactions } from '@causeway/contract/transactions.ts';
import { transferOut } from '@causeway/contract/transfers.ts';
import { listWallets } from '@causeway/contract/wallets.ts';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Database, openDatabase } from '../../../platform/database/database.ts';
import { newId } from '../../../platform/ids.ts';
import {
  decideRun,
  entriesOf,
  insertTestBatch,
  runRequest,
  submittedRun,
  type TestRow,
} from '../../../testing/batches.ts';
import { credit } from '../../../testing/company.ts';
import { expectCompanyBooks, expectLedgerToAgree, walletBalances } from '../../../testing/company-books.ts';
import { type MainApp, mainApp } from '../../../testing/main-app.ts';
import { type PayingCompany, type PayoutWorld, payoutWorld } from '../../../testing/payouts.ts';
import { present } from '../../../testing/present.ts';
import { entered, type Gate, gateAt, keptOf, queuedOnly, queuedRun, traceOf } from '../../../testing/queueing.ts';
import { enact, forbidding } from '../../../testing/risk.ts';
import { succeed } from '../../../testing/succeed.ts';
import { reviewOf } from '../../../testing/transaction-requests.ts';
import { insertTestTransaction } from '../../../testing/transactions.ts';
import { payee, transferContent, transferRequest } from '../../../testing/valid-requests.ts';
import { accountsByKind, move, post } from '../../ledger/index.ts';
import { transactionIdOf } from './domain.ts';

/** Rows of a large batch, while they are queued and when they are entered: what is held, seen and written. */

let payouts: PayoutWorld;
let world: MainApp;
let gate: Gate;
/** Another process, which enters the rows of all batches at once. */
let other: MainApp;
let othersDatabase: Database;
let company: PayingCompany;
beforeAll(async () => {
  payouts = await payoutWorld(undefined, { rowsAtOnce: 0 });
  ({ world } = payouts);
  gate = await gateAt(payouts.db, 'payout_batch_entry');
  othersDatabase = openDatabase(payouts.db.urlFor('causeway_app'), { poolSize: 4, applicationName: 'other' });
  other = await mainApp({ ...payouts.db, app: othersDatabase }, undefined, { rowsAtOnce: maxBatchRows });
});
afterAll(async () => {
  await expectLedgerToAgree(payouts.db);
  await gate.close();
  await other.close();
  await othersDatabase.close();
  await payouts.close();
});
beforeEach(async () => {
  company = await payouts.company('1000.00');
  await credit(payouts.db, company, 'USDT', 100n * usdt);
});
afterEach(() => expect([...world.complaints.splice(0), ...other.complaints]).toEqual([]));

const usdt = 1_000_000n;

/** Two rows on a chain and one at a bank, with all that a row may say. */
async function rowsOf(one: PayingCompany): Promise<TestRow[]> {
  const onChain = { walletId: one.wallets.USDT, payeeId: await payee(world, one) };
  return [
    { ...onChain, amountMinor: 5n * usdt, terms: { notes: 'May', category: 'Wages' } },
    {
      ...{ walletId: one.walletId, payeeId: one.payee.id, versionId: one.payee.versionId, amountMinor: 20_000n },
      terms: { invoiceNumber: 'INV-7', remittance: 'wages of May' },
    },
    { ...onChain, payeeId: await payee(world, one), amountMinor: 7n * usdt },
  ];
}

/** With the operator's fee of 1 for each. */
const held = 14n * usdt;
const batchOf = async (rows: readonly TestRow[], one = company) => (await insertTestBatch(payouts.db, one, rows)).id;
const balances = () => walletBalances(payouts.db, company.id, company.wallets.USDT);
const kept = () => keptOf(gate, company.id);

/** Resolves when the rows that this process was woken for are entered. */
async function released(): Promise<void> {
  await gate.release(company.id);
  await world.queue.settled();
}

test('while rows are queued their sum is held and no payment is there; then each is what it would have been', async () => {
  const runId = await queuedRun(world, gate, company.admin, await batchOf(await rowsOf(company)));
  expect(await kept()).toEqual(queuedOnly(2));
  expect(await balances()).toEqual({ available: 100n * usdt - held, outbound: held, chain: -100n * usdt });
  await expectCompanyBooks(payouts.db, company.id);
  // Pages show the held sum, and answer at once.
  const wallets = (await succeed(world, listWallets, { as: company.admin })).data.items;
  expect(present(wallets.find(({ id }) => id === company.wallets.USDT)).available).toBe('86.000000');
  const shown = (
    await succeed(world, listTransactions, { as: company.admin, query: { walletId: company.wallets.USDT } })
  ).data;
  expect(shown.items).toEqual([]);
  await released();
  expect(await kept()).toEqual(entered(3));
  expect((await entriesOf(payouts.db, company.id, runId)).map(({ stage }) => stage)).toEqual(Array(3).fill('approved'));
  expect(await balances()).toEqual({ available: 100n * usdt - held, outbound: held, chain: -100n * usdt });
  await expectCompanyBooks(payouts.db, company.id);
});

/** How many of the run's transactions and stages are of the moment of its submission, and how many others there are. */
async function timesOf(runId: string): Promise<{ submitted: number; others: number }> {
  const [times] = await gate.query<{ submitted: number; others: number }>(
    `select count(*) filter (where at = created_at)::integer as submitted, count(*) filter (where at <> created_at)::integer as others
    from (select r.created_at, unnest(array[t.created_at, t.stage_at, s.at]) as at from payout_batch_run r
      join payout_batch_entry e on e.company_id = r.company_id and e.run_id = r.id
      join transaction t on t.company_id = e.company_id and t.id = e.transaction_id
      join transaction_stage s on s.company_id = t.company_id and s.transaction_id = t.id where r.id = $1) as times`,
    [runId],
  );
  return present(times);
}

test.each([
  ['approved at once', false],
  ['to be approved', true],
])('rows entered later are those that would have been entered at once: %s', async (_, reviewed) => {
  const [early, late] = [company, await payouts.company('1000.00')];
  await credit(payouts.db, late, 'USDT', 100n * usdt);
  const traces = [];
  for (const [one, by] of [
    [early, other],
    [late, world],
  ] as const) {
    if (reviewed) await reviewOf(by, one)(true);
    const approver = await by.member(one, 'approver');
    const runId = await submittedRun(by, one.admin, await batchOf(await rowsOf(one), one));
    await by.queue.settled();
    expect(await timesOf(runId)).toEqual({ submitted: 18, others: 0 });
    if (reviewed) await decideRun(by, approver, runId);
    expect(await entriesOf(payouts.db, one.id, runId)).toMatchObject(Array(3).fill({ stage: 'approved' }));
    traces.push(await traceOf(gate, one.id));
  }
  const [atOnce = {}, queued = {}] = traces;
  const { outbox: toldAtOnce = [], ...rowsAtOnce } = atOnce;
  const { outbox: told = [], ...rowsQueued } = queued;
  expect(rowsQueued).toEqual(rowsAtOnce);
  // Open pages read the balance once more: when it was held.
  const shown = present(told.find((row) => row.includes('"id":null,"topic":"balance"')));
  expect(told).toEqual([...toldAtOnce, shown].toSorted());
  for (const walletId of [late.wallets.USDT, late.walletId]) {
    const of = walletId === late.walletId ? early.walletId : early.wallets.USDT;
    expect(await walletBalances(payouts.db, late.id, walletId)).toEqual(await walletBalances(payouts.db, early.id, of));
  }
  await expectCompanyBooks(payouts.db, late.id);
});

test('money that queued rows hold pays for nothing else', async () => {
  const content = { ...(await transferContent(world, company)), amount: '86' };
  const request = await transferRequest(world, company, content);
  const less = await transferRequest(world, company, { ...content, id: newId(), amount: '85' });
  await queuedRun(world, gate, company.admin, await batchOf(await rowsOf(company)));
  const asked = [world.ask(transferOut, request), world.ask(transferOut, less)];
  await released();
  expect((await Promise.all(asked)).map(({ key }) => key)).toEqual(['amountAboveBalanceMinusFee', null]);
  expect(await balances()).toEqual({ outbound: 100n * usdt, chain: -100n * usdt });
});

test('the same request again has the first answer, and enters nothing twice', async () => {
  const request = {
    ...(await runRequest(world, company.admin, await batchOf(await rowsOf(company)))),
    headers: { 'idempotency-key': newId() },
  };
  await gate.hold(company.id);
  const { data } = await succeed(world, submitBatch, request);
  const again = world.ask(submitBatch, request);
  const otherKey = world.ask(submitBatch, { ...request, headers: {} });
  await released();
  expect((await again).data).toEqual(data);
  expect((await otherKey).key).toBe('batchSubmitted');
  expect(await kept()).toEqual(entered(3));
});

test('an id that another transaction takes while rows are judged is refused, and nothing is held', async () => {
  const batch = await insertTestBatch(payouts.db, company, await rowsOf(company));
  const request = await runRequest(world, company.admin, batch.id);
  const id = transactionIdOf(request.body.id, present(batch.rowIds[2]));
  // What rows are judged by cannot be read for the moment.
  await gate.query('begin; lock table causeway.risk_usage');
  const asked = world.ask(submitBatch, request);
  await gate.untilWaiting('risk_usage');
  await insertTestTransaction(payouts.db, company, { id });
  await gate.query('commit');
  expect(await asked).toMatchObject({ status: 409, key: 'idTaken' });
  expect(await kept()).toEqual({ ...queuedOnly(0), runs: 0, postings: {} });
  expect((await balances()).outbound).toBeUndefined();
});

test.each([
  ['a wrong code', 'codeWrong', async () => undefined],
  [
    'a row that risk denies',
    'batchRowsRefused',
    () =>
      enact(payouts.db, company.id, forbidding({ dimension: 'crypto_quantity', coin: 'USDT', from: '7', to: null })),
  ],
  [
    'too little money',
    'batchRowsRefused',
    async () => {
      const accounts = await payouts.db.worker.withCompany(company.id, (tx) =>
        accountsByKind(tx, company.wallets.USDT, ['chain', 'available']),
      );
      const legs = move(accounts.available.id, accounts.chain.id, 86n * usdt + 1n);
      await payouts.db.worker.withCompany(company.id, (tx) =>
        post(tx, { id: newId(), kind: 'deposit.credited', sourceId: newId(), description: 'test', legs }),
      );
    },
  ],
])('with %s nothing is queued or held', async (_, key, spoil) => {
  const request = await runRequest(world, company.admin, await batchOf(await rowsOf(company)));
  await spoil();
  const { code } = request.body;
  const body = key === 'codeWrong' ? { ...request.body, code: code === '000000' ? '111111' : '000000' } : request.body;
  expect((await world.ask(submitBatch, { ...request, body })).key).toBe(key);
  expect(await kept()).toEqual({ ...queuedOnly(0), runs: 0, postings: {} });
  expect((await balances()).outbound).toBeUndefined();
});
