import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { exampleBank, registerTestBanks } from '../../testing/bank-registry.ts';
import { type TestDatabase, testDatabase } from '../../testing/database.ts';
import { luhn } from './account-numbers.ts';
import { isIso11649 } from './messages/references.ts';

let db: TestDatabase;
let owner: pg.Client;
beforeAll(async () => {
  db = await testDatabase();
  owner = new pg.Client({ connectionString: db.superuserUrl });
  await owner.connect();
});
afterAll(async () => {
  await owner.end();
  await db.close();
});

async function usable(): Promise<string[]> {
  const { rows } = await owner.query<{ name: string }>(
    `select b.id || ' ' || a.asset_id as name from causeway.bank b join causeway.bank_asset a on a.bank_id = b.id
     where b.enabled and a.enabled order by 1`,
  );
  return rows.map(({ name }) => name);
}

async function nextNumber(): Promise<number> {
  const { rows } = await owner.query<{ next: string }>(
    `select next_number as next from causeway.bank_account_range where bank_id = 'first'`,
  );
  return Number(rows[0]?.next);
}

test('a bank is written with what payers and dates need, and follows its file', async () => {
  await registerTestBanks(db);
  const read = async () =>
    (
      await owner.query(
        `select b.name, b.name_zh_hk, b.time_zone, b.calendars, b.clearing_system, a.cut_off, a.days_least, a.days_most,
           a.recharge_fee::text as fee, a.recharge_minimum::text as minimum, a.collecting_account
         from causeway.bank b join causeway.bank_asset a on a.bank_id = b.id where b.id = 'first' and a.asset_id = 'USD'`,
      )
    ).rows[0];
  const written = {
    name: 'First Example Bank',
    name_zh_hk: '範例第一銀行',
    time_zone: 'Asia/Hong_Kong',
    calendars: ['HKD'],
    clearing_system: 'HKNCC',
    cut_off: '16:00',
    days_least: 1,
    days_most: 3,
    fee: '1000',
    minimum: null,
    collecting_account: '999001000000002',
  };
  expect(await read()).toEqual(written);
  const { currencies } = exampleBank();
  const dearer = currencies.map((each) => (each.currency === 'USD' ? { ...each, fee: '12.50', minimum: '20' } : each));
  await registerTestBanks(db, [exampleBank({ name: 'Renamed', currencies: dearer })]);
  expect(await read()).toEqual({ ...written, name: 'Renamed', fee: '1250', minimum: '2000' });
});

test('what the file no longer has is switched off, and on again when it comes back', async () => {
  await registerTestBanks(db);
  const all = ['first HKD', 'first JPY', 'first USD'];
  expect(await usable()).toEqual(all);
  const [dollars] = exampleBank().currencies;
  await registerTestBanks(db, [exampleBank({ currencies: dollars ? [dollars] : [] })]);
  expect(await usable()).toEqual(['first HKD']);
  await registerTestBanks(db, []);
  expect(await usable()).toEqual([]);
  await registerTestBanks(db, [exampleBank({ enabled: false })]);
  expect(await usable()).toEqual([]);
  await registerTestBanks(db);
  expect(await usable()).toEqual(all);
});

test('the counter of account numbers rises with the file and never falls', async () => {
  await registerTestBanks(db, [exampleBank({ accounts: { prefix: '999001', digits: 7, first: 500 } })]);
  expect(await nextNumber()).toBe(500);
  await registerTestBanks(db);
  expect(await nextNumber()).toBe(500);
  await registerTestBanks(db, [exampleBank({ accounts: undefined })]);
  expect(await nextNumber()).toBe(500);
});

test('an amount with more decimals than its currency is refused, and nothing is changed', async () => {
  await registerTestBanks(db);
  const [first, ...rest] = exampleBank().currencies;
  if (!first) throw new Error('the example has currencies');
  const wrong = exampleBank({ name: 'Not written', currencies: [{ ...first, fee: '1.005' }, ...rest] });
  await expect(registerTestBanks(db, [wrong])).rejects.toThrow('the fee of HKD at first has more decimals');
  const { rows } = await owner.query(`select name from causeway.bank where id = 'first'`);
  expect(rows).toEqual([{ name: 'First Example Bank' }]);
});

test('the check digit is that of ISO/IEC 7812: any wrong digit is noticed', () => {
  // The published example of the standard's algorithm.
  expect(luhn('7992739871')).toBe('3');
  const number = '9990010000123';
  for (const [i, digit] of [...number].entries()) {
    const wrong = `${number.slice(0, i)}${(Number(digit) + 1) % 10}${number.slice(i + 1)}`;
    expect(luhn(wrong)).not.toBe(luhn(number));
  }
});

test('the database makes references that hold by ISO 11649', async () => {
  const { rows } = await owner.query<{ reference: string }>(
    `select causeway.creditor_reference(token) as reference
     from unnest(array['539007547034', '99900100001235', 'A', 'ZZ99', '00000000000000'] ||
       array(select lpad((n * 7919)::text, 14, '0') from generate_series(1, 200) n)) as t (token)`,
  );
  expect(rows[0]?.reference).toBe('RF18539007547034');
  expect(rows.filter(({ reference }) => !isIso11649(reference))).toEqual([]);
});
