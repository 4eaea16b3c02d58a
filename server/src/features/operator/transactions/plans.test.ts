import type { Query } from '@causeway/contract/call.ts';
import type { listOperatorTransactions } from '@causeway/contract/operator-transactions.ts';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Tx } from '../../../platform/database/database.ts';
import { type TestDatabase, testDatabase } from '../../../testing/database.ts';
import { nilCompany } from '../../identity/index.ts';
import { list } from './list.ts';
import { findCompanyOf } from './store.ts';

/** How many rows the console's role reads for a page among 30,000 transactions of 60 companies, one of which has half of them. */

let db: TestDatabase;
const companies = 60;
const address = '0x00000000000000000000000000000000000000aa';
const chosen = "md5('c1')::uuid";

beforeAll(async () => {
  db = await testDatabase();
  const admin = new pg.Client({ connectionString: db.superuserUrl });
  await admin.connect();
  try {
    await fill(admin);
  } finally {
    await admin.end();
  }
}, 120_000);
afterAll(() => db.close());

async function fill(admin: pg.Client): Promise<void> {
  await admin.query('set search_path = causeway; set session_replication_role = replica');
  await admin.query(
    `insert into company (company_id, name) select md5('c' || i)::uuid, 'Company ' || i from generate_series(1, ${companies}) i`,
  );
  await admin.query(`insert into wallet (company_id, id, chain_id, asset_id)
    select md5('c' || i)::uuid, md5('w' || i)::uuid, 'ethereum', 'USDT' from generate_series(1, ${companies}) i`);
  await admin.query(`insert into transaction (company_id, id, type, status, stage, direction, wallet_id, chain_id, coin, quantity, amount_whole,
      payee_name, payee_account, payer_account, notes, created_at)
    select md5('c' || co)::uuid, (lpad(to_hex(i), 8, '0') || '-0000-7000-8000-000000000009')::uuid,
      case when i % 3 = 0 then 'chain_withdraw' else 'chain_deposit' end,
      case when i % 500 = 0 then 'failed' when i % 1000 = 7 then 'pending' else 'completed' end,
      case when i % 500 = 0 then 'refused' when i % 1000 = 7 then 'signing' when i % 3 = 0 then 'completed' else 'credited' end,
      case when i % 3 = 0 then 'out' else 'in' end, md5('w' || co)::uuid, 'ethereum', 'USDT', i, i / 1000000.0,
      'Payee ' || i % 5003 || case when i % 100 = 1 then ' rare' else '' end,
      case when i % 5000 = 3 then '${address}' else '0x' || left(md5('p' || i), 20) || left(md5('q' || i), 20) end, null, '',
      '2026-01-01'::timestamptz + i * interval '1 minute'
    from (select i, case when i % 2 = 0 then 1 else 2 + (i / 2) % ${companies - 1} end as co from generate_series(1, 30000) i) as given`);
  await admin.query(`insert into transaction_chain (company_id, transaction_id, chain_id, hash)
    select company_id, id, chain_id, '0x' || md5(id::text) || md5('h' || id::text) from transaction`);
  await admin.query(`insert into transaction_text (company_id, transaction_id, spoken, codes, indexed)
    select t.company_id, t.id, transaction_spoken(t), transaction_codes(t), true from transaction t`);
  await admin.query(
    `insert into transaction_count (company_id, slot, rows) select company_id, 0, count(*) from transaction group by 1`,
  );
  await admin.query(`insert into chain_send (company_id, payment_id, attempt, kind, transfer_id, chain_id, from_address, nonce, amount, gas_limit,
      max_fee_per_gas, max_priority_fee_per_gas, hash, raw)
    select t.company_id, t.id, 1, 'transfer', t.id, 'ethereum', t.company_id::text, row_number() over (), 1, 1, 1, 1, x.hash, 'raw'
    from transaction t join transaction_chain x on x.company_id = t.company_id and x.transaction_id = t.id where t.direction = 'out'`);
  await admin.query('set session_replication_role = origin');
  await admin.query('analyze');
}

const large = ['transaction', 'transaction_chain', 'transaction_text', 'chain_send'];

/** What this transaction has read of the large tables: rows in all, and scans of a whole table. */
async function readSoFar(tx: Tx): Promise<{ rows: number; scans: number }> {
  const { rows } = await sql<{ rows: number; scans: number }>`
    select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::bigint as rows, sum(seq_scan)::bigint as scans from pg_stat_xact_user_tables
    where schemaname = 'causeway' and relname = any (${large}::text[])`.execute(tx);
  return rows[0] ?? { rows: 0, scans: 0 };
}

const one = '00000333-0000-7000-8000-000000000009';
const hash = async (tx: Tx) => {
  const { rows } = await sql<{
    hash: string;
  }>`select '0x' || md5(${one}::text) || md5('h' || ${one}::text) as hash`.execute(tx);
  return rows[0]?.hash ?? '';
};

/** A page of 20 is cut for each company; a total is counted to 10,001. */
const aPageEach = companies * 21;
const counted = 10_001;

test.each<[string, Query<typeof listOperatorTransactions>, mostRead: number, found: number | 'full']>([
  ['newest', {}, 200, 'full'],
  ['a day', { from: '2026-01-11T00:00:00Z', to: '2026-01-12T00:00:00Z' }, 2000, 'full'],
  ['a rare status', { status: 'pending' }, 2 * aPageEach, 'full'],
  ['a rare stage', { stage: 'signing' }, 4 * aPageEach, 'full'],
  ['a usual status', { status: 'completed' }, aPageEach + counted + 200, 'full'],
  ['a type', { type: 'chain_withdraw' }, aPageEach + counted + 200, 'full'],
  ['a chain', { chain: 'ethereum' }, aPageEach + counted + 200, 'full'],
  ['a company', { company: '' }, counted + 200, 'full'],
  ['the largest', { sort: 'amount' }, aPageEach + 200, 'full'],
  ['an amount', { amountMin: '0.025', amountMax: '0.025' }, 2 * aPageEach, 1],
  ['an id', { keyword: one }, 400, 1],
  ['a hash', { keyword: 'hash' }, 400, 1],
  ['an address', { keyword: address }, 400, 6],
  ['a word that some have', { keyword: 'rare' }, 4 * 600 + 400, 'full'],
  ['a word that nearly all have', { keyword: 'payee' }, 4 * counted + 200, 'full'],
])('%s', async (_, given, mostRead, found) => {
  const read = await db.console.withCompany(nilCompany, async (tx) => {
    const query = { ...given };
    if (query.keyword === 'hash') query.keyword = await hash(tx);
    if (query.company === '')
      query.company = (await sql<{ id: string }>`select ${sql.raw(chosen)} as id`.execute(tx)).rows[0]?.id;
    const before = await readSoFar(tx);
    const { items } = await list(tx, { locale: 'en-us' }, query);
    expect(items).toHaveLength(found === 'full' ? 20 : found);
    const after = await readSoFar(tx);
    return { rows: after.rows - before.rows, scans: after.scans - before.scans };
  });
  expect(read.scans).toBe(0);
  expect(read.rows).toBeLessThanOrEqual(mostRead);
});

test('the second page costs what the first did', async () => {
  for (const query of [{}, { status: 'completed' }, { sort: 'amount' }] as const) {
    const rows = await db.console.withCompany(nilCompany, async (tx) => {
      const { next } = await list(tx, { locale: 'en-us' }, query);
      const before = await readSoFar(tx);
      await list(tx, { locale: 'en-us' }, { ...query, ...(next === null ? {} : { cursor: next }) });
      return (await readSoFar(tx)).rows - before.rows;
    });
    expect(rows).toBeLessThanOrEqual(aPageEach + counted + 200);
  }
});

test('whose a transaction is takes a look at one index for each company', async () => {
  const rows = await db.console.withCompany(nilCompany, async (tx) => {
    const before = await readSoFar(tx);
    expect(await findCompanyOf(tx, one)).toMatchObject({ name: expect.stringMatching(/^Company \d+$/) });
    const after = await readSoFar(tx);
    return { rows: after.rows - before.rows, scans: after.scans - before.scans };
  });
  expect(rows.scans).toBe(0);
  expect(rows.rows).toBeLessThanOrEqual(1);
});
