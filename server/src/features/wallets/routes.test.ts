import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../platform/ids.ts';
import { chainFamilies, noTrades } from '../../testing/chain-families.ts';
import { credit, openTestCompany, type TestCompany } from '../../testing/company.ts';
import { type TestDatabase, testDatabase } from '../../testing/database.ts';
import { type Caller, type SessionApp, sessionApp } from '../../testing/session-app.ts';
import { evmFamily, familiesByName } from '../chains/index.ts';
import { keepPrices } from '../rates/index.ts';
import { registerWalletsRoutes } from './index.ts';

let db: TestDatabase;
let http: SessionApp;
let company: TestCompany;
let caller: Caller;
const now = new Date();

beforeAll(async () => {
  db = await testDatabase();
  http = await sessionApp(db.app, (http) => registerWalletsRoutes(http, { families: chainFamilies, ...noTrades }), {
    now: () => now,
  });
  company = await openTestCompany(db);
  caller = http.signIn(company.id);
});
afterAll(async () => {
  await http.close();
  await db.close();
});

async function setPrices(updatedAt = now): Promise<void> {
  const prices = { ETH: '2000.005', USDT: '1', USDC: '0.9999', HKDT: '0.128' };
  await db.worker.withoutCompany((tx) =>
    keepPrices(
      tx,
      Object.entries(prices).map(([asset, usd]) => ({ asset, usd, source: 'test', updatedAt })),
    ),
  );
}

describe('before any price and any money', () => {
  test('every figure is nothing, and shares are unknown', async () => {
    const overview = await caller.get('/web/account/overview');
    expect(overview.data).toMatchObject({ total: '0.00', inbound: '0.00', pricesUpdatedAt: null, pricesStale: false });
    const wallets = await caller.get('/web/crypto/wallets');
    expect(wallets.data.items).toHaveLength(4);
    expect(wallets.data.items[0]).toMatchObject({
      asset: 'ETH',
      quantity: '0.000000000000000000',
      unitPrice: null,
      value: '0.00',
      share: null,
      place: { kind: 'chain', chain: 'ethereum', name: 'Ethereum', address: company.address },
      minimum: '0.001000000000000000',
      frozen: false,
      frozenBy: null,
    });
  });
});

describe('with money and prices', () => {
  let rich: TestCompany;
  let owner: Caller;
  beforeAll(async () => {
    await setPrices();
    rich = await openTestCompany(db);
    owner = http.signIn(rich.id, 'viewer');
    await credit(db, rich, 'ETH', 500_000_000_000_000_000n);
    await credit(db, rich, 'USDT', 2_000_000_000n);
    await credit(db, rich, 'USDT', 1_000_000_000n, 'outbound');
    await credit(db, rich, 'USDT', 7_000_000n, 'inbound');
  });

  test('the total is available and outbound, without inbound', async () => {
    const { data } = await owner.get('/web/account/overview');
    expect(data).toMatchObject({ total: '4000.00', available: '3000.00', outbound: '1000.00', inbound: '7.00' });
    expect(data.pricesStale).toBe(false);
  });

  test('a wallet shows price, value and share', async () => {
    const { data } = await owner.get('/web/crypto/wallets');
    const usdt = data.items.find((wallet) => wallet.asset === 'USDT');
    expect(usdt).toMatchObject({
      quantity: '3000.000000',
      available: '2000.000000',
      outbound: '1000.000000',
      inbound: '7.000000',
      deficit: '0.000000',
      unitPrice: '1',
      value: '3000.00',
      share: '75.00',
    });
  });

  test('stale prices say so', async () => {
    const later = await sessionApp(
      db.app,
      (http) => registerWalletsRoutes(http, { families: chainFamilies, ...noTrades }),
      {
        now: () => new Date(now.getTime() + 600_001),
      },
    );
    const { data } = await later.signIn(rich.id).get('/web/account/overview');
    expect(data.pricesStale).toBe(true);
    await later.close();
  });

  test('the statement runs backwards with its balance, page by page', async () => {
    for (let i = 0; i < 10; i++) await credit(db, rich, 'HKDT', 1_000_000n);
    await credit(db, rich, 'HKDT', 5n);
    const path = `/web/crypto/wallets/${rich.wallets.HKDT}/statement?size=10` as const;
    const first = await owner.get(path);
    expect(first.data).toMatchObject({ total: 11, totalExact: true });
    expect(first.data.items[0]).toMatchObject({ sequence: 11, amount: '0.000005', balance: '10.000005' });
    expect(first.data.items).toHaveLength(10);
    const second = await owner.get(`${path}&cursor=${first.data.next}`);
    expect(second.data.items.map(({ sequence }) => sequence)).toEqual([1]);
    expect(second.data.next).toBeNull();
  });

  test("another company's wallet answers as one that never existed", async () => {
    const path = (id: string) => `/web/crypto/wallets/${id}/statement`;
    expect((await owner.get(path(rich.wallets.USDT))).status).toBe(200);
    const foreign = await caller.get(path(rich.wallets.USDT));
    const unknown = await caller.get(path(newId()));
    expect(foreign.status).toBe(404);
    expect([foreign.key, foreign.errors]).toEqual([unknown.key, unknown.errors]);
  });

  test.each(['garbage', Buffer.from('["x"]').toString('base64url'), Buffer.from('[1.5]').toString('base64url')])(
    'the cursor %s is refused',
    async (cursor) => {
      const answer = await owner.get(`/web/crypto/wallets/${rich.wallets.USDT}/statement?cursor=${cursor}`);
      expect(answer).toMatchObject({ status: 400, key: 'cursorInvalid' });
    },
  );
});

describe('receiving', () => {
  const v2 = '/web/crypto/chain/address/v2?chain=ethereum';

  test('names address, URI, minimum and confirmations', async () => {
    const token = await caller.get(`${v2}&coin=USDT&amount=12.5`);
    expect(token.data).toMatchObject({
      walletId: company.wallets.USDT,
      address: company.address,
      minimum: '1.000000',
      confirmations: 6,
      // The block that takes it up and six on top, of 12 seconds each.
      arrivalSeconds: 84,
      uri: `ethereum:0x1111111111111111111111111111111111111111@31337/transfer?address=${company.address}&uint256=12500000`,
    });
    const native = await caller.get(`${v2}&coin=ETH`);
    expect(native.data.uri).toBe(`ethereum:${company.address}@31337`);
    const plain = await caller.get('/web/crypto/chain/address?chain=ethereum');
    expect(plain.data).toEqual({ chain: 'ethereum', address: company.address });
  });

  test.each([
    ['1', 200, null],
    ['0.999999', 400, 'rechargeBelowMinimum'],
    ['1.0000001', 400, 'amountTooManyDecimals'],
    ['-1', 400, 'validationFailed'],
    ['1e3', 400, 'validationFailed'],
    ['１２', 400, 'validationFailed'],
    [`1${'0'.repeat(75)}`, 400, 'amountTooLarge'],
  ])('a recharge of %s answers %i %s', async (amount, status, key) => {
    const answer = await caller.get(`${v2}&coin=USDT&amount=${encodeURIComponent(amount)}`);
    expect([answer.status, answer.key]).toEqual([status, key]);
  });

  test('names the minimum in the language asked for', async () => {
    const answer = await caller.get(`${v2}&coin=USDT&amount=0.5`, 'zh-hk');
    expect(answer.errors).toEqual(['充值數量最少為 1.00 USDT。']);
    expect(answer.fields['amount']).toBe(answer.errors[0]);
  });

  test('an unknown chain or coin is refused', async () => {
    expect((await caller.get('/web/crypto/chain/address?chain=tron')).key).toBe('chainUnknown');
    expect((await caller.get(`${v2}&coin=BTC`)).key).toBe('coinNotOnChain');
  });

  test('a company whose wallets are not open yet is told to wait', async () => {
    const fresh = http.signIn(newId());
    expect((await fresh.get(`${v2}&coin=ETH`)).status).toBe(503);
    expect((await fresh.get('/web/crypto/wallets')).data.items).toEqual([]);
  });
});

describe('fees', () => {
  const path = '/web/account/fees?asset=HKDT&chain=ethereum';

  test('a withdrawal costs its flat fee on top', async () => {
    const { data } = await caller.get(`${path}&feeType=crypto_withdraw_fee&amount=100`);
    expect(data).toMatchObject({
      fee: '8.000000',
      amount: '100.000000',
      received: '100.000000',
      debited: '108.000000',
      minimum: '1.000000',
      arrivalSeconds: 84,
    });
  });

  test('an exchange costs a share of what is exchanged, none unless it is priced', async () => {
    const { data } = await caller.get(`${path}&feeType=fx_fee&amount=100`);
    expect(data).toMatchObject({ fee: '0.000000', basisPoints: 0, debited: '100.000000', arrivalSeconds: null });
  });

  test('the schedule and the chains list every coin', async () => {
    const fees = await caller.get('/web/account/fee-list');
    const of = (type: string) => fees.data.items.flatMap(({ feeType, asset }) => (feeType === type ? [asset] : []));
    expect(of('crypto_withdraw_fee')).toEqual(['ETH', 'HKDT', 'USDC', 'USDT']);
    expect(of('fx_fee')).toEqual(['ETH', 'HKDT', 'USDC', 'USDT']);
    const chains = await caller.get('/web/crypto/chain');
    expect(chains.data.items[0]).toMatchObject({ id: 'ethereum', confirmations: 6, nativeCoin: 'ETH' });
    expect(chains.data.items[0]!.coins).toHaveLength(4);
  });
});

test('without a session nothing is shown', async () => {
  const answer = await http.app.inject({ url: '/web/crypto/wallets' });
  expect(answer.statusCode).toBe(401);
});

describe('in another base currency than US dollars', () => {
  let books: TestCompany;
  let owner: Caller;
  beforeAll(async () => {
    books = await openTestCompany(db);
    owner = http.signIn(books.id, 'viewer');
    await credit(db, books, 'USDT', 1_000_000_000n);
    await setPrices();
    await db.app.withCompany(books.id, (tx) =>
      sql`with company as (insert into company (company_id, name) values (company_id(), 'Far Voyage') returning company_id)
        insert into company_setting (company_id, time_zone, code_recipient, base_currency)
        select company_id, 'Asia/Hong_Kong', 'initiator', 'SGD' from company`.execute(tx),
    );
  });

  test('figures stay in US dollars as long as no exchange rate is known', async () => {
    expect((await owner.get('/web/account/overview')).data).toMatchObject({ currency: 'USD', total: '1000.00' });
  });

  test('totals, the history and each wallet are in it by the current and by each day’s rate, and old rates say so', async () => {
    await keepRate('SGD', '0.8', new Date(now.getTime() - 86_400_000));
    const stale = (await owner.get('/web/account/overview')).data;
    expect(stale).toMatchObject({ currency: 'SGD', total: '1250.00', pricesStale: true });
    await keepRate('SGD', '0.75', now);
    const { data } = await owner.get('/web/account/overview');
    expect(data).toMatchObject({ currency: 'SGD', total: '1333.33', available: '1333.33', pricesStale: false });
    const history = (await owner.get('/web/account/history')).data;
    expect(history.overview.currency).toBe('SGD');
    expect(history.days.at(-1)!.total).toBe('1333.33');
    expect(history.days.at(-2)!.total).toBe('0.00');
    expect(history.days.at(-3)!.total).toBe('0.00');
    const usdt = (await owner.get('/web/crypto/wallets')).data.items.find(({ asset }) => asset === 'USDT');
    expect(usdt).toMatchObject({
      unitPrice: '1',
      value: '1000.00',
      base: { currency: 'SGD', unitPrice: '1.3333333333333333333', value: '1333.33' },
    });
  });
});

async function keepRate(asset: string, usd: string, updatedAt: Date): Promise<void> {
  await db.worker.withoutCompany((tx) => keepPrices(tx, [{ asset, usd, source: 'test', updatedAt }]));
}

test('a chain says whether its addresses change and its network fee is a choice, which then comes on top of the operator’s', async () => {
  const known = (await caller.get('/web/crypto/chain')).data.items;
  expect(known[0]).toMatchObject({ id: 'ethereum', freshAddresses: false, choosesFee: false });
  const families = familiesByName([{ ...evmFamily, freshAfterUse: true, choosesFee: true }]);
  const other = await sessionApp(db.app, (app) => registerWalletsRoutes(app, { families, ...noTrades }));
  const reader = other.signIn(company.id);
  expect((await reader.get('/web/crypto/chain')).data.items[0]).toMatchObject({
    freshAddresses: true,
    choosesFee: true,
  });
  const path = '/web/account/fees?asset=USDT&chain=ethereum&feeType=';
  expect((await reader.get(`${path}crypto_withdraw_fee`)).data).toMatchObject({ plusNetworkFee: true });
  expect((await reader.get(`${path}fx_fee`)).data).toMatchObject({ plusNetworkFee: false });
  expect((await caller.get(`${path}crypto_withdraw_fee`)).data).toMatchObject({ plusNetworkFee: false });
  const withdrawing = (await reader.get('/web/account/fee-list')).data.items.filter(
    ({ feeType }) => feeType === 'crypto_withdraw_fee',
  );
  expect(withdrawing.map(({ plusNetworkFee }) => plusNetworkFee)).toEqual([true, true, true, true]);
  await other.close();
});
