import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { newId } from '../../platform/ids.ts';
import { type TestDatabase, testDatabase } from '../../testing/database.ts';
import { keepTestMids } from '../../testing/prices.ts';
import { type SessionApp, sessionApp } from '../../testing/session-app.ts';
import { createCoinGecko, findDailyPrices, keepPrices, registerRatesRoutes, startRatePoller } from './index.ts';

let db: TestDatabase;
let http: SessionApp;
let source: Server;
let sourceUrl: string;
let answer: { status: number; body: string };
/** The dollar's own price, which needs no source. */
const dollar = { asset: 'USD', usd: '1', source: 'definition', stale: false };
let asked: { url: string; headers: IncomingHttpHeaders }[] = [];

beforeAll(async () => {
  db = await testDatabase();
  http = await sessionApp(db.app, (app) => registerRatesRoutes(app, async () => ['ETH', 'HKD', 'USD']));
  source = createServer((request, response) => {
    asked.push({ url: request.url ?? '', headers: request.headers });
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.body);
  });
  await new Promise<void>((resolve) => source.listen(0, '127.0.0.1', resolve));
  sourceUrl = `http://127.0.0.1:${(source.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await http.close();
  await db.close();
  await new Promise((resolve) => source.close(resolve));
});

function coinGecko(options: Partial<Parameters<typeof createCoinGecko>[0]> = {}) {
  return createCoinGecko({ url: sourceUrl, pollMs: 5, maxAgeMs: 180_000, ...options });
}

test("CoinGecko's answer becomes prices; what is none is left out", async () => {
  const said = Math.floor(Date.now() / 1000) - 60;
  asked = [];
  answer = {
    status: 200,
    body: JSON.stringify({
      ethereum: { usd: 3021.123456789, last_updated_at: said },
      tether: { usd: 0.9998 },
      'usd-coin': { usd: -1, last_updated_at: said },
      'hong-kong-dollar-token': {},
      dogecoin: { usd: 1 },
    }),
  };
  const prices = await coinGecko({ apiKey: 'k' }).ask();
  expect(prices.map(({ asset, ask, fault }) => [asset, ask, fault])).toEqual([
    ['ETH', '3021.123456789', null],
    ['USDT', '0.9998', null],
    ['USDC', '-1', 'notPositive'],
  ]);
  expect(prices[0]?.at).toEqual(new Date(said * 1000));
  expect(asked[0]?.url).toContain('/api/v3/simple/price?ids=bitcoin%2Cethereum%2Ctether%2Cusd-coin');
  expect(asked[0]?.headers['x-cg-pro-api-key']).toBe('k');
});

test('what a coin costs in each currency at one time gives the rates of the currencies', async () => {
  const said = Math.floor(Date.now() / 1000) - 60;
  asked = [];
  answer = {
    status: 200,
    body: JSON.stringify({
      bitcoin: { usd: 96_000, hkd: 747_840, jpy: 14_880_000, eur: 'none', gbp: 0, last_updated_at: said },
      ethereum: { usd: 3000, cny: 21_000 },
    }),
  };
  const prices = await coinGecko().ask();
  const at = new Date(said * 1000);
  expect(prices.map(({ asset, bid, fault }) => [asset, fault ?? bid])).toEqual([
    ['BTC', '96000'],
    ['ETH', '3000'],
    ['EUR', 'unreadable'],
    ['GBP', 'notPositive'],
    ['HKD', '0.12836970474967907574'],
    ['JPY', '0.0064516129032258064516'],
  ]);
  expect(prices.at(-1)).toMatchObject({ asset: 'JPY', at });
  expect(asked[0]?.url).toContain('vs_currencies=aud%2Ccad%2Ccny%2Ceur%2Cgbp%2Chkd%2Cjpy%2Cnzd%2Csgd%2Cusd');
});

test('the database refuses another price of the dollar', async () => {
  const attempt = db.worker.withoutCompany((tx) =>
    keepPrices(tx, [{ asset: 'USD', usd: '2', source: 'test', updatedAt: new Date() }]),
  );
  await expect(attempt).rejects.toMatchObject({ code: '23514' });
});

test('a configured coin is asked for by its name at the source', async () => {
  asked = [];
  answer = { status: 200, body: JSON.stringify({ 'polygon-ecosystem-token': { usd: 0.42 }, ethereum: { usd: 10 } }) };
  const coins = [{ coin: 'POL', priceId: 'polygon-ecosystem-token' }, { coin: 'NONE' }];
  const prices = await coinGecko({ coins }).ask();
  expect(prices.map(({ asset, bid }) => [asset, bid])).toEqual([
    ['POL', '0.42'],
    ['ETH', '10'],
  ]);
  expect(asked[0]?.url).toContain('polygon-ecosystem-token');
});

test('the poller keeps prices, survives a failing source, and the call shows them', async () => {
  answer = { status: 200, body: JSON.stringify({ ethereum: { usd: 10 } }) };
  const poller = startRatePoller({
    database: db.worker,
    sources: [coinGecko()],
    rules: { needed: 2, assets: {} },
    log: pino({ level: 'silent' }),
  });
  const caller = http.signIn(newId());
  const shown = async () => (await caller.get('/web/trx/currency-rate')).data.items;
  await vi.waitFor(
    async () =>
      expect(await shown()).toMatchObject([{ asset: 'ETH', usd: '10', source: 'coingecko', stale: false }, dollar]),
    { timeout: 20_000 },
  );
  answer = { status: 500, body: 'no' };
  const before = asked.length;
  await vi.waitFor(() => expect(asked.length).toBeGreaterThan(before + 2), { timeout: 20_000 });
  answer = { status: 200, body: JSON.stringify({ ethereum: { usd: 11.5 } }) };
  await vi.waitFor(async () => expect(await shown()).toMatchObject([{ asset: 'ETH', usd: '11.5' }, dollar]), {
    timeout: 20_000,
  });
  await poller.stop();
});

test('every ordered pair of the assets held has its rate, its inverse, its change in a day, and why it is not quoted', async () => {
  const caller = http.signIn(newId());
  const pairs = async () => (await caller.get('/web/trx/currency-rate')).data.pairs;
  const pair = async (sell: string, buy: string) =>
    (await pairs()).find((each) => each.sell === sell && each.buy === buy);
  expect((await pairs()).map(({ sell, buy }) => `${sell}/${buy}`)).toEqual(
    'ETH/HKD ETH/USD HKD/ETH HKD/USD USD/ETH USD/HKD'.split(' '),
  );
  expect(await pair('HKD', 'USD')).toMatchObject({ rate: null, inverse: null, at: null, problem: 'none' });
  await keepTestMids(db, { ETH: '3000', HKD: '0.125' });
  await keepPoints([
    ['ETH', 'minute', 1445, '2400'],
    ['ETH', 'minute', 1435, '9999'],
    ['HKD', 'minute', 1441, '0.125'],
  ]);
  expect(await pair('ETH', 'HKD')).toEqual({
    sell: 'ETH',
    buy: 'HKD',
    rate: '24000',
    inverse: '0.0000416666666667',
    changePercent: '25.00',
    at: expect.any(String),
    sources: ['bitstamp', 'kraken'],
    problem: null,
  });
  expect((await pair('HKD', 'ETH'))?.changePercent).toBe('-20.00');
  expect(await pair('USD', 'HKD')).toMatchObject({ rate: '8', changePercent: '0.00' });
  await keepTestMids(db, { HKD: '0.125' }, 'disagreeing');
  expect(await pair('ETH', 'HKD')).toMatchObject({ rate: '24000', problem: 'disagreeing' });
  expect((await pair('ETH', 'USD'))?.problem).toBeNull();
});

test('the history of a pair has the last rate of each step, where both prices are known', async () => {
  await db.worker.withoutCompany((tx) => sql`delete from rate_mid_point`.execute(tx));
  await keepPoints([
    ['ETH', 'minute', 1500, '1'],
    ['ETH', 'minute', 60, '3000'],
    ['HKD', 'minute', 60, '0.125'],
    ['ETH', 'minute', 30, '3100'],
    ['ETH', 'hour', 60 * 24 * 31, '1'],
    ['ETH', 'hour', 60 * 24 * 7, '2000'],
  ]);
  const caller = http.signIn(newId());
  const ask = async (sell: string, buy: string, span: 'day' | 'month') =>
    (
      await caller.get(
        `/web/trx/currency-rate/history?${new URLSearchParams({ sell, buy, span })}` as '/web/trx/currency-rate/history',
      )
    ).data;
  const rates = async (...asked: Parameters<typeof ask>) => (await ask(...asked)).points.map(({ rate }) => rate);
  expect(await rates('ETH', 'USD', 'day')).toEqual(['3000', '3100']);
  expect(await rates('HKD', 'ETH', 'day')).toEqual(['0.0000416666666667']);
  expect(await rates('USD', 'ETH', 'month')).toEqual(['0.0005']);
  expect(await rates('ETH', 'POL', 'day')).toEqual([]);
  const { from, to } = await ask('ETH', 'USD', 'month');
  expect(Date.parse(to) - Date.parse(from)).toBe(30 * 86_400_000);
});

async function keepPoints(points: [asset: string, grain: string, minutesAgo: number, usd: string][]): Promise<void> {
  for (const [asset, grain, minutes, usd] of points) {
    await db.worker.withoutCompany((tx) =>
      sql`insert into rate_mid_point values (${asset}, ${grain}, now() - make_interval(mins => ${minutes}), ${usd})`.execute(
        tx,
      ),
    );
  }
}

test('an older price never replaces a newer; a day keeps its last, and lends it to days without one', async () => {
  const keep = (usd: string, at: string) =>
    db.worker.withoutCompany((tx) => keepPrices(tx, [{ asset: 'HKDT', usd, source: 'test', updatedAt: new Date(at) }]));
  await keep('0.128', '2026-01-02T10:00:00Z');
  await keep('0.127', '2026-01-02T09:00:00Z');
  await keep('0.129', '2026-01-04T09:00:00Z');
  const days = await db.app.withoutCompany((tx) =>
    findDailyPrices(tx, ['2026-01-01', '2026-01-02', '2026-01-03', '2026-01-04']),
  );
  expect(days.filter(({ asset }) => asset === 'HKDT').map(({ day, usd }) => `${day} ${usd}`)).toEqual([
    '2026-01-02 0.128',
    '2026-01-03 0.128',
    '2026-01-04 0.129',
  ]);
  const caller = http.signIn(newId());
  const items: { asset: string; stale: boolean }[] = (await caller.get('/web/trx/currency-rate')).data.items;
  expect(items.find(({ asset }) => asset === 'HKDT')?.stale).toBe(true);
});

test('the HTTP process may not write prices', async () => {
  const attempt = db.app.withoutCompany((tx) =>
    keepPrices(tx, [{ asset: 'ETH', usd: '1', source: 'test', updatedAt: new Date() }]),
  );
  await expect(attempt).rejects.toMatchObject({ code: '42501' });
});
