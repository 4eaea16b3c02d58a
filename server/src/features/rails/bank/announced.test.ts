import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../../platform/ids.ts';
import { createLog } from '../../../platform/process/log.ts';
import { figuresOf, moneysOf, notification, suspenseOf, takeIn } from '../../../testing/bank-intake.ts';
import { openTestBank, openTestBankWallet, openTestCollection } from '../../../testing/banks.ts';
import { openTestCompany } from '../../../testing/company.ts';
import { type TestDatabase, testDatabase } from '../../../testing/database.ts';
import { present } from '../../../testing/present.ts';
import { bankRailJobs, settleMoneys } from '../index.ts';

/** Money in suspense and what companies announce afterwards. */

let db: TestDatabase;
let superuser: pg.Client;
let account = 998_200_000_000_000;
beforeAll(async () => {
  db = await testDatabase();
  await openTestBank(db);
  superuser = new pg.Client({ connectionString: db.superuserUrl });
  await superuser.connect();
});
afterAll(async () => {
  await superuser.end();
  await db.close();
});

interface Party {
  id: string;
  walletId: string;
  reference: string;
}

async function party(): Promise<Party> {
  const { id } = await openTestCompany(db);
  const wallet = await openTestBankWallet(db, id, 'HKD');
  const { rows } = await db.worker.withCompany(id, (tx) =>
    sql<{ reference: string }>`select reference from bank_account where company_id = company_id()`.execute(tx),
  );
  return { id, walletId: wallet.id, reference: present(rows[0]).reference };
}

/** A company says that it has paid, and the worker learns of it. */
async function announce({ id, walletId }: Party, minor: string): Promise<void> {
  const noticeId = newId();
  await superuser.query(
    `insert into causeway.recharge_notice (company_id, id, wallet_id, amount, paid_at, expected_from, expected_by, late_after, created_by, created_by_name)
     values ($1, $2, $3, $4, now(), now(), now(), now(), $2, 'Ann')`,
    [id, noticeId, walletId, minor],
  );
  const [job] = bankRailJobs();
  const log = createLog('test', 'silent');
  await present(job).run({ companyId: id, database: db.worker, log }, { noticeId });
  await settleMoneys(db.worker);
}

async function held(amount: string, text: string): Promise<string> {
  account += 1;
  await openTestCollection(db, String(account));
  const of = String(account);
  await takeIn(db, notification([{ amount, ref: `A-${of}`, details: [{ payer: 'Kowloon Mills', text }] }], { of }));
  return of;
}

test('what names two companies goes to the one of them that announces its amount', async () => {
  const [one, other] = [await party(), await party()];
  const of = await held('310.00', `${one.reference} ${other.reference}`);
  expect(await moneysOf(db, of)).toMatchObject([{ state: 'suspense', unmatched: 'several' }]);
  await announce(one, '31001');
  expect(await moneysOf(db, of)).toMatchObject([{ state: 'suspense', unmatched: 'several' }]);
  await announce(other, '31000');
  expect(await moneysOf(db, of)).toMatchObject([{ state: 'credited', matchedBy: 'reference' }]);
  expect(await suspenseOf(db, of)).toEqual({});
  expect((await figuresOf(db, other.id, other.walletId))['available']).toBe(29_500n);
  expect(await figuresOf(db, one.id, one.walletId)).toEqual({});
});

test('it stays in suspense where both announce it, and where one announces it that it does not name', async () => {
  const [one, other, stranger] = [await party(), await party(), await party()];
  const of = await held('320.00', `${one.reference} ${other.reference}`);
  await announce(stranger, '32000');
  expect(await moneysOf(db, of)).toMatchObject([{ state: 'suspense', unmatched: 'several' }]);
  await superuser.query(
    `insert into causeway.recharge_notice (company_id, id, wallet_id, amount, paid_at, expected_from, expected_by, late_after, created_by, created_by_name)
     values ($1, $2, $3, 32000, now(), now(), now(), now(), $2, 'Ann')`,
    [one.id, newId(), one.walletId],
  );
  await announce(other, '32000');
  expect(await moneysOf(db, of)).toMatchObject([{ state: 'suspense', unmatched: 'several' }]);
});

test('what names none is never credited by an announcement', async () => {
  const one = await party();
  const of = await held('330.00', 'no reference');
  await announce(one, '33000');
  expect(await moneysOf(db, of)).toMatchObject([{ state: 'suspense', unmatched: 'nothing' }]);
});
