import { getSolvency } from '@causeway/contract/operator-solvency.ts';
import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { findReport } from '../../../platform/solvency/store.ts';
import { dayStatement, keepFile, notification, takeIn } from '../../../testing/bank-intake.ts';
import { openTestBank, openTestBankWallet, openTestCollection } from '../../../testing/banks.ts';
import { openTestCompany } from '../../../testing/company.ts';
import { type TestDatabase, testDatabase } from '../../../testing/database.ts';
import { operatorApp } from '../../../testing/operator-app.ts';
import { present } from '../../../testing/present.ts';
import { reportNext } from '../../../testing/solvency-nights.ts';
import { readMessages } from '../../banks/index.ts';

/** What banks hold in the nightly report. Each test has a database of its own: a report is of everything. */

let db: TestDatabase;
let wallet: { id: string; number: string };
const of = '998300000000001';

beforeEach(async () => {
  db = await testDatabase();
  await openTestBank(db);
  await openTestCollection(db, of);
  const company = await openTestCompany(db);
  wallet = await openTestBankWallet(db, company.id, 'HKD');
  return () => db.close();
});

async function dollars() {
  const day = await reportNext(db);
  const report = present(await db.worker.withoutCompany((tx) => findReport(tx, day)));
  return { day, figures: present(report.statement.assets.find(({ asset }) => asset === 'HKD')) };
}

const payIn = (amount: string, ref: string, to: string | undefined = wallet.number) => ({
  amount,
  ref,
  details: [{ tx: `T-${ref}`, to, payer: 'Kowloon Mills' }],
});

test('what is announced, what a statement closes with, suspense and fees agree with what is owed', async () => {
  await takeIn(db, notification([payIn('100.00', 'A'), payIn('40.00', 'B', '999')], { of }));
  const announced = await dollars();
  // 15.00 of the 100.00 are the operator's fee, and 40.00 are no company's yet.
  expect(announced.figures).toMatchObject({ owed: '8500', atBanks: '8500', heldAtBanks: '8500', difference: '0' });
  await takeIn(db, dayStatement([payIn('100.00', 'A'), payIn('40.00', 'B', '999')], { of }));
  const booked = await dollars();
  expect(booked.figures).toMatchObject({ atBanks: '8500', heldAtBanks: '8500', difference: '0' });
  const app = await operatorApp(db);
  const viewer = await app.operator('viewer');
  const shown = (await app.ask(getSolvency, { as: viewer, query: { day: announced.day } })).status;
  // Its midnight is to come.
  expect(shown).toBe(404);
  await app.close();
  const { rows } = await db.console.withoutCompany((tx) =>
    sql<{
      stated: bigint;
      suspense: bigint;
    }>`select stated, suspense from solvency_bank where day = ${booked.day}`.execute(tx),
  );
  expect(rows).toEqual([{ stated: 14_000n, suspense: 4000n }]);
});

test('what the bank took beyond our fees, and what it does not state, is missing', async () => {
  await takeIn(db, notification([payIn('100.00', 'A')], { of }));
  await takeIn(db, notification([{ amount: '15.00', sign: 'DBIT', ref: 'FEE' }], { of }));
  expect((await dollars()).figures).toMatchObject({ heldAtBanks: '8500', difference: '0' });
  await takeIn(db, notification([{ amount: '5.00', sign: 'DBIT', ref: 'FEE-2' }], { of }));
  expect((await dollars()).figures).toMatchObject({ heldAtBanks: '8000', difference: '-500' });
  await takeIn(
    db,
    dayStatement(
      [
        payIn('100.00', 'A'),
        { amount: '15.00', sign: 'DBIT', ref: 'FEE' },
        { amount: '5.00', sign: 'DBIT', ref: 'FEE-2' },
      ],
      { of, closing: '70.00' },
    ),
  );
  expect((await dollars()).figures).toMatchObject({ heldAtBanks: '7000', difference: '-1500' });
});

test('what was read and is not posted by the midnight is on neither side', async () => {
  await takeIn(db, notification([payIn('100.00', 'A')], { of }));
  await keepFile(db, notification([payIn('60.00', 'B')], { of }));
  await readMessages(db.worker);
  expect((await dollars()).figures).toMatchObject({ owed: '8500', heldAtBanks: '8500', difference: '0' });
});
