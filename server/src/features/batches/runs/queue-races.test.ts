import { decideApprovals, listApprovals } from '@causeway/contract/approvals.ts';
import { cancelBatch, submitBatch } from '@causeway/contract/batch-runs.ts';
import { transferOut } from '@causeway/contract/transfers.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { decision } from '../../../testing/approval-requests.ts';
import { entriesOf, insertTestBatch, runRequest, submittedRun } from '../../../testing/batches.ts';
import { credit } from '../../../testing/company.ts';
import { expectCompanyBooks, expectLedgerToAgree, walletBalances } from '../../../testing/company-books.ts';
import { type FreezingWorld, freezingWorld } from '../../../testing/freezing.ts';
import type { MainApp, Member, Tenant } from '../../../testing/main-app.ts';
import { present } from '../../../testing/present.ts';
import { type Gate, gateAt, keptOf } from '../../../testing/queueing.ts';
import { race } from '../../../testing/race.ts';
import { succeed } from '../../../testing/succeed.ts';
import { reviewOf } from '../../../testing/transaction-requests.ts';
import { payee, transferContent, transferRequest } from '../../../testing/valid-requests.ts';

/** Runs whose rows are queued at the same time as all that wants the same money, rows, task or freeze. */

const rounds = Number(process.env['PROOF_ROUNDS'] ?? 6);
const limit = { timeout: 3_600_000 };
const usdt = 1_000_000n;
/** Three rows of 10, 20 and 30, and a fee of 1 each. */
const held = 63n * usdt;

let made: FreezingWorld;
let db: FreezingWorld['db'];
let world: MainApp;
let gate: Gate;
beforeAll(async () => {
  made = await freezingWorld({ rowsAtOnce: 0 });
  ({ db, main: world } = made);
  gate = await gateAt(db, 'payout_batch_entry');
});
afterAll(async () => {
  await expectLedgerToAgree(db);
  await gate.close();
  await made.close();
});

interface Racer {
  tenant: Tenant;
  finance: Member;
  approver: Member;
  payeeId: string;
}

/** Codes are limited by member, so each round has a company of its own. */
async function racer(units: bigint, isReviewed = false): Promise<Racer> {
  const tenant = await world.company();
  await credit(db, tenant, 'USDT', units * usdt);
  if (isReviewed) await reviewOf(world, tenant)(true);
  const [finance, approver] = [await world.member(tenant, 'finance'), await world.member(tenant, 'approver')];
  return { tenant, finance, approver, payeeId: await payee(world, tenant) };
}

async function batchOf({ tenant, payeeId }: Racer): Promise<string> {
  const row = (units: bigint) => ({ walletId: tenant.wallets.USDT, payeeId, amountMinor: units * usdt });
  return (await insertTestBatch(db, tenant, [row(10n), row(20n), row(30n)])).id;
}

/** A run whose rows wait for the gate, for as long as the test likes. */
async function queued(one: Racer): Promise<string> {
  const batchId = await batchOf(one);
  await gate.hold(one.tenant.id);
  return submittedRun(world, one.finance, batchId);
}

/** The books agree; so much is held, by so many runs with three rows each, every one entered once. */
async function expectEntered({ tenant }: Racer, runs: number, minor: bigint, payments = 3 * runs): Promise<void> {
  await world.queue.settled();
  expect(await keptOf(gate, tenant.id)).toMatchObject({
    ...{ runs, parts: 0, entries: 3 * runs, payments, seals: payments },
    postings: {
      ...(runs > 0 && { 'batch.reserve': runs, 'batch.release': runs }),
      ...(payments > 0 && { 'transfer.reserve': payments }),
    },
  });
  expect((await walletBalances(db, tenant.id, tenant.wallets.USDT)).outbound ?? 0n).toBe(minor);
  await expectCompanyBooks(db, tenant.id);
  expect(world.complaints.splice(0)).toEqual([]);
}

const stagesOf = async ({ tenant }: Racer, runId: string) => [
  ...new Set((await entriesOf(db, tenant.id, runId)).map(({ stage }) => stage)),
];

test('of two batches that the money covers once, one is submitted', limit, async () => {
  for (let round = 0; round < rounds; round += 1) {
    const one = await racer(100n);
    const requests = [
      await runRequest(world, one.tenant.admin, await batchOf(one)),
      await runRequest(world, one.finance, await batchOf(one)),
    ];
    const [first, second] = requests.map((request) => () => world.ask(submitBatch, request));
    const answers = await race(db, round, present(first), present(second));
    expect(answers.map(({ key }) => key).toSorted()).toEqual(['batchRowsRefused', null]);
    await expectEntered(one, 1, held);
  }
});

test('of a batch and a transfer that want the last money, one has it', limit, async () => {
  for (let round = 0; round < rounds; round += 1) {
    const one = await racer(65n);
    const request = await runRequest(world, one.finance, await batchOf(one));
    const transfer = await transferRequest(world, one.tenant, await transferContent(world, one.tenant));
    const [submitted, paid] = await race(
      db,
      round,
      () => world.ask(submitBatch, request),
      () => world.ask(transferOut, transfer),
    );
    if (submitted.key === null) {
      expect(['amountAboveBalanceMinusFee', 'insufficientBalance']).toContain(paid.key);
      await expectEntered(one, 1, held);
    } else {
      expect([submitted.key, paid.key]).toEqual(['batchRowsRefused', null]);
      await expectEntered(one, 0, 6n * usdt, 1);
    }
  }
});

/** What wakes the entering of a run that waits for the gate, in as many processes as there are. */
const opened = (one: Racer) => async () => {
  await gate.release(one.tenant.id);
  await world.queue.enter(one.tenant.id);
};

test(
  'a cancel at the same time as the rows are entered ends all of them, or the rows are there first',
  limit,
  async () => {
    for (let round = 0; round < rounds; round += 1) {
      const one = await racer(100n);
      const id = await queued(one);
      const cancel = () => world.ask(cancelBatch, { as: one.finance, body: { id } });
      // The cancel alone would wait for the gate.
      const [, cancelled] = await race(db, round === 1 ? 2 : round, opened(one), cancel);
      expect(cancelled.data).toEqual({ id, cancelled: 3 });
      expect(await stagesOf(one, id)).toEqual(['cancelled']);
      await expectCancelled(one);
    }
  },
);

async function expectCancelled({ tenant }: Racer): Promise<void> {
  await world.queue.settled();
  expect(await keptOf(gate, tenant.id)).toMatchObject({
    ...{ runs: 1, parts: 0, entries: 3, payments: 3, seals: 3 },
    postings: { 'batch.reserve': 1, 'batch.release': 1, 'transfer.reserve': 3, 'transfer.release': 3 },
  });
  expect((await walletBalances(db, tenant.id, tenant.wallets.USDT)).outbound).toBeUndefined();
  await expectCompanyBooks(db, tenant.id);
  expect(world.complaints.splice(0)).toEqual([]);
}

test.each(['approved', 'rejected'] as const)(
  'rows are entered at the same time as they are %s',
  limit,
  async (outcome) => {
    for (let round = 0; round < rounds; round += 1) {
      const one = await racer(100n, true);
      const batchId = await batchOf(one);
      const request = await runRequest(world, one.finance, batchId);
      await gate.hold(one.tenant.id);
      const { id } = (await succeed(world, submitBatch, request)).data;
      const { items } = (await succeed(world, listApprovals, { as: one.approver, query: { view: 'pending' } })).data;
      const taskId = present(items[0]).id;
      const decide = async () => world.ask(decideApprovals, await decision(world, one.approver, [taskId], outcome));
      const [, decided] = await race(db, round === 1 ? 2 : round, opened(one), decide);
      expect(decided.key).toBeNull();
      expect(await stagesOf(one, id)).toEqual([outcome === 'approved' ? 'approved' : 'refused']);
      if (outcome === 'approved') await expectEntered(one, 1, held);
      else await expectCancelled(one);
    }
  },
);

test('what asks for the run, the loop and the process that accepted it enter its rows once', limit, async () => {
  for (let round = 0; round < rounds; round += 1) {
    const one = await racer(100n);
    const request = await runRequest(world, one.finance, await batchOf(one));
    const enter = () => world.queue.enter(one.tenant.id);
    await race(
      db,
      round,
      () => succeed(world, submitBatch, request),
      () => Promise.all([enter(), enter()]),
    );
    await enter();
    await expectEntered(one, 1, held);
  }
});

test('a run submitted at the same time as the company is frozen is wholly there, or not at all', limit, async () => {
  let accepted = 0;
  for (let round = 0; round < rounds; round += 1) {
    const one = await racer(100n);
    const request = await runRequest(world, one.finance, await batchOf(one));
    const company = { kind: 'company', subjectId: one.tenant.id } as const;
    const [frozen, submitted] = await race(
      db,
      round,
      () => made.freeze(company, { owner: one.tenant }),
      () => world.ask(submitBatch, request),
    );
    expect(frozen.status).toBe(200);
    if (submitted.key === null) {
      // What was accepted before the freeze is entered all the same; no row of a frozen company is handed over.
      await world.queue.enter(one.tenant.id);
      await expectEntered(one, 1, held);
      accepted += 1;
    } else {
      expect(['companyFrozen', 'batchRowsRefused']).toContain(submitted.key);
      await expectEntered(one, 0, 0n);
    }
  }
  expect(accepted).toBeGreaterThan(0);
  expect(accepted).toBeLessThan(rounds);
});
