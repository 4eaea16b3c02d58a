import { currencies } from '@causeway/contract/currencies.ts';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../platform/ids.ts';
import { creditAtBank, openTestBank, openTestBankWallet } from '../../testing/banks.ts';
import { chainFamilies, noTrades } from '../../testing/chain-families.ts';
import { credit, openTestCompany, type TestCompany } from '../../testing/company.ts';
import { type TestDatabase, testDatabase } from '../../testing/database.ts';
import { type Caller, type SessionApp, sessionApp } from '../../testing/session-app.ts';
import { verifyLedger } from '../ledger/index.ts';
import { keepPrices } from '../rates/index.ts';
import { openBankWallet, registerWalletsRoutes } from './index.ts';

let db: TestDatabase;
let superuser: pg.Client;
let http: SessionApp;
let company: TestCompany;
let caller: Caller;
let yen: { id: string; number: string };
let dollars: { id: string; number: string };
const now = new Date();

beforeAll(async () => {
  db = await testDatabase();
  superuser = new pg.Client({ connectionString: db.superuserUrl });
  await superuser.connect();
  http = await sessionApp(db.app, (http) => registerWalletsRoutes(http, { families: chainFamilies, ...noTrades }), {
    now: () => now,
  });
  await openTestBank(db);
  company = await openTestCompany(db);
  caller = http.signIn(company.id);
  const prices = { USDT: '1', HKD: '0.128', JPY: '0.0065' };
  await db.worker.withoutCompany((tx) =>
    keepPrices(
      tx,
      Object.entries(prices).map(([asset, usd]) => ({ asset, usd, source: 'test', updatedAt: now })),
    ),
  );
  yen = await openTestBankWallet(db, company.id, 'JPY');
  dollars = await openTestBankWallet(db, company.id, 'HKD');
  await credit(db, company, 'USDT', 1_000_000_000n);
  await creditAtBank(db, company.id, yen.id, 1_000_000n);
  await creditAtBank(db, company.id, yen.id, 200_000n, 'outbound');
  await creditAtBank(db, company.id, yen.id, 5n, 'inbound');
  await creditAtBank(db, company.id, dollars.id, 100_050n);
});
afterAll(async () => {
  await superuser.end();
  await http.close();
  await db.close();
});

const walletOf = async (id: string, locale?: 'zh-hk' | 'zh-cn') =>
  (await caller.get('/web/crypto/wallets', locale)).data.items.find((wallet: { id: string }) => wallet.id === id);

describe('a wallet at a bank', () => {
  test('is listed after those on chains, with the account to pay into, without decimals where its currency has none', async () => {
    const { items } = (await caller.get('/web/crypto/wallets')).data;
    expect(items.map(({ asset, place }) => `${asset} ${place.kind}`)).toEqual([
      ...['ETH chain', 'HKDT chain', 'USDC chain', 'USDT chain'],
      ...['HKD bank', 'JPY bank'],
    ]);
    expect(await walletOf(yen.id)).toMatchObject({
      decimals: 0,
      place: {
        kind: 'bank',
        bank: 'harbour-hk',
        name: 'Harbour Bank',
        account: {
          holder: 'Pearl River Trading Limited',
          number: yen.number,
          iban: null,
          bic: 'HARBHKHH',
          clearingCode: '999',
          branchCode: null,
          country: 'HK',
        },
      },
      quantity: '1200000',
      available: '1000000',
      outbound: '200000',
      inbound: '5',
      deficit: '0',
      minimum: '1',
      unitPrice: '0.0065',
      value: '7800.00',
      frozen: false,
    });
    expect(await walletOf(dollars.id)).toMatchObject({ quantity: '1000.50', value: '128.06', minimum: '1.00' });
  });

  test('names its bank in the reader’s language', async () => {
    expect((await walletOf(yen.id, 'zh-hk'))?.place.name).toBe('海港銀行');
    expect((await walletOf(yen.id, 'zh-cn'))?.place.name).toBe('海港银行');
  });

  test('counts in the overview, in shares and in the history, valued by its currency’s rate', async () => {
    expect((await caller.get('/web/account/overview')).data).toMatchObject({
      total: '8928.06',
      available: '7628.06',
      outbound: '1300.00',
      inbound: '0.03',
    });
    expect((await walletOf(yen.id))?.share).toBe('87.37');
    expect((await caller.get('/web/account/history')).data.days.at(-1)?.total).toBe('8928.06');
  });

  test('has a statement in its own decimals', async () => {
    const { data } = await caller.get(`/web/crypto/wallets/${yen.id}/statement`);
    expect(data.items).toMatchObject([{ sequence: 1, amount: '1000000', balance: '1000000' }]);
    const cents = await caller.get(`/web/crypto/wallets/${dollars.id}/statement`);
    expect(cents.data.items).toMatchObject([{ amount: '1000.50', balance: '1000.50' }]);
  });

  test('leaves the books in order', async () => {
    expect((await db.operator.withoutCompany(verifyLedger)).mismatches).toEqual([]);
  });

  test('is nothing to another company', async () => {
    const other = http.signIn((await openTestCompany(db)).id);
    expect((await other.get('/web/crypto/wallets')).data.items).toHaveLength(4);
    expect((await other.get(`/web/crypto/wallets/${yen.id}/statement`)).status).toBe(404);
  });

  test('a wallet in US dollars needs no price', async () => {
    await superuser.query(`insert into causeway.bank_asset (bank_id, asset_id) values ('harbour-hk', 'USD')`);
    const other = await openTestCompany(db);
    const account = { holderName: 'Other', accountNumber: '55501234', branchCode: null, iban: null };
    const id = await db.worker.withCompany(other.id, (tx) =>
      openBankWallet(tx, { bank: 'harbour-hk', currency: 'USD', account }),
    );
    await creditAtBank(db, other.id, id, 12_345n);
    const caller = http.signIn(other.id);
    expect((await caller.get('/web/account/overview')).data).toMatchObject({ total: '123.45', pricesStale: false });
    expect((await caller.get('/web/account/history')).data.days.at(-1)?.total).toBe('123.45');
  });
});

describe('opening', () => {
  const account = {
    holderName: 'Pearl River Trading Limited',
    accountNumber: '70001234',
    branchCode: null,
    iban: null,
  };

  test('again changes nothing', async () => {
    const own = newId();
    const open = () =>
      db.worker.withCompany(own, (tx) => openBankWallet(tx, { bank: 'harbour-hk', currency: 'JPY', account }));
    const id = await open();
    expect(await open()).toBe(id);
    const kinds = await db.worker.withCompany(own, (tx) =>
      sql<{ kind: string }>`select kind from ledger_account where company_id = company_id() order by kind`.execute(tx),
    );
    expect(kinds.rows.map(({ kind }) => kind)).toEqual([
      ...['available', 'bank', 'deficit', 'fee', 'fx', 'inbound', 'outbound'],
    ]);
  });

  test.each([
    ['nowhere', 'JPY', 'bankUnknown'],
    ['harbour-hk', 'EUR', 'currencyNotAtBank'],
    ['harbour-hk', 'USDT', 'currencyNotAtBank'],
  ])('at %s in %s is refused: %s', async (bank, currency, key) => {
    const attempt = db.worker.withCompany(newId(), (tx) => openBankWallet(tx, { bank, currency, account }));
    await expect(attempt).rejects.toMatchObject({ key });
  });

  test('with an account number that another company has is refused', async () => {
    const taken = { ...account, accountNumber: yen.number };
    const attempt = db.worker.withCompany(newId(), (tx) =>
      openBankWallet(tx, { bank: 'harbour-hk', currency: 'JPY', account: taken }),
    );
    await expect(attempt).rejects.toThrow('Invariant broken');
  });

  test('is closed to the HTTP process, and no role can change an account', async () => {
    const refused = { code: '42501' };
    const opening = db.app.withCompany(newId(), (tx) =>
      openBankWallet(tx, { bank: 'harbour-hk', currency: 'JPY', account }),
    );
    await expect(opening).rejects.toMatchObject(refused);
    for (const database of [db.app, db.worker, db.operator]) {
      const change = database.withCompany(company.id, (tx) =>
        sql`update bank_account set account_number = '99999999' where company_id = company_id()`.execute(tx),
      );
      await expect(change).rejects.toMatchObject(refused);
    }
  });
});

describe('the database refuses', () => {
  const wallet = (chain: string | null, bank: string | null, asset: string) =>
    superuser.query(
      `insert into causeway.wallet (company_id, id, chain_id, bank_id, asset_id) values ($1, $2, $3, $4, $5)`,
      [company.id, newId(), chain, bank, asset],
    );

  test('a wallet at no place or at two', async () => {
    await expect(wallet(null, null, 'JPY')).rejects.toMatchObject({ constraint: 'wallet_place' });
    await expect(wallet('ethereum', 'harbour-hk', 'USDT')).rejects.toMatchObject({ constraint: 'wallet_place' });
  });

  test('a currency on a chain, a coin at a bank, an account that the company has not', async () => {
    const foreignKey = { code: '23503' };
    await expect(wallet('ethereum', null, 'JPY')).rejects.toMatchObject(foreignKey);
    await expect(wallet(null, 'harbour-hk', 'EUR')).rejects.toMatchObject(foreignKey);
    const onChain = `insert into causeway.chain_asset (chain_id, coin, withdraw_fee) values ('ethereum', 'JPY', 0)`;
    await expect(superuser.query(onChain)).rejects.toMatchObject(foreignKey);
    const atBank = `insert into causeway.bank_asset (bank_id, asset_id) values ('harbour-hk', 'USDT')`;
    await expect(superuser.query(atBank)).rejects.toMatchObject(foreignKey);
  });
});

test('the assets of the database are the currencies of the contract', async () => {
  const { rows } = await superuser.query<{ id: string; decimals: number; minimum: string }>(
    `select id, decimals, minimum::text from causeway.asset where kind = 'currency' order by id`,
  );
  expect(rows).toEqual(
    Object.entries(currencies).map(([id, { decimals }]) => ({ id, decimals, minimum: String(10 ** decimals) })),
  );
});

describe('fees at a bank', () => {
  const path = '/web/account/fees?asset=HKD&bank=harbour-hk&feeType=account_recharge_fee';

  test('are taken from what arrives', async () => {
    expect((await caller.get(`${path}&amount=100.5`)).data).toEqual({
      feeType: 'account_recharge_fee',
      asset: 'HKD',
      basisPoints: null,
      plusNetworkFee: false,
      fee: '15.00',
      amount: '100.50',
      received: '85.50',
      debited: '100.50',
      minimum: '1.00',
      transferLimit: null,
      dailyLimit: null,
      arrivalSeconds: null,
    });
    expect((await caller.get(`${path}&amount=10`)).data.received).toBe('0.00');
  });

  test.each([
    ['/web/account/fees?asset=HKD&bank=nowhere&feeType=account_recharge_fee', 'bankUnknown'],
    ['/web/account/fees?asset=EUR&bank=harbour-hk&feeType=account_recharge_fee', 'currencyNotAtBank'],
    ['/web/account/fees?asset=HKD&bank=harbour-hk&feeType=crypto_withdraw_fee', 'feeTypeUnavailable'],
    ['/web/account/fees?asset=USDT&chain=ethereum&feeType=account_recharge_fee', 'feeTypeUnavailable'],
    ['/web/account/fees?asset=HKD&feeType=account_recharge_fee', 'validationFailed'],
    ['/web/account/fees?asset=HKD&bank=harbour-hk&chain=ethereum&feeType=account_recharge_fee', 'validationFailed'],
    [`${path}&amount=1.005`, 'amountTooManyDecimals'],
  ] as const)('%s is refused: %s', async (path, key) => {
    expect((await caller.get(path)).key).toBe(key);
  });

  test('stand in the schedule beside those on chains', async () => {
    const { items } = (await caller.get('/web/account/fee-list')).data;
    expect(items).toContainEqual({
      feeType: 'account_recharge_fee',
      asset: 'HKD',
      chain: null,
      bank: 'harbour-hk',
      fee: '15.00',
      basisPoints: null,
      plusNetworkFee: false,
    });
    expect(items).toContainEqual({
      feeType: 'crypto_withdraw_fee',
      asset: 'HKDT',
      chain: 'ethereum',
      bank: null,
      fee: '8.000000',
      basisPoints: null,
      plusNetworkFee: false,
    });
    expect(items).toContainEqual({
      feeType: 'fx_fee',
      asset: 'HKD',
      chain: null,
      bank: 'harbour-hk',
      fee: '0.00',
      basisPoints: 0,
      plusNetworkFee: false,
    });
  });
});
