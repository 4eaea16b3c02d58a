import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { Tx } from '../../../platform/database/database.ts';
import { newId } from '../../../platform/ids.ts';
import { type TestDatabase, testDatabase } from '../../../testing/database.ts';
import { enact, forbidding, riskSubject } from '../../../testing/risk.ts';
import type { AssessedSubject } from '../domain.ts';
import { lockRisk } from '../store/judging.ts';
import { assess, foreseeRisk, forget } from './assess.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
});
afterAll(() => db.close());

/** Submits what passes; returns why it would not. */
function submit(companyId: string, subject: AssessedSubject): Promise<unknown> {
  return db.app.withCompany(companyId, async (tx) => (await assess(tx, subject, 'submission')).reason);
}

async function held(companyId: string) {
  const { rows } = await db.app.withCompany(companyId, (tx) =>
    sql`select sum(transactions)::int as transactions, sum(quantity) as quantity, sum(value_cents) as cents
      from risk_usage where company_id = company_id()`.execute(tx),
  );
  return rows[0];
}

describe('locks', () => {
  /** Until a statement of this database waits for a lock. */
  const somebodyWaits = () =>
    expect
      .poll(
        async () => {
          const { rows } = await db.app.pool.query(
            `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
          );
          return rows.length;
        },
        { timeout: 10_000 },
      )
      .toBe(1);

  test('a submission waits for the company’s lock; a later judgement that lets pass, and a look ahead, do not', async () => {
    const companyId = newId();
    const earlier = riskSubject();
    expect(await submit(companyId, earlier)).toBeNull();
    await enact(db, companyId, forbidding({ dimension: 'coin', coins: ['ETH'] }));
    const isHeld = Promise.withResolvers<void>();
    const mayEnd = Promise.withResolvers<void>();
    onTestFinished(() => mayEnd.resolve());
    const holding = db.app.withCompany(companyId, async (tx) => {
      await lockRisk(tx, [companyId]);
      isHeld.resolve();
      await mayEnd.promise;
    });
    await isHeld.promise;
    const neverWaiting = async <T>(tx: Tx, work: () => Promise<T>): Promise<T> => {
      await sql`set local lock_timeout = '5s'`.execute(tx);
      return work();
    };
    const later = db.app.withCompany(companyId, (tx) => neverWaiting(tx, () => assess(tx, earlier, 'decision')));
    expect(await later).toMatchObject({ allowed: true });
    const foreseen = (coin: string) =>
      db.app.withCompany(companyId, (tx) => neverWaiting(tx, () => foreseeRisk(tx, riskSubject({ coin }))), {
        readOnly: true,
      });
    expect(await foreseen('USDT')).toMatchObject({ allowed: true, reason: null });
    expect(await foreseen('ETH')).toMatchObject({ allowed: false, reason: 'policy', subjectName: 'Forbidden' });
    let isSubmitted = false;
    const submitting = submit(companyId, riskSubject()).finally(() => {
      isSubmitted = true;
    });
    await somebodyWaits();
    expect(isSubmitted).toBe(false);
    mayEnd.resolve();
    await holding;
    expect(await submitting).toBeNull();
    expect(await held(companyId)).toMatchObject({ transactions: 2 });
  });

  test('two who each give several counts back, in whatever order, never wait for each other in a circle', async () => {
    const companyId = newId();
    const subjects = ['USDT', 'ETH', 'ETH', 'USDT'].map((coin) => riskSubject({ coin }));
    for (const subject of subjects) expect(await submit(companyId, subject)).toBeNull();
    const [first, second, third, fourth] = subjects.map(({ id }) => id) as [string, string, string, string];
    const [oneHasBegun, otherHasBegun] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const tries = { one: 0, other: 0 };
    const one = db.app.withCompany(companyId, async (tx) => {
      tries.one += 1;
      await forget(tx, first);
      oneHasBegun.resolve();
      await Promise.race([otherHasBegun.promise, somebodyWaits()]);
      await forget(tx, second);
    });
    await oneHasBegun.promise;
    const other = db.app.withCompany(companyId, async (tx) => {
      tries.other += 1;
      await forget(tx, third);
      otherHasBegun.resolve();
      await forget(tx, fourth);
    });
    await Promise.all([one, other]);
    // A deadlock would have been tried again.
    expect(tries).toEqual({ one: 1, other: 1 });
    expect(await held(companyId)).toMatchObject({ transactions: 0 });
  });

  test('nor do one that is stopped late and one that is stopped at its submission', async () => {
    const companyId = newId();
    const late = riskSubject();
    expect(await submit(companyId, late)).toBeNull();
    await enact(db, companyId, forbidding({ dimension: 'coin', coins: ['USDT'] }));
    const isStopped = Promise.withResolvers<void>();
    const tries = { late: 0, submitted: 0 };
    const stopping = db.app.withCompany(companyId, async (tx) => {
      tries.late += 1;
      expect(await assess(tx, late, 'decision')).toMatchObject({ reason: 'policy' });
      isStopped.resolve();
      if (tries.late === 1) await somebodyWaits();
      await forget(tx, late.id);
    });
    await isStopped.promise;
    const submitting = db.app.withCompany(companyId, (tx) => {
      tries.submitted += 1;
      return assess(tx, riskSubject(), 'submission');
    });
    await Promise.all([stopping, submitting]);
    expect(tries).toEqual({ late: 1, submitted: 1 });
  });
});
