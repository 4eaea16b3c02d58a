import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { together } from '../../../platform/database/database.ts';
import { newId } from '../../../platform/ids.ts';
import { type TestDatabase, testDatabase } from '../../../testing/database.ts';
import { openForJudging } from '../../../testing/judging.ts';
import { enact, forbidding, riskSubject } from '../../../testing/risk.ts';
import { riskEvents } from '../events.ts';
import type { Judged } from './judging.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
});
afterAll(() => db.close());

async function deniedOf(coins: readonly string[]) {
  const companyId = newId();
  const policyId = await enact(db, companyId, forbidding({ dimension: 'coin', coins: ['ETH'] }));
  const subjects: Judged[] = coins.map((coin) => ({ companyId, ...riskSubject({ coin }) }));
  const issued = await db.app.withCompanies([companyId], async (tx) => {
    const judging = await openForJudging(tx, subjects);
    for (const subject of subjects) judging.note(judging.weigh(subject));
    const statements = judging.writeDenied(tx);
    await together(statements);
    return statements.length;
  });
  return db.worker.withCompany(companyId, async (tx) => {
    const { rows } = await sql<{ assessed: string[]; events: number; hits: string[]; counted: number }>`
      select
        array(select transaction_id::text from risk_assessment where company_id = company_id()) as assessed,
        (select count(*)::int from outbox where company_id = company_id() and name = ${riskEvents.stopped}) as events,
        array(select subject_id::text from risk_log where company_id = company_id() and type = 'hit') as hits,
        (select count(*)::int from risk_flow where company_id = company_id()) as counted`.execute(tx);
    return { issued, subjects, policyId, found: rows[0] };
  });
}

test('of transactions that are refused together those that were stopped are on record, and none is counted', async () => {
  const { subjects, policyId, found } = await deniedOf(['USDT', 'ETH', 'USDT']);
  expect(found).toEqual({ assessed: [subjects[1]?.id], events: 1, hits: [policyId], counted: 0 });
});

test('where none was stopped nothing is written', async () => {
  expect(await deniedOf(['USDT'])).toMatchObject({
    issued: 0,
    found: { assessed: [], events: 0, hits: [], counted: 0 },
  });
});
