import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestCompany, type TestCompany } from '../../../testing/company.ts';
import { type TestDatabase, testDatabase } from '../../../testing/database.ts';
import { type Explained, explained, rowsRemoved } from '../../../testing/plans.ts';

/** Plans as the application's role gets them, with 100,000 rows of one company beside those of another. */
let db: TestDatabase;
let company: TestCompany;
let client: Explained['client'];
let plans: Explained;
const run = '00000000-0000-7000-8000-0000000000aa';

beforeAll(async () => {
  db = await testDatabase();
  company = await openTestCompany(db);
  const other = await openTestCompany(db);
  plans = await explained(db);
  client = plans.client;
  for (const [target, rows] of [
    [company, 100_000],
    [other, 20_000],
  ] as const) {
    await client.query(
      `insert into transaction (company_id, id, type, status, stage, direction, wallet_id, chain_id, coin, quantity,
         payee_account, created_at, category)
       select $1, gen_random_uuid(), case when n % 3 = 0 then 'chain_withdraw' else 'chain_deposit' end,
         case when n % 1000 = 0 then 'failed' else 'completed' end, 'credited', 'in', $2, 'ethereum', 'USDT', n * 1000,
         '0x' || left(encode(sha256(n::text::bytea), 'hex'), 40),
         '2026-01-01'::timestamptz + n * interval '1 minute',
         case when n % 1000 = 1 then 'Rent' end
       from generate_series(1, $3::integer) n`,
      [target.id, target.wallets.USDT, rows],
    );
  }
  await client.query(`insert into transaction_chain (company_id, transaction_id, chain_id, hash)
    select company_id, id, chain_id, '0x' || encode(sha256(payee_account::bytea), 'hex') from transaction`);
  // A run of 5,000, of which batch, rows and initiator are left out.
  await client.query('set session_replication_role = replica');
  await client.query(
    `insert into payout_batch_run (company_id, id, batch_id, number, digest, initiator_id, row_count, value_usd_cents)
     values ($1, $2, $2, 1, sha256('run'), $2, 5000, 0)`,
    [company.id, run],
  );
  await client.query(
    `insert into payout_batch_entry (company_id, run_id, row_id, transaction_id, position)
     select company_id, $2, gen_random_uuid(), id, row_number() over ()
     from (select company_id, id from transaction where company_id = $1 order by id limit 5000) t`,
    [company.id, run],
  );
  await client.query('set session_replication_role = default');
  await client.query('analyze transaction, transaction_chain, payout_batch_run, payout_batch_entry');
  await plans.actAs(company.id);
}, 120_000);
afterAll(async () => {
  await client.end();
  await db.close();
});

const search = 'select * from transaction_search($1, $2, true, $3, $4, 51)';
const middle = ['2026-02-01T00:00:00.000000Z', '00000000-0000-7000-8000-000000000000'];

describe('pages and filters of 100,000 rows', () => {
  test.each([
    ['first page', {}, 'time', [null, null]],
    ['a page in the middle', {}, 'time', middle],
    ['by amount', {}, 'amount', [null, null]],
    ['by amount, in the middle', {}, 'amount', ['50.000000000000000000', middle[1]]],
    ['one type', { type: 'chain_withdraw' }, 'time', middle],
    ['a rare status', { status: 'failed' }, 'time', [null, null]],
    ['one coin', { coin: 'USDT' }, 'time', middle],
    ['one wallet', { walletId: '' }, 'time', middle],
    ['a span of time', { from: '2026-01-20T00:00:00Z', to: '2026-01-21T00:00:00Z' }, 'time', [null, null]],
    ['a rare amount', { amountMin: '77.777', amountMax: '77.777' }, 'time', [null, null]],
    ['a rare category', { category: 'Rent' }, 'time', [null, null]],
    ['a rare category, in the middle', { category: 'Rent' }, 'time', middle],
    ['a run of a batch', { batchRunId: run }, 'time', [null, null]],
    ['a run of a batch, by amount', { batchRunId: run }, 'amount', [null, null]],
    ['a hash', { keyword: `0x${'a'.repeat(64)}` }, 'time', [null, null]],
    ['an address', { keyword: `0x${'a'.repeat(40)}` }, 'time', [null, null]],
  ])('%s reads an index and throws little away', async (_, filter, sort, after) => {
    const asked = 'walletId' in filter ? { walletId: company.wallets.USDT } : filter;
    const plan = await plans.planOf(search, [JSON.stringify(asked), sort, ...after]);
    expect(plan).not.toContain('Seq Scan');
    expect(rowsRemoved(plan)).toBeLessThan(5000);
  });

  test('a run has its own transactions alone, and they are counted', async () => {
    const { rows } = await client.query('select transaction_search_count($1, 10001) as count', [
      JSON.stringify({ batchRunId: run }),
    ]);
    expect(rows[0].count).toBe('5000');
  });

  test('a count stops at what was asked for', async () => {
    const plan = await plans.planOf('select transaction_search_count($1, 10001)', [JSON.stringify({ coin: 'USDT' })]);
    expect(plan).not.toContain('Seq Scan');
    expect(plan).toMatch(/Limit.*rows=10001/);
  });

  test('the kept total reads no transaction', async () => {
    plans.takePlans();
    const { rows } = await client.query(
      'select sum(rows)::int as count from transaction_count where company_id = company_id()',
    );
    expect(rows[0].count).toBeGreaterThan(10_000);
    expect(plans.takePlans()).not.toMatch(/on transaction\b/);
  });

  test('a page’s rows are read by their ids', async () => {
    const { rows } = await client.query(search, ['{}', 'time', null, null]);
    const plan = await plans.planOf(
      'select * from transaction t where t.company_id = company_id() and t.id = any ($1::uuid[])',
      [rows.map((row) => row.id)],
    );
    expect(plan).not.toContain('Seq Scan');
  });
});

test('the application can neither become the searching role nor build its conditions', async () => {
  await expect(db.app.pool.query('set role causeway_search')).rejects.toMatchObject({ code: '42501' });
  await expect(db.app.pool.query("select transaction_filter('{}')")).rejects.toMatchObject({ code: '42501' });
  // Without a company there is nothing to find.
  const { rows } = await db.app.pool.query("select * from transaction_search('{}', 'time', true, null, null, 51)");
  expect(rows).toEqual([]);
});
