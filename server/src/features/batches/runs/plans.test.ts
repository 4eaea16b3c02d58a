import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../../platform/ids.ts';
import { openTestCompany, type TestCompany } from '../../../testing/company.ts';
import { type TestDatabase, testDatabase } from '../../../testing/database.ts';
import { type Explained, explained, rowsRemoved } from '../../../testing/plans.ts';

/** Entries are found by their run and by their row, each through a key, among those of many runs. */

const [runs, rowsOfEach] = [40, 500];
let db: TestDatabase;
let company: TestCompany;
let own: Explained;
let runId: string;
let rowId: string;
beforeAll(async () => {
  db = await testDatabase();
  company = await openTestCompany(db);
  own = await explained(db);
  await own.client.query('set session_replication_role = replica');
  const ids = Array.from({ length: runs }, newId);
  await own.client.query(
    `insert into payout_batch_entry (company_id, run_id, row_id, transaction_id, position)
     select $1, run_id, gen_random_uuid(), gen_random_uuid(), n from unnest($2::uuid[]) as run_id, generate_series(1, ${rowsOfEach}) n`,
    [company.id, ids],
  );
  await own.client.query('analyze payout_batch_entry');
  runId = ids[7] ?? '';
  const { rows } = await own.client.query<{ id: string }>(
    'select row_id as id from payout_batch_entry where run_id = $1 and position = 9',
    [runId],
  );
  rowId = rows[0]?.id ?? '';
  await own.actAs(company.id);
});
afterAll(async () => {
  await own.client.end();
  await db.close();
});

async function planOf(condition: string, id: string): Promise<string> {
  own.takePlans();
  await own.client.query(
    `select transaction_id from payout_batch_entry e where e.company_id = company_id() and ${condition}`,
    [id],
  );
  return own.takePlans();
}

test.each([
  ['its row', 'e.row_id = $1', () => rowId, 'payout_batch_entry_pkey'],
  ['its run', 'e.run_id = $1', () => runId, 'payout_batch_entry_company_id_run_id_position_key'],
  [
    'its run, in order',
    'e.run_id = $1 order by e.position',
    () => runId,
    'payout_batch_entry_company_id_run_id_position_key',
  ],
])('by %s', async (_, condition, id, index) => {
  const plan = await planOf(condition, id());
  expect(plan).toContain(index);
  expect(plan).not.toContain('Seq Scan on payout_batch_entry');
  expect(rowsRemoved(plan)).toBe(0);
});
