import { decideApprovals } from '@causeway/contract/approvals.ts';
import { cancelBatch, sendBatchAgain, submitBatch } from '@causeway/contract/batch-runs.ts';
import { maxBatchRows } from '@causeway/contract/batches-rules.ts';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { decision } from '../../../testing/approval-requests.ts';
import { entriesOf, insertTestBatch, runRequest, submittedRun } from '../../../testing/batches.ts';
import { credit } from '../../../testing/company.ts';
import { expectLedgerToAgree, walletBalances } from '../../../testing/company-books.ts';
import { killRounds, type MortalDatabase, mortalDatabase } from '../../../testing/dying.ts';
import { pendingTask } from '../../../testing/exchange-world.ts';
import { killEachTransaction } from '../../../testing/killed-requests.ts';
import { type PayingCompany, type PayoutWorld, payoutWorld } from '../../../testing/payouts.ts';
import { present } from '../../../testing/present.ts';
import { succeed } from '../../../testing/succeed.ts';
import { reviewOf } from '../../../testing/transaction-requests.ts';
import { payee } from '../../../testing/valid-requests.ts';

/** The company's process dies at each transaction of a run's submission, approval, cancel and sending again: all rows are there, or none has begun. */

vi.setConfig({ testTimeout: killRounds * 180_000 });

const rounds = Array.from({ length: killRounds }, (_, index) => index + 1);
const usdt = 1_000_000n;
let payouts: PayoutWorld;
let mortal: MortalDatabase;
beforeAll(async () => {
  // The process dies in the one transaction that decides and enters.
  payouts = await payoutWorld(
    (database) => {
      mortal = mortalDatabase(database);
      return mortal;
    },
    { rowsAtOnce: maxBatchRows },
  );
});
afterAll(async () => {
  await expectLedgerToAgree(payouts.db);
  await payouts.close();
});
afterEach(() => expect(payouts.world.complaints).toEqual([]));

async function paying(): Promise<{ company: PayingCompany; batchId: string }> {
  const { world, db } = payouts;
  const company = await payouts.company('1000.00');
  await credit(db, company, 'USDT', 100n * usdt);
  const { walletId, payee: account } = company;
  const { id: batchId } = await insertTestBatch(db, company, [
    { walletId: company.wallets.USDT, payeeId: await payee(world, company), amountMinor: 5n * usdt },
    { walletId, payeeId: account.id, versionId: account.versionId, amountMinor: 20_000n },
  ]);
  return { company, batchId };
}

/** The run's rows with all that belongs to them: held, sealed, and in one stage. */
async function rowsIn(company: PayingCompany): Promise<string[]> {
  const { rows } = await payouts.db.worker.withCompany(company.id, (tx) =>
    sql<{ runs: number; entries: number; seals: number; stages: string[] }>`
      select (select count(*) from payout_batch_run where company_id = company_id()) as runs,
        (select count(*) from payout_batch_entry where company_id = company_id()) as entries,
        (select count(*) from outgoing_authorisation where company_id = company_id()) as seals,
        array(select stage from transaction where company_id = company_id() and type in ('chain_withdraw', 'fiat_payout')) as stages`.execute(
      tx,
    ),
  );
  const { runs, entries, seals, stages } = present(rows[0]);
  expect([entries, seals, stages.length]).toEqual([2 * runs, 2 * runs, 2 * runs]);
  const isHeld = stages.some((stage) => stage !== 'cancelled');
  const { outbound = 0n } = await walletBalances(payouts.db, company.id, company.wallets.USDT);
  expect(outbound).toBe(isHeld ? 6n * usdt : 0n);
  return [...new Set(stages)];
}

test.each(rounds)('a submission whose process dies is wholly there or not begun (round %i)', async () => {
  const deaths = await killEachTransaction({ world: payouts.world, mortal, call: submitBatch }, async () => {
    const { company, batchId } = await paying();
    const request = await runRequest(payouts.world, company.admin, batchId);
    return {
      request,
      look: async () => ((await rowsIn(company)).length === 0 ? 'none' : 'whole'),
    };
  });
  expect(deaths).toBeGreaterThan(0);
});

test.each(rounds)('a last approval whose process dies lets all rows go, or none (round %i)', async () => {
  const deaths = await killEachTransaction({ world: payouts.world, mortal, call: decideApprovals }, async () => {
    const { company, batchId } = await paying();
    const approver = await payouts.world.member(company, 'approver');
    await reviewOf(payouts.world, company)(true);
    await submittedRun(payouts.world, company.admin, batchId);
    const request = await decision(payouts.world, approver, [await pendingTask(payouts.world, approver)]);
    return {
      request,
      async look() {
        const [stage, ...others] = await rowsIn(company);
        expect(others).toEqual([]);
        expect(['waiting_approval', 'approved']).toContain(stage);
        return stage === 'approved' ? 'whole' : 'none';
      },
    };
  });
  expect(deaths).toBeGreaterThan(0);
});

test.each(rounds)('a run sent again whose process dies is wholly there or not begun (round %i)', async () => {
  const deaths = await killEachTransaction({ world: payouts.world, mortal, call: sendBatchAgain }, async () => {
    const { company, batchId } = await paying();
    const { admin } = company;
    const first = await submittedRun(payouts.world, admin, batchId);
    await succeed(payouts.world, cancelBatch, { as: admin, body: { id: first } });
    const request = await runRequest(payouts.world, admin, batchId);
    return {
      request,
      async look() {
        const stages = (await rowsIn(company)).toSorted();
        expect((await entriesOf(payouts.db, company.id, first)).map(({ stage }) => stage)).toEqual([
          'cancelled',
          'cancelled',
        ]);
        if (stages.length > 1) expect(stages).toEqual(['approved', 'cancelled']);
        return stages.length > 1 ? 'whole' : 'none';
      },
    };
  });
  expect(deaths).toBeGreaterThan(0);
});

test.each(rounds)('a cancel whose process dies ends all rows, or none (round %i)', async () => {
  const deaths = await killEachTransaction({ world: payouts.world, mortal, call: cancelBatch }, async () => {
    const { company, batchId } = await paying();
    const runId = await submittedRun(payouts.world, company.admin, batchId);
    return {
      request: { as: company.admin, body: { id: runId } },
      async look() {
        const [stage, ...others] = await rowsIn(company);
        expect(others).toEqual([]);
        expect(await entriesOf(payouts.db, company.id, runId)).toHaveLength(2);
        return stage === 'cancelled' ? 'whole' : 'none';
      },
    };
  });
  expect(deaths).toBeGreaterThan(0);
});
