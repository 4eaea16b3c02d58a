import { cancelBatch, sendBatchAgain, submitBatch } from '@causeway/contract/batch-runs.ts';
import { cancelPayout } from '@causeway/contract/payments.ts';
import { cancelTransfer } from '@causeway/contract/transfers.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { batchJobs } from '../features/batches/index.ts';
import { verifyLedger } from '../features/ledger/index.ts';
import { release, settle } from '../features/outgoing/index.ts';
import { changeStage, lockTransaction } from '../features/transactions/index.ts';
import { checkOf, decideRun, entriesOf, insertTestBatch, paidOf, runOf, submittedRun } from '../testing/batches.ts';
import { outgoingKinds } from '../testing/chain-families.ts';
import { credit } from '../testing/company.ts';
import { expectCompanyBooks, walletBalances } from '../testing/company-books.ts';
import type { Member } from '../testing/main-app.ts';
import {
  endToEndOf,
  messageOf,
  notification,
  type PayingCompany,
  type PayoutWorld,
  paid,
  payoutWorld,
  statusReport,
} from '../testing/payouts.ts';
import { present } from '../testing/present.ts';
import { succeed } from '../testing/succeed.ts';
import { reviewOf } from '../testing/transaction-requests.ts';
import { payee } from '../testing/valid-requests.ts';

/**
 * Random histories of batches: submitted, approved, rejected, cancelled whole and by row, handed over, refused by bank and chain, sent again, and paid late after all.
 * After every step each wallet and each row is where a model has it that knows only what was done. At the end nothing is held.
 */

const histories = Number(process.env['PROOF_HISTORIES'] ?? 3);
/** `PROOF_SEED` repeats a run that failed. */
const seed = Number(process.env['PROOF_SEED'] ?? 7);
vi.setConfig({ testTimeout: 120_000 + histories * 90_000 });

let payouts: PayoutWorld;
beforeAll(async () => {
  payouts = await payoutWorld();
});
afterAll(async () => {
  expect(payouts.world.complaints).toEqual([]);
  expect(payouts.complaints).toEqual([]);
  await payouts.close();
});

type Asset = 'USDT' | 'HKD';
/** What the operator takes for a payment, in minor units. */
const fees: Record<Asset, bigint> = { USDT: 1_000_000n, HKD: 0n };

interface Attempt {
  id: string;
  row: Row;
  run: Run;
  state: 'waiting' | 'approved' | 'sent' | 'completed' | 'failed';
  wasSent: boolean;
}
interface Row {
  asset: Asset;
  minor: bigint;
  attempts: Attempt[];
}
interface Run {
  id: string;
  as: Member;
  attempts: Attempt[];
}
interface Batch {
  id: string;
  rows: Row[];
  runs: Run[];
}

/** What a history remembers. */
interface Model {
  company: PayingCompany;
  payeeId: string;
  isReviewed: boolean;
  batches: Batch[];
  opening: Record<Asset, bigint>;
}

const attemptsOf = ({ batches }: Pick<Model, 'batches'>) =>
  batches.flatMap(({ runs }) => runs.flatMap(({ attempts }) => attempts));
const openRows = ({ rows }: Batch) => rows.filter(({ attempts }) => attempts.every(({ state }) => state === 'failed'));
const costOf = ({ asset, minor }: Row) => minor + fees[asset];

function expected(model: Model, asset: Asset): { available: bigint; outbound: bigint } {
  const figures = { available: model.opening[asset], outbound: 0n };
  for (const { row, state } of attemptsOf(model)) {
    if (row.asset !== asset || state === 'failed') continue;
    figures.available -= costOf(row);
    if (state !== 'completed') figures.outbound += costOf(row);
  }
  return figures;
}

async function figuresOf({ company }: Model, asset: Asset) {
  const walletId = asset === 'USDT' ? company.wallets.USDT : company.walletId;
  const { available = 0n, outbound = 0n, deficit = 0n } = await walletBalances(payouts.db, company.id, walletId);
  expect(deficit).toBe(0n);
  return { available, outbound };
}

/** The stages of each state. */
const stagesOf: Record<Attempt['state'], readonly string[]> = {
  waiting: ['waiting_approval'],
  approved: ['approved'],
  sent: ['signing', 'instructed'],
  completed: ['completed'],
  failed: ['failed', 'refused', 'cancelled'],
};

async function check(model: Model): Promise<void> {
  for (const asset of ['USDT', 'HKD'] as const) expect(await figuresOf(model, asset)).toEqual(expected(model, asset));
  for (const { runs } of model.batches) {
    for (const run of runs) {
      const shown = await entriesOf(payouts.db, model.company.id, run.id);
      expect(shown.map(({ id }) => id)).toEqual(run.attempts.map(({ id }) => id));
      for (const [place, { state }] of run.attempts.entries()) expect(stagesOf[state]).toContain(shown[place]?.stage);
    }
  }
}

const amount = fc.record({ isAtBank: fc.boolean(), units: fc.integer({ min: 2, max: 60 }) });
const step = fc.record({
  act: fc.constantFrom(
    ...(['make', 'submit', 'submit', 'again', 'again', 'approve', 'approve', 'approve', 'reject'] as const),
    ...([
      'cancelRun',
      'cancelRow',
      'send',
      'send',
      'send',
      'send',
      'complete',
      'complete',
      'fail',
      'fail',
      'late',
      'lateBesideAnother',
      'lateBesideAnother',
    ] as const),
  ),
  rows: fc.array(amount, { minLength: 1, maxLength: 4 }),
  at: fc.nat(1000),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const chosen = <T>(of: readonly T[], { at }: Pick<Step, 'at'>): T | undefined => of[at % Math.max(1, of.length)];

async function make(model: Model, { rows }: Pick<Step, 'rows'>): Promise<Batch> {
  const { company, payeeId } = model;
  const made = rows.map(
    ({ isAtBank, units }): Row => ({
      asset: isAtBank ? 'HKD' : 'USDT',
      minor: BigInt(units) * (isAtBank ? 100n : 1_000_000n),
      attempts: [],
    }),
  );
  const { id } = await insertTestBatch(
    payouts.db,
    company,
    made.map(({ asset, minor: amountMinor }) =>
      asset === 'USDT'
        ? { walletId: company.wallets.USDT, payeeId, amountMinor }
        : { walletId: company.walletId, payeeId: company.payee.id, versionId: company.payee.versionId, amountMinor },
    ),
  );
  const batch = { id, rows: made, runs: [] };
  model.batches.push(batch);
  return batch;
}

/** What its open rows cost is covered, or its check names a row that is not. */
async function submit(model: Model, batch: Batch): Promise<void> {
  const { world, db } = payouts;
  // A person asks for few codes in an hour.
  const as = await world.member(model.company, 'administrator');
  const rows = openRows(batch);
  const isCovered = (['USDT', 'HKD'] as const).every((asset) => {
    const cost = rows.filter((row) => row.asset === asset).reduce((sum, row) => sum + costOf(row), 0n);
    return cost <= expected(model, asset).available;
  });
  expect((await checkOf(world, as, batch.id)).errors === 0).toBe(isCovered);
  if (!isCovered) return;
  const id = await submittedRun(world, as, batch.id, batch.runs.length === 0 ? submitBatch : sendBatchAgain);
  const run: Run = { id, as, attempts: [] };
  const state = model.isReviewed ? 'waiting' : 'approved';
  for (const [place, entry] of (await entriesOf(db, model.company.id, id)).entries()) {
    const attempt: Attempt = { id: entry.id, row: present(rows[place]), run, state, wasSent: false };
    attempt.row.attempts.push(attempt);
    run.attempts.push(attempt);
  }
  batch.runs.push(run);
}

async function decide(model: Model, run: Run, outcome: 'approved' | 'rejected'): Promise<void> {
  const approver = await payouts.world.member(model.company, 'approver');
  await decideRun(payouts.world, approver, run.id, outcome);
  for (const attempt of run.attempts) {
    if (attempt.state === 'waiting') attempt.state = outcome === 'approved' ? 'approved' : 'failed';
  }
}

const isUnsent = ({ state }: Attempt) => state === 'waiting' || state === 'approved';

async function cancelRun(run: Run): Promise<void> {
  const { data } = await succeed(payouts.world, cancelBatch, { as: run.as, body: { id: run.id } });
  const unsent = run.attempts.filter(isUnsent);
  expect(data.cancelled).toBe(unsent.length);
  for (const attempt of unsent) attempt.state = 'failed';
}

async function cancelRow(attempt: Attempt): Promise<void> {
  const { as } = attempt.run;
  const call = attempt.row.asset === 'USDT' ? cancelTransfer : cancelPayout;
  await succeed(payouts.world, call, { as, body: { id: attempt.id } });
  attempt.state = 'failed';
}

/** As the worker hands it to its rail. */
async function send({ company }: Model, attempt: Attempt): Promise<void> {
  if (attempt.row.asset === 'HKD') {
    await payouts.send(company.id, attempt.id);
    await payouts.order();
    payouts.folder.take();
  } else {
    await payouts.db.worker.withCompany(company.id, (tx) =>
      changeStage(tx, attempt.id, ['approved'], { stage: 'signing' }),
    );
  }
  attempt.state = 'sent';
  attempt.wasSent = true;
}

/** By bank or chain; what its event has the worker do follows, twice. */
async function complete({ company }: Model, attempt: Attempt): Promise<void> {
  const { id, row } = attempt;
  if (row.asset === 'HKD') {
    await payouts.bankSays(notification([paid(id, `${row.minor / 100n}.00`)]));
  } else {
    await payouts.db.worker.withCompany(company.id, async (tx) => {
      await settle(tx, present(await lockTransaction(tx, id)), { contra: 'chain', finals: 0, hash: null });
    });
  }
  attempt.state = 'completed';
  const [job] = batchJobs(outgoingKinds);
  for (let time = 0; time < 2; time += 1) {
    const context = { companyId: company.id, database: payouts.db.worker } as never;
    await present(job).run(context, { transactionId: id, stage: 'completed' });
  }
  // What no rail has begun of the row's other attempts is stopped.
  for (const other of row.attempts.filter(isUnsent)) other.state = 'failed';
}

async function fail({ company }: Model, attempt: Attempt): Promise<void> {
  const { id, row } = attempt;
  if (row.asset === 'HKD') {
    const answer = { endToEnd: endToEndOf(id), status: 'RJCT', reason: 'AC04' };
    await payouts.bankSays(statusReport(await messageOf(payouts, id), [answer]));
  } else {
    await payouts.db.worker.withCompany(company.id, async (tx) => {
      const end = { stage: 'failed', reason: 'stage.reason.wouldRevert' } as const;
      await release(tx, present(await lockTransaction(tx, id)), ['signing'], end);
    });
  }
  attempt.state = 'failed';
}

/** Its row is sent again, and as far as the history wants; then the first attempt is paid after all. */
async function lateBesideAnother(model: Model, attempt: Attempt, { at }: Step): Promise<void> {
  const batch = present(model.batches.find(({ rows }) => rows.includes(attempt.row)));
  if (openRows(batch).includes(attempt.row)) await submit(model, batch);
  const other = attempt.row.attempts.find(isUnsent);
  if (other?.state === 'waiting' && at % 3 !== 0) await decide(model, other.run, 'approved');
  if (other?.state === 'approved' && at % 2 === 0) await send(model, other);
  await check(model);
  if (costOf(attempt.row) <= expected(model, 'USDT').available) await complete(model, attempt);
}

async function take(model: Model, given: Step): Promise<void> {
  const { batches } = model;
  const all = attemptsOf(model);
  const runs = batches.flatMap((batch) => batch.runs);
  const inState = (state: Attempt['state']) =>
    chosen(
      all.filter((one) => one.state === state),
      given,
    );
  const act = async <T>(on: T | undefined, work: (on: T) => Promise<unknown>) => {
    if (on !== undefined) await work(on);
  };
  const waiting = chosen(
    runs.filter(({ attempts }) => attempts.some(({ state }) => state === 'waiting')),
    given,
  );
  const late = all.filter(
    ({ row, state, wasSent }) =>
      row.asset === 'USDT' && state === 'failed' && wasSent && costOf(row) <= expected(model, 'USDT').available,
  );
  const acts: Record<Step['act'], () => Promise<unknown>> = {
    make: () => make(model, given),
    submit: async () => {
      const drafts = batches.filter((batch) => batch.runs.length === 0);
      await submit(model, chosen(drafts, given) ?? (await make(model, given)));
    },
    again: () =>
      act(
        chosen(
          batches.filter((batch) => batch.runs.length > 0 && openRows(batch).length > 0),
          given,
        ),
        (batch) => submit(model, batch),
      ),
    approve: () => act(waiting, (run) => decide(model, run, 'approved')),
    reject: () => act(waiting, (run) => decide(model, run, 'rejected')),
    cancelRun: () =>
      act(
        chosen(
          runs.filter(({ attempts }) => attempts.some(isUnsent)),
          given,
        ),
        cancelRun,
      ),
    cancelRow: () => act(chosen(all.filter(isUnsent), given), cancelRow),
    send: () => act(inState('approved'), (attempt) => send(model, attempt)),
    complete: () => act(inState('sent'), (attempt) => complete(model, attempt)),
    fail: () => act(inState('sent'), (attempt) => fail(model, attempt)),
    late: () => act(chosen(late, given), (attempt) => complete(model, attempt)),
    lateBesideAnother: () => act(chosen(late, given), (attempt) => lateBesideAnother(model, attempt, given)),
  };
  await acts[given.act]();
}

/** How often each act found something to do, over all histories: a history of nothing proves nothing. */
const ends = { completed: 0, failed: 0, twice: 0, again: 0 };

test(`batches in ${histories} random histories, seed ${seed}`, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.boolean(),
      fc.array(step, { minLength: 40, maxLength: 80, size: 'max' }),
      async (isReviewed, steps) => {
        const { world, db } = payouts;
        const company = await payouts.company('615.00');
        await credit(db, company, 'USDT', 600_000_000n);
        const model: Model = {
          company,
          payeeId: await payee(world, company),
          isReviewed,
          batches: [],
          opening: { USDT: 600_000_000n, HKD: 60_000n },
        };
        if (isReviewed) {
          // Someone has to be there who could approve.
          await world.member(company, 'approver');
          await reviewOf(world, company)(true);
        }
        for (const one of steps) {
          await take(model, one);
          await check(model);
        }
        // The rest comes to its end: nothing is held, and what a page says of each run is what the model has.
        for (const attempt of attemptsOf(model).filter(({ state }) => state === 'sent')) await complete(model, attempt);
        for (const { runs } of model.batches) {
          for (const run of runs) if (run.attempts.some(isUnsent)) await cancelRun(run);
        }
        await check(model);
        for (const asset of ['USDT', 'HKD'] as const) expect((await figuresOf(model, asset)).outbound).toBe(0n);
        for (const batch of model.batches) {
          const failed = openRows(batch).length;
          const all = { completed: batch.rows.length - failed, failed, underWay: 0 };
          expect(await paidOf(world, company.admin, batch.id)).toEqual(batch.runs.length === 0 ? null : all);
          for (const run of batch.runs) {
            const count = (state: Attempt['state']) => run.attempts.filter((one) => one.state === state).length;
            const isTwice = ({ state, row }: Attempt) =>
              state === 'completed' && row.attempts.filter((one) => one.state === 'completed').length > 1;
            const paidTwice = run.attempts.filter(isTwice).length;
            const { progress, open } = await runOf(world, company.admin, run.id);
            const [completed, failed] = [count('completed'), count('failed')];
            expect(progress).toEqual({ waiting: 0, underWay: 0, completed, failed, paidTwice });
            expect(open).toBe(openRows(batch).length);
            ends.completed += completed;
            ends.failed += failed;
            ends.twice += paidTwice;
          }
          ends.again += Math.max(0, batch.runs.length - 1);
        }
        await expectCompanyBooks(db, company.id);
        expect((await db.operator.withoutCompany(verifyLedger)).mismatches).toEqual([]);
      },
    ),
    { numRuns: histories, seed, endOnFailure: true },
  );
  for (const count of [ends.completed, ends.failed, ends.again, ends.twice]) expect(count).toBeGreaterThan(0);
});
