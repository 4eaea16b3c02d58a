import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { newId } from '../../../platform/ids.ts';
import { type TestDatabase, testDatabase } from '../../../testing/database.ts';
import { forbidding } from '../../../testing/risk.ts';
import { rulesetsOf } from './rulesets.ts';

let db: TestDatabase;
let admin: pg.Client;
beforeAll(async () => {
  db = await testDatabase();
  admin = new pg.Client({ connectionString: db.superuserUrl });
  await admin.connect();
  // Without foreign keys: tens of thousands of policies are written.
  await admin.query('set session_replication_role = replica');
});
afterAll(async () => {
  await admin.end();
  await db.close();
});

/** Companies with so many policies each. */
async function companiesWith(policies: number, count: number): Promise<string[]> {
  const companyIds = Array.from({ length: count }, () => newId());
  const definition = JSON.stringify(forbidding({ dimension: 'coin', coins: ['ETH'] }));
  for (const companyId of companyIds) {
    const ids = Array.from({ length: policies }, () => newId());
    await admin.query(
      `with policy as (
        insert into causeway.risk_policy (company_id, id, name, business, dimension, definition, active, created_by_name, updated_by_name)
        select $1, id, 'x', 'crypto_withdrawal', 'coin', $3, true, '', '' from unnest($2::uuid[]) as id
      ), version as (
        insert into causeway.risk_policy_version (company_id, policy_id, version, definition, created_by_name)
        select $1, id, 1, $3, '' from unnest($2::uuid[]) as id
      )
      insert into causeway.risk_ruleset (company_id, version, policy_ids, policy_versions, active)
      values ($1, 1, $2, array_fill(1, array[$4::int]), array_fill(true, array[$4::int]))`,
      [companyId, ids, definition, policies],
    );
  }
  return companyIds;
}

/** Asks for the first rulesets of companies; returns how many policies each has, and how many statements it took. */
async function ask(companyIds: readonly string[]): Promise<{ policies: number[]; statements: number }> {
  const [rulesets, statements] = await db.app.withCompanies(companyIds, async (tx) => {
    const issued = vi.spyOn(tx.getExecutor(), 'executeQuery');
    const wanted = companyIds.map((companyId) => ({ companyId, version: 1 }));
    return [await rulesetsOf(tx, wanted), issued.mock.calls.length] as const;
  });
  return { policies: rulesets.map(({ crypto_withdrawal }) => crypto_withdrawal.policies.length), statements };
}

test('those that are not kept are read in one statement, each of its company', async () => {
  const companyIds = [...(await companiesWith(3, 1)), ...(await companiesWith(0, 1)), ...(await companiesWith(2, 1))];
  expect(await ask(companyIds)).toEqual({ policies: [3, 0, 2], statements: 1 });
  const [one] = await companiesWith(1, 1);
  expect(await ask([...companyIds, one ?? ''])).toEqual({ policies: [3, 0, 2, 1], statements: 1 });
  expect(await ask(companyIds)).toEqual({ policies: [3, 0, 2], statements: 0 });
});

test('a company before its first policy asks for nothing', async () => {
  const asked = await db.app.withCompanies([newId()], (tx) => rulesetsOf(tx, [{ companyId: newId(), version: 0 }]));
  expect(asked.map(({ payment }) => payment.policies)).toEqual([[]]);
});

test('a thousand companies with a policy each stay kept; many policies push out the longest unused', {
  timeout: 120_000,
}, async () => {
  const small = await companiesWith(1, 1000);
  expect((await ask(small)).statements).toBe(1);
  expect((await ask(small)).statements).toBe(0);
  const large = await companiesWith(10_000, 5);
  expect((await ask(large)).policies).toEqual(Array(5).fill(10_000));
  expect((await ask(large.slice(1))).statements).toBe(0);
  expect((await ask(small.slice(0, 1))).statements).toBe(1);
});
