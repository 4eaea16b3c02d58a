import { systemRoleIds } from '@causeway/contract/permission.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { together } from '../../../platform/database/database.ts';
import { newId } from '../../../platform/ids.ts';
import { type TestDatabase, testDatabase } from '../../../testing/database.ts';
import { inOneBatch, openForJudging } from '../../../testing/judging.ts';
import { enact, forbidding, riskSubject } from '../../../testing/risk.ts';
import type { AssessedSubject } from '../domain.ts';
import { riskEvents } from '../events.ts';
import type { Judged } from './judging.ts';

/** What a judgement says beside its verdict. */

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
});
afterAll(() => db.close());

const subjectOf = (companyId: string, given: Partial<AssessedSubject> & { usd?: number } = {}): Judged => ({
  companyId,
  ...riskSubject(given),
});

test('an event names each judgement that stopped something, and none that let pass', async () => {
  const companyId = newId();
  await enact(db, companyId, forbidding({ dimension: 'coin', coins: ['ETH'] }));
  const coins = ['USDT', 'ETH', 'USDT', 'ETH'];
  await inOneBatch(
    db,
    coins.map((coin) => subjectOf(companyId, { coin })),
  );
  const { events, denied } = await db.worker.withCompany(companyId, async (tx) => {
    const { rows: events } = await sql<{ payload: { assessmentId: string } }>`
      select payload from outbox where company_id = company_id() and name = ${riskEvents.stopped}`.execute(tx);
    const { rows: denied } = await sql<{ id: string }>`
      select id from risk_assessment where company_id = company_id() and not allowed`.execute(tx);
    return { events, denied };
  });
  expect(denied).toHaveLength(2);
  expect(events.map(({ payload }) => payload.assessmentId).sort()).toEqual(denied.map(({ id }) => id).sort());
});

test('what was submitted before today is that of all businesses, of its own currency and of the coin that pays', async () => {
  const companyId = newId();
  const bought = {
    business: 'payment' as const,
    currency: 'USD',
    coin: 'USDT',
    decimals: 2,
    quantityMinor: 500n,
    paidWith: { quantityMinor: 5_000_000n, decimals: 6 },
  };
  await inOneBatch(db, [
    subjectOf(companyId, { usd: 2 }),
    subjectOf(companyId, { usd: 9, coin: 'ETH' }),
    subjectOf(companyId, bought),
  ]);
  const submittedBefore = (given: Partial<AssessedSubject>) =>
    db.app.withCompanies([companyId], async (tx) => {
      const subject = subjectOf(companyId, given);
      const judging = await openForJudging(tx, [subject]);
      const { submittedTodayMinor, submittedCoinsTodayMinor } = judging.weigh(subject);
      return [submittedTodayMinor, submittedCoinsTodayMinor];
    });
  expect(await submittedBefore({})).toEqual([7_000_000n, 7_000_000n]);
  expect(await submittedBefore(bought)).toEqual([500n, 7_000_000n]);
  const paidInMoney = { business: 'payment' as const, currency: 'USD', coin: null };
  expect(await submittedBefore(paidInMoney)).toEqual([500n, 500n]);
});

test('a later judgement reads the windows of its own business alone', async () => {
  const companyId = newId();
  const [sent, paid] = [subjectOf(companyId, { usd: 2 }), subjectOf(companyId, { usd: 3, business: 'payment' })];
  await inOneBatch(db, [sent, paid]);
  await db.app.withCompanies([companyId], async (tx) => {
    const { submittedTodayMinor } = (await openForJudging(tx, [sent], 'decision')).weigh(sent);
    expect(submittedTodayMinor).toBe(2_000_000n);
  });
});

test('the role of the initiator is read, each of their own, unless it was read before', async () => {
  const companyId = newId();
  const [one, other] = [newId(), newId()];
  const { administrator, finance } = systemRoleIds;
  await db.app.withCompany(companyId, async (tx) => {
    await sql`insert into company (company_id, name) values (company_id(), 'Harbour')`.execute(tx);
    for (const [member, role] of [
      [one, administrator],
      [other, finance],
    ] as const)
      await sql`insert into member (company_id, id, identifier, email, language, role_id)
        values (company_id(), ${member}, ${member}, ${`${member}@example.com`}, 'en_US', ${role})`.execute(tx);
  });
  const known = { roleId: newId(), departmentIds: [newId()] };
  const subjects: Judged[] = [
    subjectOf(companyId, { initiatorId: one }),
    { ...subjectOf(companyId, { initiatorId: one }), affiliation: known },
    subjectOf(companyId, { initiatorId: other }),
  ];
  await db.app.withCompanies([companyId], async (tx) => {
    const judging = await openForJudging(tx, subjects);
    const read = subjects.map((subject) => {
      const weighed = judging.weigh(subject);
      judging.note(weighed);
      return weighed.assessment.inputs.affiliation;
    });
    expect(read).toEqual([{ roleId: administrator, departmentIds: [] }, known, { roleId: finance, departmentIds: [] }]);
  });
});

test('no more statements are issued than what was noted needs, and a lock only by what is stopped late', async () => {
  const companyId = newId();
  await enact(db, companyId, forbidding({ dimension: 'coin', coins: ['ETH'] }));
  const statements = (subjects: readonly Judged[], moment: 'submission' | 'decision') =>
    db.app.withCompanies([companyId], async (tx) => {
      const judging = await openForJudging(tx, subjects, moment);
      for (const subject of subjects) judging.note(judging.weigh(subject));
      const issued = [...judging.write(tx)];
      await together(issued);
      return issued.length;
    });
  const [passed, stopped] = [subjectOf(companyId), subjectOf(companyId, { coin: 'ETH' })];
  expect(await statements([], 'submission')).toBe(0);
  // The judgement and its count; the judgement, its hit and the event.
  expect(await statements([passed], 'submission')).toBe(2);
  expect(await statements([stopped], 'submission')).toBe(3);
  expect(await statements([passed], 'decision')).toBe(1);
  expect(await statements([stopped], 'decision')).toBe(4);
});
