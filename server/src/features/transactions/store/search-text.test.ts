import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestCompany, type TestCompany } from '../../../testing/company.ts';
import { type TestDatabase, testDatabase } from '../../../testing/database.ts';
import { type Explained, explained, rowsRemoved } from '../../../testing/plans.ts';
import { insertTestTransaction } from '../../../testing/transactions.ts';
import { placeTransaction } from './lifecycle.ts';
import { countMatching, indexTexts, searchTransactions } from './search.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
});
afterAll(() => db.close());

const newest = { by: 'time', descending: true } as const;

async function find(company: TestCompany, keyword: string): Promise<string[]> {
  const [found, count] = await db.app.withCompany(company.id, (tx) =>
    Promise.all([searchTransactions(tx, { keyword }, newest, null, 51), countMatching(tx, { keyword }, 10_001)]),
  );
  expect(count).toBe(found.length);
  return found.map(({ id }) => id);
}

const indexAll = () => db.worker.withoutCompany((tx) => indexTexts(tx, 1_000_000));

describe('free text', () => {
  const hash = `0x${'0123456789abcdef'.repeat(4)}`;
  let company: TestCompany;
  let ids: Record<string, string>;
  beforeAll(async () => {
    company = await openTestCompany(db);
    const insert = (values: object) => insertTestTransaction(db, company, values);
    ids = {
      pearl: await insert({ payerName: 'Pearl River Supplies', notes: 'Invoice 2026-118, 100% of it\nthank you' }),
      kowloon: await insert({ payerName: '九龍貿易有限公司', notes: '貨款' }),
      muller: await insert({ payerName: 'Müller & Söhne', hash }),
      three: await insert({ payerName: '3M Hong Kong', payerAccount: company.address, notes: 'a_b' }),
    };
    const other = await openTestCompany(db);
    await insertTestTransaction(db, other, { payerName: 'Pearl River 九龍貿易 3M Müller', notes: '100% a_b', hash });
  });

  const cases: [keyword: string, found: string[]][] = [
    ['pearl river', ['pearl']],
    ['EARL RIV', ['pearl']],
    ['118, 100% of it\nth', ['pearl']],
    ['100%', ['pearl']],
    ['1000', []],
    ['a_b', ['three']],
    ['axb', []],
    ['a\\b', []],
    ['九龍', ['kowloon']],
    ['龍貿', ['kowloon']],
    ['貿易有限', ['kowloon']],
    ['龍', ['kowloon']],
    ['貨款', ['kowloon']],
    ['貨易', []],
    ['MÜLLER', ['muller']],
    ['ül', ['muller']],
    ['& söhne', ['muller']],
    ['3m', ['three']],
    ['3M hong', ['three']],
    ['h', ['three']],
    ['m', ['muller']],
    ['def0123', ['muller']],
    ['%', ['pearl']],
    ['%%%', []],
    ['&', ['muller']],
    ['_', ['three']],
    ["'; drop table transaction; --", []],
    ['zzz', []],
  ];

  describe.each([
    ['as it was written', false],
    ['through the index', true],
  ])('%s', (_, indexed) => {
    beforeAll(async () => {
      if (indexed) expect(await indexAll()).toBeGreaterThan(0);
    });
    test.each(cases)('%j is found where it stands', async (keyword, found) => {
      expect((await find(company, keyword)).sort()).toEqual(found.map((name) => ids[name]).sort());
    });
  });

  test('a hash is found as soon as there is one, and the end of an account', async () => {
    const id = await insertTestTransaction(db, company, { payerName: 'Lantau' });
    await indexAll();
    expect(await find(company, 'feedfeed')).toEqual([]);
    const place = (hash: string) => db.worker.withCompany(company.id, (tx) => placeTransaction(tx, id, hash, null));
    await place('0xfeedfeed00');
    expect(await find(company, 'feedfeed')).toEqual([id]);
    expect(await indexAll()).toBe(1);
    expect(await find(company, 'feedfeed')).toEqual([id]);
    // Sent again at a higher fee, under another hash.
    await place('0xbeefbeef00');
    expect(await find(company, 'feedfeed')).toEqual([]);
    expect(await find(company, 'beefbeef')).toEqual([id]);
    await indexAll();
    expect(await find(company, 'beefbeef')).toEqual([id]);
    expect(await find(company, company.address.slice(-9))).toEqual([ids['three']]);
  });
});

describe('an amount, as it is shown or begun', () => {
  let company: TestCompany;
  let ids: Record<string, string>;
  beforeAll(async () => {
    company = await openTestCompany(db);
    const insert = (values: object) => insertTestTransaction(db, company, values);
    ids = {
      in: await insert({ quantityMinor: 1_250_500_000n, createdAt: '2026-03-01T00:00:00Z' }),
      out: await insert({ type: 'chain_withdraw', quantityMinor: 1_250_500_000n }),
      more: await insert({ quantityMinor: 1_250_990_000n }),
      large: await insert({ quantityMinor: 2_501_250_000_000n }),
      ether: await insert({ coin: 'ETH', quantityMinor: 1_250_500_000_000_000_000_000n }),
      tiny: await insert({ coin: 'ETH', quantityMinor: 1n }),
      // A word that is an amount is still a word.
      invoice: await insert({ quantityMinor: 7_000_000n, notes: 'Invoice 1250' }),
    };
    const other = await openTestCompany(db);
    await insertTestTransaction(db, other, { quantityMinor: 1_250_500_000n });
  });

  test.each<[keyword: string, found: string[]]>([
    ['1250.50', ['in', 'out', 'ether']],
    ['1250.5', ['in', 'out', 'ether']],
    ['1,250.50', ['in', 'out', 'ether']],
    ['1,250.500000', ['in', 'out', 'ether']],
    ['1250', ['in', 'out', 'more', 'ether', 'invoice']],
    ['1250.9', ['more']],
    ['1250.51', []],
    ['1251', []],
    ['-1250.50', ['out']],
    ['−1,250.50', ['out']],
    ['+1,250.50 USDT', ['in']],
    ['1250.5 usdt', ['in', 'out']],
    ['1250.5 ETH', ['ether']],
    ['1250.5 EUR', []],
    ['１，２５０．５', ['in', 'out', 'ether']],
    ['2,501,250', ['large']],
    ['2501250', ['large']],
    ['0.000000000000000001', ['tiny']],
    ['12,50.5', []],
    ['1250,5', []],
    ['1.250,50', []],
    [`${'9'.repeat(60)}`, []],
    ['1250.5; drop table transaction', []],
  ])('%j', async (keyword, found) => {
    expect((await find(company, keyword)).sort()).toEqual(found.map((name) => ids[name]).sort());
  });

  test('beside other filters, and page by page', async () => {
    const filter = { keyword: '1250.50', from: '2026-02-01T00:00:00.000Z', to: '2026-04-01T00:00:00.000Z' };
    const [found, count] = await db.app.withCompany(company.id, (tx) =>
      Promise.all([searchTransactions(tx, filter, newest, null, 51), countMatching(tx, filter, 10_001)]),
    );
    expect([found.map(({ id }) => id), count]).toEqual([[ids['in']], 1]);
    const [first] = await db.app.withCompany(company.id, (tx) =>
      searchTransactions(tx, { keyword: '1250.50' }, newest, null, 1),
    );
    const rest = await db.app.withCompany(company.id, (tx) =>
      searchTransactions(tx, { keyword: '1250.50' }, newest, first ?? null, 51),
    );
    expect(new Set([first, ...rest].map((row) => row?.id))).toEqual(new Set([ids['in'], ids['out'], ids['ether']]));
  });
});

describe('among many transactions', () => {
  const rows = { mine: 20_000, others: 5000 };
  let plans: Explained;
  beforeAll(async () => {
    plans = await explained(db);
    const { client } = plans;
    const [mine, other] = [await openTestCompany(db), await openTestCompany(db)];
    const { rows: made } = await client.query(
      "select pg_get_indexdef('transaction_text_search'::regclass) as statement",
    );
    // An index is made more quickly than it is kept.
    await client.query('drop index transaction_text_search');
    for (const [{ id, wallets }, count] of [
      [mine, rows.mine],
      [other, rows.others],
    ] as const) {
      await client.query(
        `insert into transaction (company_id, id, type, status, stage, direction, wallet_id, chain_id, coin, quantity,
           payee_account, created_at, payee_name, payer_name, notes)
         select $1, gen_random_uuid(), 'chain_withdraw', 'completed', 'completed', 'out', $2, 'ethereum', 'USDT',
           case when n > 9000 then 500000000 else n * 1000 end, '0x' || left(encode(sha256(n::text::bytea), 'hex'), 40),
           '2026-01-01'::timestamptz + n * interval '1 minute',
           (array['Pearl River Supplies', '九龍貿易有限公司', 'Kowloon Freight', 'Müller & Söhne', 'Lantau ' || n])[1 + n % 5],
           'Harbour Lane Trading', case when n % 2000 = 0 then 'Invoice ' || n || ' 3M 發票' else '' end
         from generate_series(1, $3::integer) n`,
        [id, wallets.USDT, count],
      );
    }
    await client.query(`insert into transaction_chain (company_id, transaction_id, chain_id, hash)
      select company_id, id, chain_id, '0x' || encode(sha256(substr(payee_account, 3)::bytea), 'hex') from transaction
      where type = 'chain_withdraw' and company_id in ('${mine.id}', '${other.id}')`);
    await indexAll();
    await client.query(made[0].statement);
    await client.query('vacuum analyze transaction, transaction_text');
    await plans.actAs(mine.id);
  }, 120_000);
  afterAll(() => plans.client.end());

  test.each([
    ['that nobody has', 'no such word', 0],
    ['that few have', 'invoice 20', 2],
    ['in a hash', '5feceb66ffc8', 0],
    ['in a name', 'lantau 777', 2],
    ['of two characters', '3m', 10],
    ['of two Chinese characters', '發票', 10],
    ['and another, both short', '3m 發票', 10],
    ['of one character', '票', 10],
    ['that many have', '貿易', 51],
    ['that all have', 'harbour', 51],
    ['with signs in it', '100%_\\3', 0],
    ['of signs', '%&', 0],
    ['that is an amount', '7.777', 1],
    ['that is the beginning of many amounts', '7', 51],
    ['that is the amount of most', '500', 51],
    ['that is the amount of most, with its sign', '-500', 51],
  ])('a word %s is found without reading them all', async (_, keyword, found) => {
    const { client, planOf } = plans;
    const filter = JSON.stringify({ keyword });
    const search = 'select * from transaction_search($1, $2, true, $3, $4, 51)';
    expect((await client.query(search, [filter, 'time', null, null])).rows).toHaveLength(found);
    const plan = await planOf(search, [filter, 'time', null, null]);
    const counted = await planOf('select transaction_search_count($1, 10001)', [filter]);
    for (const read of [plan, counted]) {
      expect(read).not.toContain('Seq Scan');
      expect(rowsRemoved(read)).toBeLessThan(1000);
    }
  });
});
