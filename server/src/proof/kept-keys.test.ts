import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { insertTestBatch, submittedRun } from '../testing/batches.ts';
import { credit } from '../testing/company.ts';
import { testDatabase } from '../testing/database.ts';
import { type KeptKey, keptKeys, orphans } from '../testing/kept-keys.ts';
import { type MainApp, mainApp } from '../testing/main-app.ts';
import { payee } from '../testing/valid-requests.ts';

/** What makes it safe that PostgreSQL does not enforce some foreign keys: what they name is never deleted and keeps its key, and what writes them writes no other. */

let world: MainApp;
let client: pg.Client;
let keys: KeptKey[];
beforeAll(async () => {
  world = await mainApp(await testDatabase());
  client = new pg.Client({ connectionString: world.db.superuserUrl });
  await client.connect();
  keys = await keptKeys(client);
});
afterAll(async () => {
  await client.end();
  await world.close();
  await world.db.close();
});

test('these keys are kept by what writes them', () => {
  expect(keys.map(({ table, columns, referred }) => `${table} (${columns.join()}) ${referred}`)).toMatchInlineSnapshot(`
    [
      "ledger_entry (company_id,account_id) ledger_account",
      "ledger_entry (company_id,posting_id) ledger_posting",
      "ledger_posting (company_id,corrects_id) ledger_posting",
      "outgoing_authorisation (company_id,transaction_id) transaction",
      "payout_batch_entry (company_id,run_id) payout_batch_run",
      "payout_batch_entry (company_id,transaction_id) transaction",
      "transaction (base_currency) asset",
      "transaction (coin) asset",
      "transaction_stage (company_id,transaction_id) transaction",
    ]
  `);
});

/** The roles that sign in and could delete rows of a table, or give them another key. */
async function unsteady(table: string, key: readonly string[]): Promise<string[]> {
  const { rows } = await client.query<{ role: string }>(
    `select r.rolname as role from pg_roles r
     where not r.rolsuper and r.rolname like 'causeway\\_%' and r.rolname <> 'causeway_owner'
       and (has_table_privilege(r.oid, $1, 'delete') or has_table_privilege(r.oid, $1, 'truncate')
         or exists (select from unnest($2::text[]) as c (name) where has_column_privilege(r.oid, $1, c.name, 'update')))`,
    [`causeway.${table}`, key],
  );
  return rows.map(({ role }) => role);
}

test('no role that signs in can delete what they name, or give it another key', async () => {
  for (const { referred, referredColumns } of keys)
    expect(await unsteady(referred, referredColumns), referred).toEqual([]);
  // Of what PostgreSQL still has to protect.
  expect(await unsteady('payout_batch_row', ['company_id', 'id'])).toEqual(['causeway_app']);
});

test('a run of a batch leaves none that names nothing; one that would is found', async () => {
  const tenant = await world.company();
  await credit(world.db, tenant, 'USDT', 100_000_000n);
  const row = { walletId: tenant.wallets.USDT, payeeId: await payee(world, tenant), amountMinor: 5_000_000n };
  const { id: batchId } = await insertTestBatch(world.db, tenant, [row, { ...row, amountMinor: 6_000_000n }]);
  await submittedRun(world, tenant.admin, batchId);
  expect(await orphans(world.db)).toEqual([]);
  await client.query(`set session_replication_role = replica;
    delete from causeway.payout_batch_run where company_id = '${tenant.id}';
    set session_replication_role = origin`);
  expect(await orphans(world.db)).toEqual(['payout_batch_entry_company_id_run_id_fkey 2']);
});
