import { sql } from 'kysely';
import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { newId } from '../../../platform/ids.ts';
import { type TestDatabase, testDatabase } from '../../../testing/database.ts';
import { readRows } from '../../../testing/rows-read.ts';
import { findFilesOf } from '../../files/index.ts';
import { readRoutes } from './opening.ts';

/** To what an initiator belongs who is in no department. */
const unaffiliated = { roleId: null, departmentIds: [] };

/** A batch reads its own rows, whatever PostgreSQL last knew of the tables. */

const companies = 2_000;
const batch = 32;

let db: TestDatabase;
let admin: pg.Client;
beforeEach(async () => {
  db = await testDatabase();
  admin = new pg.Client(db.superuserUrl);
  await admin.connect();
  await admin.query('set search_path = causeway');
});
afterEach(async () => {
  await admin.end();
  await db.close();
});

/** Companies that review, with two rules and four members each, one of them named; the ids come from `seed` and a number. */
async function fill(seed: string, count: number): Promise<void> {
  const id = (what: string) => `md5('${seed} ${what}' || i)::uuid`;
  const each = `from generate_series(1, ${count}) i`;
  await admin.query(`
    insert into company (company_id, name) select ${id('company')}, 'C' ${each};
    insert into member (company_id, id, identifier, email, first_name, language, role_id)
      select ${id('company')}, md5('${seed} member' || i || ' ' || n)::uuid, '${seed} ' || i || ' ' || n, i || '.' || n || '@example.com', 'M', 'en_US',
        '00000000-0000-7000-8000-000000000003' ${each}, generate_series(1, 4) n;
    insert into authority_change (company_id, id, member_id, by_id, by_name, gained)
      select ${id('company')}, gen_random_uuid(), md5('${seed} member' || i || ' ' || n)::uuid, gen_random_uuid(), 'B', true
      ${each}, generate_series(1, 4) n;
    insert into approval_setting (company_id, enabled) select ${id('company')}, true ${each};
    insert into approval_rule (company_id, id, version, position) select ${id('company')}, md5('rule' || n)::uuid, 1, n
      ${each}, generate_series(1, 2) n;
    insert into approval_rule_version (company_id, rule_id, version, name, lower, upper, nodes, active, created_by, created_by_name)
      select ${id('company')}, md5('rule' || n)::uuid, 1, 'R', (n - 1) * 100, n * 100, jsonb_build_array(jsonb_build_object(
        'needed', 1, 'roles', '{}'::text[], 'people', array[md5('${seed} member' || i || ' 1')])), true, gen_random_uuid(), 'B'
      ${each}, generate_series(1, 2) n;
    insert into file (company_id, id, storage_name, name, type, size_bytes, sha256, uploaded_by)
      select ${id('company')}, ${id('file')}, ${id('file')}::text, 'f', 'image/png', 1, '', gen_random_uuid() ${each}`);
}

async function idsOf(what: 'company' | 'file'): Promise<string[]> {
  const { rows } = await admin.query<{ id: string }>(
    `select md5('later ${what}' || i)::uuid as id from generate_series(1, ${batch}) i`,
  );
  return rows.map(({ id }) => id);
}

test.each([
  ['after an analyze before anything was there', 0, false],
  ['after an analyze when one company was there', 1, false],
  ['by plans that were made when one company was there', 1, true],
])('reads a few rows for each request %s', async (_, early, isPlanned) => {
  await fill('early', early);
  await admin.query('analyze');
  if (isPlanned) {
    const companyId = newId();
    // On the connection that is used next, since nothing else uses the pool.
    await db.app.withCompanies([companyId], async (tx) => {
      await readRoutes(tx, [{ companyId, valueUsdCents: 150n, initiatorId: newId(), affiliation: unaffiliated }]);
      await findFilesOf(tx, [{ companyId, ids: [newId()] }]);
    });
  }
  await fill('later', companies);
  const [companyIds, fileIds] = [await idsOf('company'), await idsOf('file')];
  const requests = companyIds.map((companyId) => ({
    companyId,
    valueUsdCents: 150n,
    initiatorId: newId(),
    affiliation: unaffiliated,
  }));
  const files = companyIds.map((companyId, index) => ({ companyId, ids: [fileIds[index] as string] }));
  await db.app.withCompanies(companyIds, async (tx) => {
    // From the sixth time on a plan may be one for any values.
    for (let times = 1; times <= 8; times += 1) {
      const rows = await readRows(tx, async () => {
        const routes = await readRoutes(tx, requests);
        expect(routes.map(({ rule, people }) => [rule?.name, people.length])).toEqual(requests.map(() => ['R', 1]));
        expect((await findFilesOf(tx, files)).flat()).toHaveLength(batch);
      });
      expect(Object.keys(rows)).toContain('member');
      expect(Math.max(...Object.values(rows))).toBeLessThanOrEqual(8 * batch);
    }
  });
});

test('a plan is kept, however few the requests', async () => {
  const companyId = newId();
  const kept = await db.app.withCompanies([companyId], async (tx) => {
    for (let times = 1; times <= 8; times += 1) {
      await readRoutes(tx, [{ companyId, valueUsdCents: 1n, initiatorId: newId(), affiliation: unaffiliated }]);
      await findFilesOf(tx, [{ companyId, ids: [newId()] }]);
    }
    const { rows } = await sql<{ count: number }>`
      select generic_plans as count from pg_prepared_statements where statement ~ 'from (approval_setting|file) '`.execute(
      tx,
    );
    return rows.map(({ count }) => count);
  });
  expect(kept).toEqual([8, 8]);
});

test('of a company with thousands of members those are read whom the rule names', async () => {
  await admin.query('analyze');
  await fill('big', 1);
  await admin.query(`
    insert into member (company_id, id, identifier, email, first_name, language, role_id)
      select c.company_id, gen_random_uuid(), 'further ' || n, n || '@further.example.com', 'M', 'en_US', '00000000-0000-7000-8000-000000000003'
      from company c, generate_series(1, 3000) n`);
  const { rows } = await admin.query<{ company_id: string }>('select company_id from company');
  const companyId = rows[0]?.company_id ?? '';
  const requests = Array.from({ length: batch }, () => ({
    companyId,
    valueUsdCents: 150n,
    initiatorId: newId(),
    affiliation: unaffiliated,
  }));
  await db.app.withCompanies([companyId], async (tx) => {
    const read = await readRows(tx, () => readRoutes(tx, requests));
    expect(Object.keys(read)).toContain('member');
    expect(read['member']).toBeLessThanOrEqual(8 * batch);
  });
});
