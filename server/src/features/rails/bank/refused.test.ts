import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  dayStatement,
  figuresOf,
  keepFile,
  moneysOf,
  notification,
  type TestBooking,
  takeIn,
} from '../../../testing/bank-intake.ts';
import { openTestBank, openTestBankWallet, openTestCollection } from '../../../testing/banks.ts';
import { openTestCompany, type TestCompany } from '../../../testing/company.ts';
import { type TestDatabase, testDatabase } from '../../../testing/database.ts';

/** What a bank's file has done before it is read, and one that cannot be read: nothing. */

let db: TestDatabase;
let company: TestCompany;
let wallet: { id: string; number: string };
/** The installation's account, one for each test. */
let of = '998002000000000';

beforeAll(async () => {
  db = await testDatabase();
  await openTestBank(db);
});

beforeEach(async () => {
  of = String(Number(of) + 1);
  await openTestCollection(db, of);
  company = await openTestCompany(db);
  wallet = await openTestBankWallet(db, company.id, 'HKD');
});

afterAll(() => db.close());

const payIn = (more: Partial<TestBooking> = {}): TestBooking => ({
  amount: '100.00',
  ref: 'R-1',
  details: [{ tx: 'T-1', to: wallet.number }],
  ...more,
});

async function problems(count: number): Promise<string[]> {
  const { rows } = await db.operator.withoutCompany((tx) =>
    sql<{ problem: string }>`
      select problem from bank_message where state = 'refused' order by received_at desc limit ${count}`.execute(tx),
  );
  return rows.map(({ problem }) => problem);
}

test('a file that breaks off in the middle is refused, and nothing of it is used', async () => {
  const file = dayStatement([payIn()], { of });
  await takeIn(db, file.slice(0, -200));
  expect(await problems(1)).toEqual(['bank.file.notXml']);
  expect(await moneysOf(db, of)).toEqual([]);
  await takeIn(db, file);
  expect((await figuresOf(db, company.id, wallet.id))['bank']).toBe(-10_000n);
});

test('a file about a currency that is not held at the bank, and one about two, are refused', async () => {
  await takeIn(db, notification([payIn()], { of }).replaceAll('HKD', 'CHF'));
  await takeIn(
    db,
    notification([payIn(), payIn({ amount: '200.00', ref: 'R-2' })], { of }).replace(
      '<Amt Ccy="HKD">200.00',
      '<Amt Ccy="JPY">200',
    ),
  );
  expect(await problems(2)).toEqual(['bankIn.refused.currencies', 'bankIn.refused.currencyNotHeld']);
});

test('a file about an account that is neither in the registry nor a company’s is refused, and one of a company’s own account is used', async () => {
  const unknown = notification([payIn()], { of: '998001999999999' });
  await takeIn(db, unknown);
  expect(await problems(1)).toEqual(['bankIn.refused.accountNotOurs']);
  expect(await figuresOf(db, company.id, wallet.id)).toEqual({});
  await takeIn(db, notification([payIn()], { of: wallet.number }));
  expect((await figuresOf(db, company.id, wallet.id))['bank']).toBe(-10_000n);
  // The registry’s account needs no statement before it.
  await takeIn(db, notification([payIn({ ref: 'R-2', details: [{ tx: 'T-2', to: wallet.number }] })]));
  expect((await figuresOf(db, company.id, wallet.id))['bank']).toBe(-20_000n);
});

test('a message that was stored waits until it is read', async () => {
  await keepFile(db, notification([payIn()], { of }));
  expect(await moneysOf(db, of)).toEqual([]);
});

test.each(['PDNG', 'INFO', 'FUTR'])(
  'an entry in the state %s credits nothing; once it is booked it is credited',
  async (state) => {
    const booked = notification([payIn()], { of });
    await takeIn(db, booked.replace('<Sts><Cd>BOOK</Cd></Sts>', `<Sts><Cd>${state}</Cd></Sts>`));
    expect(await moneysOf(db, of)).toEqual([]);
    expect(await figuresOf(db, company.id, wallet.id)).toEqual({});
    await takeIn(db, dayStatement([payIn()], { of }));
    expect((await figuresOf(db, company.id, wallet.id))['bank']).toBe(-10_000n);
  },
);
