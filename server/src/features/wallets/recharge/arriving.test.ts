import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { newId } from '../../../platform/ids.ts';
import { openTestBank, openTestBankWallet } from '../../../testing/banks.ts';
import { chainFamilies, noTrades } from '../../../testing/chain-families.ts';
import { type TestDatabase, testDatabase } from '../../../testing/database.ts';
import { type HttpBank, openHttpBank } from '../../../testing/http-bank.ts';
import { type Caller, type SessionApp, sessionApp } from '../../../testing/session-app.ts';
import { registerWalletsRoutes } from '../index.ts';

/** Deposits on their way, one by one, as the bank reports them over its API. */

let db: TestDatabase;
let bank: HttpBank;
let http: SessionApp;
let later = 0;
beforeAll(async () => {
  db = await testDatabase();
  bank = await openHttpBank(db);
  await openTestBank(db);
  http = await sessionApp(db.app, (app) => registerWalletsRoutes(app, { families: chainFamilies, ...noTrades }), {
    now: () => new Date(Date.now() + later),
  });
});
beforeEach(() => {
  later = 0;
});
afterAll(async () => {
  await http.close();
  await bank.close();
  await db.close();
});

interface Company {
  id: string;
  caller: Caller;
  yen: { id: string; number: string };
}

async function openCompany(): Promise<Company> {
  const id = newId();
  await db.app.withCompany(id, (tx) =>
    sql`insert into company (company_id, name) values (company_id(), 'Pearl River Trading Limited')`.execute(tx),
  );
  await bank.openWallets(id);
  const { rows } = await db.worker.withCompany(id, (tx) =>
    sql<{ id: string; number: string }>`
      select w.id, b.account_number as number from wallet w join bank_account b using (company_id, bank_id, asset_id)
      where company_id = company_id() and asset_id = 'JPY'`.execute(tx),
  );
  const [yen] = rows;
  if (!yen) throw new Error('the company has a wallet in yen');
  return { id, caller: http.signIn(id), yen };
}

const path = ({ yen }: Company) => `/web/crypto/wallets/${yen.id}/arriving` as const;
const listed = async (company: Company, language?: string) => (await company.caller.get(path(company), language)).data;

test('one that the bank has seen is listed with payer, words, days and its bank; credited, it leads to its transaction', async () => {
  const company = await openCompany();
  expect(await listed(company)).toEqual({ items: [], reported: true });
  const deposit = await bank.payIn(company.yen.number, '1234567', { status: 'PENDING', payer: 'Osaka Mills KK' });
  await bank.visit();
  const [item] = (await listed(company, 'zh-hk')).items;
  expect(item).toMatchObject({
    ...{ id: deposit, walletId: company.yen.id, asset: 'JPY', decimals: 0, bankName: '子午線支付', amount: '1234567' },
    ...{ payer: 'Osaka Mills KK', reference: 'Invoice 7', status: 'pending', late: false, transactionId: null },
  });
  const day = expect.stringMatching(/^\d{4}-\d\d-\d\d$/);
  expect(item?.expected).toEqual({ earliest: day, latest: day });
  expect((item?.expected.latest ?? '') >= (item?.begunAt ?? '?').slice(0, 10)).toBe(true);
  later = 30 * 86_400_000;
  expect((await listed(company)).items).toMatchObject([{ id: deposit, late: true }]);
  later = 0;

  await bank.become(deposit, 'settled');
  await bank.visit();
  expect((await listed(company)).items).toEqual([]);
  const { data } = await company.caller.get(`${path(company)}/${deposit}`);
  const { rows } = await db.app.withCompany(company.id, (tx) =>
    sql<{ id: string }>`select id from transaction where company_id = company_id()`.execute(tx),
  );
  expect(data).toMatchObject({ status: 'credited', late: false, transactionId: rows[0]?.id });
  await bank.become(deposit, 'reversed');
  await bank.visit();
  const reversed = await company.caller.get(`${path(company)}/${deposit}`);
  expect(reversed.data).toMatchObject({ status: 'reversed', transactionId: rows[0]?.id });
});

test('one that the bank rejects is listed for a week more, and says so', async () => {
  const company = await openCompany();
  const deposit = await bank.payIn(company.yen.number, '500', { status: 'PENDING' });
  await bank.visit();
  await bank.become(deposit, 'rejected');
  await bank.visit();
  expect((await listed(company)).items).toMatchObject([{ id: deposit, status: 'rejected', late: false }]);
  later = 8 * 86_400_000;
  expect((await listed(company)).items).toEqual([]);
  expect((await company.caller.get(`${path(company)}/${deposit}`)).data).toMatchObject({ status: 'rejected' });
});

test('another company sees nothing of it, neither in its list nor by the bank’s id', async () => {
  const [company, other] = [await openCompany(), await openCompany()];
  const deposit = await bank.payIn(company.yen.number, '700', { status: 'PENDING' });
  await bank.visit();
  expect((await listed(other)).items).toEqual([]);
  expect(await other.caller.get(`${path(other)}/${deposit}`)).toMatchObject({ key: 'notFound' });
  expect(await other.caller.get(path(company))).toMatchObject({ key: 'walletNotFound' });
});

test('a bank that sends files reports a deposit only when it is booked', async () => {
  const { id, caller } = await openCompany();
  const wallet = await openTestBankWallet(db, id, 'HKD');
  expect((await caller.get(`/web/crypto/wallets/${wallet.id}/arriving`)).data).toEqual({ items: [], reported: false });
});
