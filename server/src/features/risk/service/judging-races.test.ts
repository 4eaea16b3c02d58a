import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../../platform/ids.ts';
import { type TestDatabase, testDatabase } from '../../../testing/database.ts';
import { inOneBatch } from '../../../testing/judging.ts';
import { enact, forbidding, listAddress, riskSubject } from '../../../testing/risk.ts';
import { lockRisk } from '../store/judging.ts';

const runs = Number(process.env['PROOF_ROUNDS'] ?? 8);

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
});
afterAll(() => db.close());

describe('two batches at once', () => {
  test(`each see the other's count in turn, ${runs} times`, { timeout: 300_000 }, async () => {
    for (let round = 0; round < runs; round++) {
      const companyIds = [newId(), newId()];
      const { account } = riskSubject();
      for (const companyId of companyIds) {
        await listAddress(db, companyId, account, [60, 100, 1000]);
        await enact(db, companyId, forbidding({ dimension: 'crypto_frequency', from: '3', to: null }));
      }
      const batch = (order: readonly string[]) =>
        inOneBatch(
          db,
          order.flatMap((companyId) => [
            { companyId, ...riskSubject({ account, usd: 60 }) },
            { companyId, ...riskSubject({ usd: 1 }) },
          ]),
        );
      const outcomes = await Promise.all([batch(companyIds), batch([...companyIds].reverse())]);
      // In each company the entry's day holds one of two, and the policy lets two of three pass.
      const reasons = outcomes.flat().map((decision) => (decision === 'idTaken' ? decision : decision.reason));
      expect(reasons.sort()).toEqual(
        [null, null, null, null, 'policy', 'policy', 'whitelistDaily', 'whitelistDaily'].sort(),
      );
    }
  });

  test('take the locks of their companies in one order', async () => {
    const companyIds = [newId(), newId()];
    const { rows } = await db.app.withCompanies(companyIds, (tx) =>
      sql<{ id: string }>`
        select id from unnest(${companyIds}::uuid[]) as id order by hashtextextended('risk ' || id, 0)`.execute(tx),
    );
    const [low, high] = rows.map(({ id }) => id) as [string, string];
    const isHeld = Promise.withResolvers<void>();
    const isLookedAt = Promise.withResolvers<void>();
    const holding = db.app.withCompanies([low], async (tx) => {
      await lockRisk(tx, [low]);
      isHeld.resolve();
      await isLookedAt.promise;
    });
    await isHeld.promise;
    const waiting = db.app.withCompanies([high, low], (tx) => lockRisk(tx, [high, low]));
    await expect
      .poll(async () => {
        const waits = await db.app.pool.query(
          `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        );
        return waits.rows.length;
      })
      .toBe(1);
    // The one that waits for the lower lock does not hold the higher.
    await db.app.withCompany(high, async (tx) => {
      await sql`set local lock_timeout = '1s'`.execute(tx);
      await lockRisk(tx, [high]);
    });
    isLookedAt.resolve();
    await Promise.all([holding, waiting]);
  });
});
