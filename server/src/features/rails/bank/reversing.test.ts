import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  dayStatement as dayStatementOf,
  depositsOf,
  figuresOf,
  keepFile,
  moneysOf as moneysIn,
  notification as notificationOf,
  suspenseOf,
  type TestBooking,
  takeIn,
} from '../../../testing/bank-intake.ts';
import { openTestBank, openTestBankWallet, openTestCollection } from '../../../testing/banks.ts';
import { openTestCompany, type TestCompany } from '../../../testing/company.ts';
import { type TestDatabase, testDatabase } from '../../../testing/database.ts';
import { present } from '../../../testing/present.ts';
import { readMessages } from '../../banks/index.ts';
import { verifyLedger } from '../../ledger/index.ts';
import { settleMoneys } from '../index.ts';
import { takeBackReversed } from './reversing.ts';
import { unsettledMoneys } from './store.ts';

/** What a bank takes back, by a reversal or a return. */

let db: TestDatabase;
let company: TestCompany;
let wallet: { id: string; number: string };
let account = 998_001_000_000_000;
beforeAll(async () => {
  db = await testDatabase();
  await openTestBank(db);
});
// Each test has an account of the installation of its own.
beforeEach(async () => {
  account += 1;
  await openTestCollection(db, String(account));
  company = await openTestCompany(db);
  wallet = await openTestBankWallet(db, company.id, 'HKD');
});
afterAll(async () => {
  expect((await db.operator.withoutCompany(verifyLedger)).mismatches).toEqual([]);
  await db.close();
});

type Options = Parameters<typeof dayStatementOf>[1];
const dayStatement = (bookings: readonly TestBooking[], options: Options = {}) =>
  dayStatementOf(bookings, { of: String(account), ...options });
const notification = (bookings: readonly TestBooking[], options: Options = {}) =>
  notificationOf(bookings, { of: String(account), ...options });
const moneysOf = (database: TestDatabase) => moneysIn(database, String(account));
const figures = () => figuresOf(db, company.id, wallet.id);
const suspense = () => suspenseOf(db, String(account));
const deposits = () => depositsOf(db, company.id);

const payIn = (more: Partial<TestBooking> = {}): TestBooking => ({
  amount: '100.00',
  ref: 'R-1',
  details: [
    {
      tx: 'T-1',
      e2e: 'E-1',
      to: wallet.number,
      payer: 'Kowloon Mills',
      payerAccount: `024-${account}`,
      text: 'Invoice 7',
    },
  ],
  ...more,
});

describe('what the bank takes back', () => {
  const back = (more: Partial<TestBooking> = {}): TestBooking =>
    payIn({ sign: 'DBIT', reversal: true, ref: 'R-2', ...more });

  test('is taken from the wallet, with the fee', async () => {
    await takeIn(db, dayStatement([payIn()]));
    await takeIn(db, dayStatement([back()], { opening: '100.00', date: '2026-11-21' }));
    expect(await figures()).toEqual({});
    expect(await deposits()).toMatchObject([{ status: 'failed', stage: 'reversed' }]);
    expect(await moneysOf(db)).toMatchObject([{ state: 'credited' }, { state: 'reversal' }]);
  });

  test('leaves a deficit and a frozen wallet where it was spent, and is taken once', async () => {
    await takeIn(db, dayStatement([payIn()]));
    await db.worker.withCompany(company.id, (tx) =>
      sql`select ledger_post(gen_random_uuid(), 'test.spent', gen_random_uuid(), 'test', null,
        array_agg(id order by id), array_agg(case kind when 'available' then -8000 else 8000 end order by id))
        from ledger_account where company_id = company_id() and owner_id = ${wallet.id} and kind in ('available', 'bank')`.execute(
        tx,
      ),
    );
    const file = [back()];
    await takeIn(db, notification(file));
    await takeIn(db, dayStatement(file, { opening: '100.00', date: '2026-11-20' }));
    expect(await figures()).toEqual({ bank: 8000n, deficit: -8000n });
  });

  test('of money in suspense gives it free; of nothing that is known it is a charge for the operator', async () => {
    await takeIn(db, notification([payIn({ details: [{ tx: 'T-1' }] })]));
    await takeIn(db, notification([back({ details: [{ tx: 'T-1' }] })]));
    expect(await suspense()).toEqual({});
    await takeIn(
      db,
      notification([back({ ref: 'R-3', details: [{ tx: 'T-9' }] }), { amount: '3.00', sign: 'DBIT', ref: 'FEE-1' }]),
    );
    expect(await suspense()).toEqual({ charges: -10_300n, collecting: 10_300n });
    expect(await moneysOf(db)).toMatchObject([
      { state: 'returned' },
      { state: 'reversal' },
      { state: 'charged', unmatched: 'reversal' },
      { state: 'charged', unmatched: 'nothing' },
    ]);
  });

  test.each([
    ['credited', () => wallet.number],
    ['in suspense', () => undefined],
  ])('is taken once by two workers: of another money %s under the same name none is taken', async (_, to) => {
    const named = (ref: string): TestBooking => {
      const number = to();
      return payIn({
        ref,
        details: [{ tx: `T-${ref}`, e2e: 'SAME', ...(number === undefined ? {} : { to: number }) }],
      });
    };
    await takeIn(db, notification([named('R-1')]));
    await keepFile(db, notification([back({ details: [{ e2e: 'SAME' }] })]));
    await readMessages(db.worker);
    // A slow worker has read the reversal before another one settles it, and goes on when more has come.
    const [taken] = await db.worker.withoutCompany((tx) => unsettledMoneys(tx, null, 1));
    await settleMoneys(db.worker);
    await takeIn(db, notification([named('R-3')]));
    const state = async () => [await moneysOf(db), await figures(), await suspense()];
    const before = await state();
    expect(await takeBackReversed(db.worker, present(taken))).toBe(true);
    expect(await state()).toEqual(before);
  });
});
