import { decideApprovals, listApprovals } from '@causeway/contract/approvals.ts';
import { cancelBatch, sendBatchAgain, submitBatch } from '@causeway/contract/batch-runs.ts';
import { cancelTransfer } from '@causeway/contract/transfers.ts';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { decision } from '../../../testing/approval-requests.ts';
import { entriesOf, insertTestBatch, runOf, runRequest, submittedRun } from '../../../testing/batches.ts';
import { outgoingKinds } from '../../../testing/chain-families.ts';
import { credit } from '../../../testing/company.ts';
import { expectCompanyBooks, expectLedgerToAgree, walletBalances } from '../../../testing/company-books.ts';
import { testDatabase } from '../../../testing/database.ts';
import { type MainApp, type Member, mainApp, type Tenant } from '../../../testing/main-app.ts';
import { present } from '../../../testing/present.ts';
import { succeed } from '../../../testing/succeed.ts';
import { reviewOf } from '../../../testing/transaction-requests.ts';
import { payee } from '../../../testing/valid-requests.ts';
import { settle } from '../../outgoing/index.ts';
import { changeStage, lockTransaction } from '../../transactions/index.ts';
import { batchJobs } from './jobs.ts';

/** Runs of one batch at the same time as each other, as decisions, and as what pays a row late after all. */

const rounds = Number(process.env['PROOF_ROUNDS'] ?? 6);
const limit = { timeout: 900_000 };
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

interface Racer {
  tenant: Tenant;
  finance: Member;
  approver: Member;
  payeeId: string;
}

async function racer(): Promise<Racer> {
  const tenant = await world.company();
  await credit(world.db, tenant, 'USDT', 10_000n * usdt);
  const [finance, approver] = [await world.member(tenant, 'finance'), await world.member(tenant, 'approver')];
  return { tenant, finance, approver, payeeId: await payee(world, tenant) };
}

function batchOf({ tenant, payeeId }: Racer) {
  const row = (units: bigint) => ({ walletId: tenant.wallets.USDT, payeeId, amountMinor: units * usdt });
  return insertTestBatch(world.db, tenant, [row(10n), row(20n), row(30n)]);
}

const heldIn = async ({ tenant }: Racer) =>
  (await walletBalances(world.db, tenant.id, tenant.wallets.USDT)).outbound ?? 0n;

/** Three rows and a fee of 1 each. */
const held = 63n * usdt;

test('submitted twice at the same time by two members it is submitted once', limit, async () => {
  for (let round = 0; round < rounds; round += 1) {
    const one = await racer();
    const { id } = await batchOf(one);
    const requests = [await runRequest(world, one.tenant.admin, id), await runRequest(world, one.finance, id)];
    const answers = await Promise.all(requests.map((request) => world.ask(submitBatch, request)));
    expect(answers.map(({ key }) => key).toSorted()).toEqual(['batchSubmitted', null]);
    expect(await heldIn(one)).toBe(held);
    await expectCompanyBooks(world.db, one.tenant.id);
  }
});

test(
  'a last approval at the same time as the cancel of the rest: nothing is held, and nothing can leave',
  limit,
  async () => {
    const one = await racer();
    await reviewOf(world, one.tenant)(true);
    for (let round = 0; round < rounds; round += 1) {
      const { id } = await batchOf(one);
      const runId = await submittedRun(world, one.finance, id);
      const { items } = (await succeed(world, listApprovals, { as: one.approver, query: { view: 'pending' } })).data;
      const request = await decision(world, one.approver, [present(items[0]).id]);
      const [decided, cancelled] = await Promise.all([
        world.ask(decideApprovals, request),
        world.ask(cancelBatch, { as: one.finance, body: { id: runId } }),
      ]);
      expect(cancelled.key).toBeNull();
      expect([null, 'approvalNotPending']).toContain(decided.key);
      expect((await entriesOf(world.db, one.tenant.id, runId)).map(({ stage }) => stage)).toEqual(
        Array(3).fill('cancelled'),
      );
      expect(await heldIn(one)).toBe(0n);
      one.finance = await world.member(one.tenant, 'finance');
      one.approver = await world.member(one.tenant, 'approver');
    }
    await expectCompanyBooks(world.db, one.tenant.id);
  },
);

/** What the chain says of a payment that had come to nothing: it was made after all. */
async function paidLate(companyId: string, id: string): Promise<void> {
  await world.db.worker.withCompany(companyId, async (tx) => {
    const payment = present(await lockTransaction(tx, id));
    await settle(tx, payment, { contra: 'chain', finals: 0, hash: null });
  });
}

/** As the job of the event does. */
async function followed(companyId: string, transactionId: string): Promise<void> {
  const [job] = batchJobs(outgoingKinds);
  await present(job).run({ companyId, database: world.db.worker } as never, { transactionId, stage: 'completed' });
}

test('a row sent again at the same time as its first payment is made after all is paid once', limit, async () => {
  for (let round = 0; round < rounds; round += 1) {
    const one = await racer();
    const { admin, id: companyId } = one.tenant;
    const { id } = await batchOf(one);
    const [first] = await entriesOf(world.db, companyId, await submittedRun(world, admin, id));
    await succeed(world, cancelTransfer, { as: admin, body: { id: present(first).id } });
    const request = await runRequest(world, admin, id);
    const [again] = await Promise.all([world.ask(sendBatchAgain, request), paidLate(companyId, present(first).id)]);
    await followed(companyId, present(first).id);
    expect([null, 'batchNothingToSend']).toContain(again.key);
    if (again.key === null) {
      const [later] = await entriesOf(world.db, companyId, request.body.id);
      expect(later).toMatchObject({ stage: 'refused', reason: 'stage.reason.paidBefore' });
    }
    // The two other rows are held still.
    expect(await heldIn(one)).toBe(52n * usdt);
    await expectCompanyBooks(world.db, companyId);
  }
});

test('paid after its second attempt was handed over, a row counts as paid twice, and people are notified once', async () => {
  const one = await racer();
  const { admin, id: companyId } = one.tenant;
  const { id } = await batchOf(one);
  const [first] = await entriesOf(world.db, companyId, await submittedRun(world, admin, id));
  await succeed(world, cancelTransfer, { as: admin, body: { id: present(first).id } });
  const again = await submittedRun(world, admin, id, sendBatchAgain);
  const [later] = await entriesOf(world.db, companyId, again);
  await world.db.worker.withCompany(companyId, (tx) =>
    changeStage(tx, present(later).id, ['approved'], { stage: 'signing' }),
  );
  await paidLate(companyId, present(first).id);
  await followed(companyId, present(first).id);
  await followed(companyId, present(first).id);
  expect((await runOf(world, admin, again)).progress).toMatchObject({ underWay: 1, paidTwice: 1 });
  const { rows } = await world.db.app.withCompany(companyId, (tx) =>
    sql<{ kind: string }>`select kind from notice where company_id = company_id() and kind = 'batchPaidTwice'`.execute(
      tx,
    ),
  );
  expect(rows).toHaveLength(1);
});

test('two approvers at the same time approve a run once', limit, async () => {
  const one = await racer();
  await reviewOf(world, one.tenant)(true);
  const other = await world.member(one.tenant, 'approver');
  for (let round = 0; round < rounds; round += 1) {
    const { id } = await batchOf(one);
    const runId = await submittedRun(world, one.finance, id);
    const { items } = (await succeed(world, listApprovals, { as: one.approver, query: { view: 'pending' } })).data;
    // One after the other: a code is taken from the last mail.
    const requests = [await decision(world, one.approver, [present(items[0]).id])];
    requests.push(await decision(world, other, [present(items[0]).id]));
    const answers = await Promise.all(requests.map((request) => world.ask(decideApprovals, request)));
    expect(answers.map(({ key }) => key).toSorted()).toEqual(['approvalNotPending', null]);
    expect((await entriesOf(world.db, one.tenant.id, runId)).map(({ stage }) => stage)).toEqual(
      Array(3).fill('approved'),
    );
    expect(await heldIn(one)).toBe(held * BigInt(round + 1));
    one.finance = await world.member(one.tenant, 'finance');
    one.approver = await world.member(one.tenant, 'approver');
  }
  await expectCompanyBooks(world.db, one.tenant.id);
});
