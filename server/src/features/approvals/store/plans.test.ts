import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase } from '../../../platform/database/database.ts';
import { newId } from '../../../platform/ids.ts';
import { type TestDatabase, testDatabase } from '../../../testing/database.ts';
import { readRows } from '../../../testing/rows-read.ts';
import { findFilesOf } from '../../files/index.ts';
import { readRoutes } from './opening.ts';

/** A batch reads its own rows, whatever PostgreSQL last knew of the tables. */

const companies = 2_000;
const batch = 32;

let db: TestDatabase;
let admin: pg.Client;
beforeAll(async () => {
  db = await testDatabase();
  admin = new pg.Client(db.superuserUrl);
  await admin.connect();
  await admin.query('set search_path = causeway');
});
afterAll(async () => {
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
      select ${id('company')}, md5('${seed} member' || i || ' ' || n)::uuid, i || ' ' || n, i || n || '@example.com', 'M', 'en_US',
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
  ['before anything was there', 0],
  ['when one company was there', 1],
])('after an analyze %s', async (_, early) => {
  await admin
    .query(
      'truncate company, member, approval_setting, approval_rule, approval_rule_version, file, authority_change cascade',
    )
    .catch(() => undefined);
  await fill(`early ${newId()}`, early);
  await admin.query('analyze');
  // One connection, so that it keeps the plans that it makes while the tables are small.
  const app = openDatabase(db.urlFor('causeway_app'), { poolSize: 1, applicationName: 'test' });
  const [companyIds, fileIds] = [await idsOf('company'), await idsOf('file')];
  const requests = companyIds.map((companyId) => ({ companyId, valueUsdCents: 150n, initiatorId: newId() }));
  const files = companyIds.map((companyId, index) => ({ companyId, ids: [fileIds[index] as string] }));
  const read = () =>
    app.withCompanies(companyIds, (tx) =>
      readRows(tx, async () => {
        await readRoutes(tx, requests);
        await findFilesOf(tx, files);
      }),
    );
  for (let times = 0; times < 8; times += 1) await read();
  await fill('later', companies);
  const rows = await read();
  await app.close();
  console.log(rows);
  expect(rows).toEqual({});
});
