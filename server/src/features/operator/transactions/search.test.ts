import type { Query } from '@causeway/contract/call.ts';
import type { listOperatorTransactions } from '@causeway/contract/operator-transactions.ts';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../../platform/ids.ts';
import type { OperatorContext } from '../../../platform/session.ts';
import { openTestCompany, randomAddress, type TestCompany } from '../../../testing/company.ts';
import { type TestDatabase, testDatabase } from '../../../testing/database.ts';
import { signedInOperator } from '../../../testing/operators.ts';
import { insertTestTransaction, type TestTransaction } from '../../../testing/transactions.ts';
import { nilCompany } from '../../identity/index.ts';
import { startIndexing } from '../../transactions/index.ts';
import { exportCsv } from './export.ts';
import { list } from './list.ts';

/** The search over two companies, by every key; each row has its look-alike in the other company. */

let db: TestDatabase;
let superuser: pg.Client;
let viewer: OperatorContext;
let one: TestCompany;
let two: TestCompany;
const hash = `0x${'ab'.repeat(32)}`;
const replacedHash = `0x${'cd'.repeat(32)}`;
const address = randomAddress();
const rows: Record<string, string> = {};

async function named(name: string): Promise<TestCompany> {
  const opened = await openTestCompany(db);
  await db.app.withCompany(opened.id, (tx) =>
    sql`insert into company (company_id, name) values (company_id(), ${name})`.execute(tx),
  );
  return opened;
}

beforeAll(async () => {
  db = await testDatabase();
  superuser = new pg.Client({ connectionString: db.superuserUrl });
  await superuser.connect();
  viewer = await signedInOperator(db, 'viewer');
  one = await named('Far Voyage');
  two = await named('Tai O Trading');
  const add = async (name: string, company: TestCompany, transaction: TestTransaction) => {
    rows[name] = await insertTestTransaction(db, company, { quantityMinor: 7_000_000n, ...transaction });
  };
  const out = { type: 'chain_withdraw', payeeAccount: randomAddress() };
  await add('oldest', two, { createdAt: '2026-01-01T00:00:00.000Z', payerAccount: address });
  await add('rent', one, {
    ...out,
    createdAt: '2026-02-01T00:00:00.000Z',
    payeeName: '海港有限公司',
    invoiceNumber: 'INV-77',
    hash,
  });
  await add('paid', two, {
    ...out,
    createdAt: '2026-02-02T00:00:00.000Z',
    payeeAccount: address,
    quantityMinor: 1_250_500_000n,
  });
  await add('waiting', two, { ...out, createdAt: '2026-02-03T00:00:00.000Z', status: 'pending', stage: 'signing' });
  await add('ether', one, { createdAt: '2026-02-04T00:00:00.000Z', coin: 'ETH', quantityMinor: 7n * 10n ** 18n });
  await add('refused', one, { ...out, createdAt: '2026-02-05T00:00:00.000Z', status: 'failed', stage: 'refused' });
  await superuser.query(
    `insert into causeway.chain_send (company_id, payment_id, attempt, kind, transfer_id, chain_id, from_address, nonce, amount, gas_limit,
       max_fee_per_gas, max_priority_fee_per_gas, hash, raw)
     values ($1, $2, 1, 'transfer', $2, 'ethereum', 'x', 0, 1, 1, 1, 1, $3, '0x')`,
    [two.id, rows['waiting'], replacedHash],
  );
});
afterAll(async () => {
  await superuser.end();
  await db.close();
});

const asConsole = <T>(work: Parameters<typeof db.console.withCompany<T>>[1]) =>
  db.console.withCompany(nilCompany, work, { readOnly: true });
const page = (query: Query<typeof listOperatorTransactions>) => asConsole((tx) => list(tx, viewer, query));

async function found(query: Query<typeof listOperatorTransactions>): Promise<string[]> {
  const nameOf = new Map(Object.entries(rows).map(([name, id]) => [id, name]));
  const { items, total } = await page(query);
  expect(total).toBe(items.length);
  return items.map(({ id }) => nameOf.get(id) ?? id);
}

const all = ['refused', 'ether', 'waiting', 'paid', 'rent', 'oldest'];

test('all companies’ transactions, newest first, each with its company', async () => {
  expect(await found({})).toEqual(all);
  const { items } = await page({});
  expect(items.map(({ company }) => company.name)).toEqual([
    'Far Voyage',
    'Far Voyage',
    'Tai O Trading',
    'Tai O Trading',
    'Far Voyage',
    'Tai O Trading',
  ]);
});

describe.each(['indexed', 'not yet indexed'])('by keyword, the texts being %s', (state) => {
  beforeAll(() => superuser.query('update causeway.transaction_text set indexed = $1', [state === 'indexed']));

  test.each<[string, () => string, string[]]>([
    ['an id', () => (rows['rent'] ?? '').toUpperCase(), ['rent']],
    ['a hash', () => hash, ['rent']],
    ['a hash in capitals without 0x is another', () => 'AB'.repeat(32), []],
    ['the hash of an attempt that the chain does not have', () => replacedHash, ['waiting']],
    ['an address that paid and was paid', () => address.toLowerCase(), ['paid', 'oldest']],
    ['the beginning of an address', () => address.slice(0, 12), ['paid', 'oldest']],
    ['an amount', () => '1,250.50', ['paid']],
    ['an amount with direction and asset', () => '+7 ETH', ['ether']],
    ['a payee', () => '海港', ['rent']],
    ['one character', () => '港', ['rent']],
    ['a reference', () => 'inv-77', ['rent']],
    ['a company', () => 'tai o', ['waiting', 'paid', 'oldest']],
    ['nothing that there is', () => 'zzz-not-there', []],
    ['what would break out of a statement', () => "' or true --", []],
    ['a wildcard', () => '%%%', []],
  ])('%s', async (_, keyword, expected) => {
    expect(await found({ keyword: keyword() })).toEqual(expected);
  });
});

test.each<[string, () => Query<typeof listOperatorTransactions>, string[]]>([
  ['company', () => ({ company: one.id }), ['refused', 'ether', 'rent']],
  ['company and keyword', () => ({ company: one.id, keyword: '7' }), ['refused', 'ether', 'rent']],
  ['company and the name of another', () => ({ company: one.id, keyword: 'tai o' }), []],
  ['type', () => ({ type: 'chain_deposit' }), ['ether', 'oldest']],
  ['status', () => ({ status: 'failed' }), ['refused']],
  ['stage', () => ({ stage: 'signing' }), ['waiting']],
  ['stage and another status', () => ({ stage: 'signing', status: 'failed' }), []],
  ['asset', () => ({ coin: 'ETH' }), ['ether']],
  ['chain', () => ({ chain: 'ethereum' }), all],
  ['chain and company', () => ({ chain: 'ethereum', company: two.id }), ['waiting', 'paid', 'oldest']],
  ['another chain', () => ({ chain: 'elsewhere' }), []],
  ['period', () => ({ from: '2026-02-02T00:00:00Z', to: '2026-02-04T00:00:00Z' }), ['waiting', 'paid']],
  ['exact amount', () => ({ amountMin: '7', amountMax: '7', coin: 'USDT' }), ['refused', 'waiting', 'rent', 'oldest']],
  ['range', () => ({ amountMin: '1000' }), ['paid']],
  [
    'status and asset, the largest amount first',
    () => ({ sort: 'amount', order: 'desc', status: 'completed', coin: 'USDT' }),
    ['paid', 'rent', 'oldest'],
  ],
])('by %s', async (_, query, expected) => {
  const names = await found(query());
  if (query().sort === 'amount') expect([...names].sort()).toEqual([...expected].sort());
  else expect(names).toEqual(expected);
});

test.each(['time', 'amount'] as const)('pages by %s hold every row once, in both directions', async (sort) => {
  const ids = await Promise.all(
    Array.from({ length: 23 }, (_, n) =>
      insertTestTransaction(db, n % 2 === 0 ? one : two, {
        notes: `paging ${sort}`,
        quantityMinor: BigInt(1000 + (n % 5)),
      }),
    ),
  );
  for (const order of ['asc', 'desc'] as const) {
    const seen: { id: string; createdAt: string; quantity: string }[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const query: Query<typeof listOperatorTransactions> = {
        keyword: `paging ${sort}`,
        sort,
        order,
        size: '10',
        ...(cursor === '' ? {} : { cursor }),
      };
      const { items, next } = await page(query);
      seen.push(...items);
      cursor = next;
    }
    expect(seen.map(({ id }) => id).sort()).toEqual([...ids].sort());
    const keys = seen.map(({ createdAt, quantity }) => (sort === 'time' ? createdAt : quantity));
    const sorted = [...keys].sort();
    expect(keys).toEqual(order === 'asc' ? sorted : sorted.reverse());
  }
  await expect(page({ cursor: 'x' })).rejects.toMatchObject({ key: 'cursorInvalid' });
});

test('what the worker indexes is found through the index', async () => {
  const id = await insertTestTransaction(db, two, { notes: 'Typhoon repairs' });
  const indexing = startIndexing(db.worker, { child: () => undefined } as never);
  await expect
    .poll(async () => (await superuser.query('select from causeway.transaction_text where not indexed')).rowCount)
    .toBe(0);
  await indexing.stop();
  expect((await page({ keyword: 'typhoon' })).items.map((row) => row.id)).toEqual([id]);
});

test('an export has the filtered rows, no formulas, and an entry in the operator’s log', async () => {
  await insertTestTransaction(db, one, { payeeName: '=1+1', type: 'chain_withdraw', notes: 'exported' });
  const database = db.console;
  const { content, name } = await exportCsv({ ...viewer, database }, { keyword: 'exported' });
  expect(name).toMatch(/^transactions-\d{4}-\d\d-\d\d\.csv$/);
  let csv = '';
  for await (const chunk of content) csv += String(chunk);
  const lines = csv.trim().split('\r\n');
  expect(lines).toHaveLength(2);
  expect(lines[1]).toContain('Far Voyage');
  expect(lines[1]).toContain("'=1+1");
  const { rows: logged } = await superuser.query(
    "select company_id as company, detail from causeway.audit_event where action = 'operator.exportTransactions'",
  );
  expect(logged).toMatchObject([{ company: nilCompany, detail: { filter: { keyword: 'exported' }, count: 1 } }]);
});

test('an export of more than 50,000 rows is refused', async () => {
  await superuser.query('set session_replication_role = replica; set search_path = causeway');
  await superuser.query(
    `insert into transaction (company_id, id, type, status, stage, direction, wallet_id, chain_id, coin, quantity, amount_whole, created_at)
     select $1, gen_random_uuid(), 'failed_refund', 'completed', 'refunded', 'in', $2, 'ethereum', 'USDT', 1, 0.000001, '2020-01-01'::timestamptz + n * interval '1 second'
     from generate_series(1, 50001) n`,
    [one.id, one.wallets.USDT],
  );
  await superuser.query('set session_replication_role = origin; analyze transaction');
  const refused = exportCsv({ ...viewer, database: db.console }, { type: 'failed_refund' });
  await expect(refused).rejects.toMatchObject({ key: 'exportTooLarge' });
  expect(await page({ type: 'failed_refund' })).toMatchObject({ total: 10_000, totalExact: false });
  expect((await page({ type: 'failed_refund', keyword: newId() })).total).toBe(0);
});
