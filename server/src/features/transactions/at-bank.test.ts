import { afterAll, beforeAll, expect, test } from 'vitest';
import { insertBankDeposit, openTestBank, openTestBankWallet } from '../../testing/banks.ts';
import { openTestCompany, type TestCompany } from '../../testing/company.ts';
import { type TestDatabase, testDatabase } from '../../testing/database.ts';
import { pdfText } from '../../testing/pdf.ts';
import { type Caller, type SessionApp, sessionApp } from '../../testing/session-app.ts';
import { insertTestTransaction, noParts } from '../../testing/transactions.ts';
import { registerTransactionRoutes } from './index.ts';

/** Transactions of a wallet at a bank are shown like any other: the place is the bank, amounts have the currency's decimals. */

const path = '/web/crypto/transaction';
let db: TestDatabase;
let http: SessionApp;
let company: TestCompany;
let caller: Caller;
let wallet: { id: string; number: string };
let id: string;

beforeAll(async () => {
  db = await testDatabase();
  http = await sessionApp(db.app, (app) =>
    registerTransactionRoutes(app, { ...noParts, companyName: async () => 'Far Voyage Ltd' }),
  );
  await openTestBank(db);
  company = await openTestCompany(db);
  caller = http.signIn(company.id);
  wallet = await openTestBankWallet(db, company.id, 'JPY');
  const payer = { payerName: 'Kobe Steel Trading', payerAccount: '0009-001-1234567' };
  const valueDate = '2026-03-09';
  id = await insertBankDeposit(db, company.id, wallet, {
    currency: 'JPY',
    quantityMinor: 1_234_567n,
    ...payer,
    valueDate,
    bankReference: 'HB-2026-0042',
  });
  await insertTestTransaction(db, company);
});
afterAll(async () => {
  await http.close();
  await db.close();
});

test('in the list, beside those on chains', async () => {
  const { items } = (await caller.get(path, 'zh-cn')).data;
  expect(items.map(({ placeName, chain }) => [placeName, chain])).toEqual(
    expect.arrayContaining([
      ['海港银行', null],
      ['Ethereum', 'ethereum'],
    ]),
  );
  const own = (await caller.get(`${path}?walletId=${wallet.id}&amountMin=1234567&amountMax=1234567`)).data.items;
  expect(own).toMatchObject([
    {
      id,
      type: 'fiat_deposit',
      coin: 'JPY',
      decimals: 0,
      quantity: '1234567',
      placeName: 'Harbour Bank',
      chain: null,
      hash: null,
      confirmationsNeeded: null,
      payer: { name: 'Kobe Steel Trading', account: '0009-001-1234567' },
    },
  ]);
});

test('with its detail', async () => {
  const { data } = await caller
    .inject({ url: `${path}/${id}`, headers: { 'accept-language': 'zh-hk' } })
    .then((answer) => answer.json());
  expect(data).toMatchObject({
    placeName: '海港銀行',
    explorerUrl: null,
    blockNumber: null,
    hashes: [],
    bankReference: 'HB-2026-0042',
  });
});

test('as CSV, without a point in the amount', async () => {
  const url = `${path}/export?walletId=${wallet.id}`;
  const { body } = await caller.inject({ url, headers: { 'accept-language': 'zh-hk' } });
  const [head = '', row = ''] = body.trim().split('\r\n');
  expect(head).toContain('區塊鏈或銀行');
  // Between the fee and the payer are the columns of the value and its rates and of an exchange, empty: this deposit was inserted without one.
  expect(row).toContain('JPY,海港銀行,1234567,0,,,,,USD,,,,,,,,,,,,,,Kobe Steel Trading');
});

test.each([
  ['en-us', 'Bank', 'Harbour Bank', 'March 9, 2026'],
  ['zh-hk', '銀行', '海港銀行', '2026年3月9日'],
  ['zh-cn', '银行', '海港银行', '2026年3月9日'],
])('on the receipt, in %s', async (locale, label, bank, valueDate) => {
  const answer = await caller.inject({ url: `${path}/${id}/receipt`, headers: { 'accept-language': locale } });
  const text = await pdfText(answer.rawPayload);
  expect(text).toContain('+1,234,567 JPY');
  expect(text).toContain(label);
  expect(text).toContain(bank);
  expect(text).toContain(valueDate);
  expect(text).toContain('HB-2026-0042');
  expect(text).not.toContain('Chain');
});
