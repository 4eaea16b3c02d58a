import { sendBatchAgain, submitBatch } from '@causeway/contract/batch-runs.ts';
import { cancelPayout } from '@causeway/contract/payments.ts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Database } from '../../../platform/database/database.ts';
import { decideRun, entriesOf, insertTestBatch, runOf, submittedRun } from '../../../testing/batches.ts';
import { expectCompanyBooks, expectLedgerToAgree } from '../../../testing/company-books.ts';
import { dyingDatabase, eachDeath, Killed, killRounds } from '../../../testing/dying.ts';
import type { Member } from '../../../testing/main-app.ts';
import {
  balancesOf,
  endToEndOf,
  messageOf,
  notification,
  type PayingCompany,
  type PayoutWorld,
  paid,
  payoutWorld,
  statusReport,
} from '../../../testing/payouts.ts';
import { present } from '../../../testing/present.ts';
import { succeed } from '../../../testing/succeed.ts';
import { reviewOf } from '../../../testing/transaction-requests.ts';

/**
 * The worker dies at each of its transactions while it hands the rows of a run over, one after another, and orders them from their bank; another goes on.
 * Every row is ordered once, what one row comes to leaves the others, and what is sent again is ordered once more and no more.
 */

vi.setConfig({ testTimeout: killRounds * 60_000 + 120_000 });
const rounds = Array.from({ length: killRounds }, (_, index) => index + 1);

/** In minor units; the second is refused by its bank, the third cancelled before it is handed over. */
const amounts = [1000n, 2000n, 3000n, 4000n];
const [refused, cancelled] = [1, 2];

let payouts: PayoutWorld;
let company: PayingCompany;
let approver: Member;
beforeAll(async () => {
  payouts = await payoutWorld();
  company = await payouts.company('1000015.00');
  approver = await payouts.world.member(company, 'approver');
  await reviewOf(payouts.world, company)(true);
});
afterAll(async () => {
  expect(payouts.world.complaints).toEqual([]);
  expect(payouts.complaints).toEqual([]);
  await expectCompanyBooks(payouts.db, company.id);
  await expectLedgerToAgree(payouts.db);
  await payouts.close();
});

const taken: string[] = [];
const asked = (id: string) => {
  taken.push(...payouts.folder.take().map(({ text }) => text));
  return taken.join('').split(`<EndToEndId>${endToEndOf(id)}</EndToEndId>`).length - 1;
};
const figures = async () => {
  const { available = 0n, outbound = 0n } = await balancesOf(payouts, company);
  return { available, outbound };
};

/** A person asks for few codes in an hour: in many rounds others go on. */
async function initiator(): Promise<Member> {
  return payouts.world.member(company, 'administrator');
}

/** What the worker does for the rows of a run: all of it is done again by another. */
async function work(ids: readonly string[], database: Database): Promise<void> {
  for (const id of ids) await payouts.send(company.id, id, database);
  await payouts.order(payouts.folder, database);
}

/** The bank books what was ordered, but for one row, which it refuses. */
async function bankAnswers(ids: readonly string[], at: number | null): Promise<void> {
  const booked = ids.filter((_, place) => place !== at);
  if (at !== null) {
    const id = present(ids[at]);
    const answer = { endToEnd: endToEndOf(id), status: 'RJCT', reason: 'AC04' };
    await payouts.bankSays(statusReport(await messageOf(payouts, id), [answer]));
  }
  await payouts.bankSays(notification(booked.map((id) => paid(id, present(amountOf.get(id))))));
}

/** Of each transaction, as banks write it. */
const amountOf = new Map<string, string>();

async function submitted(
  batchId: string,
  as: Member,
  call: typeof submitBatch | typeof sendBatchAgain = submitBatch,
): Promise<string> {
  const runId = await submittedRun(payouts.world, as, batchId, call);
  await decideRun(payouts.world, approver, runId);
  approver = await payouts.world.member(company, 'approver');
  return runId;
}

async function idsOf(runId: string, of: readonly bigint[]): Promise<string[]> {
  const ids = (await entriesOf(payouts.db, company.id, runId)).map(({ id }) => id);
  for (const [place, id] of ids.entries()) amountOf.set(id, `${present(of[place]) / 100n}.00`);
  return ids;
}

test.each(rounds)('a worker that dies at any step of a run, and another that goes on (round %i)', async () => {
  const deaths = await eachDeath(async (transactions, moment) => {
    // Outside of the proof at every third transaction.
    if (killRounds === 1 && transactions % 3 !== 1) return true;
    const before = await figures();
    const as = await initiator();
    const { walletId, payee } = company;
    const { id: batchId } = await insertTestBatch(
      payouts.db,
      company,
      amounts.map((amountMinor) => ({ walletId, payeeId: payee.id, versionId: payee.versionId, amountMinor })),
    );
    const runId = await submitted(batchId, as);
    const ids = await idsOf(runId, amounts);
    await succeed(payouts.world, cancelPayout, { as, body: { id: present(ids[cancelled]) } });
    const database = dyingDatabase(payouts.db.worker, transactions, moment);
    await work(ids, database).catch((error: unknown) => expect(error).toBeInstanceOf(Killed));
    // Another worker, twice: as the queue of jobs does.
    for (let time = 0; time < 2; time += 1) await work(ids, payouts.db.worker);
    expect(ids.map(asked)).toEqual([1, 1, 0, 1]);
    await bankAnswers(
      ids.filter((_, place) => place !== cancelled),
      refused,
    );
    expect((await runOf(payouts.world, as, runId)).progress).toMatchObject({ completed: 2, failed: 2, paidTwice: 0 });
    // Those two again.
    const later = await idsOf(await submitted(batchId, as, sendBatchAgain), [2000n, 3000n]);
    const again = dyingDatabase(payouts.db.worker, transactions, moment);
    await work(later, again).catch((error: unknown) => expect(error).toBeInstanceOf(Killed));
    for (let time = 0; time < 2; time += 1) await work([...ids, ...later], payouts.db.worker);
    expect([...ids, ...later].map(asked)).toEqual([1, 1, 0, 1, 1, 1]);
    await bankAnswers(later, null);
    expect((await runOf(payouts.world, as, runId)).open).toBe(0);
    const spent = amounts.reduce((sum, amount) => sum + amount);
    expect(await figures()).toEqual({ available: before.available - spent, outbound: before.outbound });
    return database.life.isOver;
  });
  // Two for each of three rows, and what orders and delivers them.
  expect(deaths).toBeGreaterThan(12);
});
