import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../testing/database.ts';
import { guardedCodes } from './store/proofs.ts';

let db: TestDatabase;
let owner: pg.Client;
beforeAll(async () => {
  db = await testDatabase();
  owner = new pg.Client(db.superuserUrl);
  await owner.connect();
  await owner.query('set search_path = causeway');
});
afterAll(async () => {
  await owner.end();
  await db.close();
});

test('codes are found by the index of live ones, although the statistics come from a moment with few', async () => {
  const companyId = crypto.randomUUID();
  const fill = (live: boolean, count: number) =>
    owner.query(
      `insert into verification_code (company_id, id, subject, scenario, method, code_mac, digest, expires_at, used_at)
      select $1, gen_random_uuid(), (i % 1000)::text, 'transaction', 'email', '\\x00', i::text, now() + interval '10 minutes',
        case when not $2 then now() end from generate_series(1, $3::integer) i`,
      [companyId, live, count],
    );
  const keys = Array.from({ length: 32 }, (_, i) => ({ companyId, subject: `${i}`, scenario: 'transaction' as const }));
  const planOf = () =>
    db.app.withCompanies([companyId], async (tx) => {
      const { rows } = await sql<Record<string, string>>`explain ${guardedCodes(keys)}`.execute(tx);
      return rows.map((row) => Object.values(row).join()).join('\n');
    });
  await owner.query("insert into code_guard select $1, i::text, 'transaction' from generate_series(1, 1000) i", [
    companyId,
  ]);
  const steps = [() => fill(false, 60_000), () => fill(true, 20), () => fill(true, 3000)];
  for (const step of steps) {
    await step();
    for (const settle of ['select', 'analyze code_guard, verification_code']) {
      await owner.query(settle);
      const plan = await planOf();
      expect(plan).toMatch(
        /verification_code_live[^\n]*\n *Index Cond: \(\(company_id = r\.company_id\) AND \(subject = r\.subject\)/,
      );
      expect(plan).toContain('code_guard_pkey');
      expect(plan).not.toContain('Seq Scan');
      expect(plan).not.toContain('expiry');
    }
  }
});
