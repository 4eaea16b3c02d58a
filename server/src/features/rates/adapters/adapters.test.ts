import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type PriceFeed, startPriceFeed } from '@causeway/sandbox/price-feed.ts';
import { type PriceSourceName, priceSourcesConfig, type SourceConduct } from '@causeway/sandbox/price-sources.ts';
import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { readPriceSources } from '../../../platform/config/price-sources.ts';
import { type TestDatabase, testDatabase } from '../../../testing/database.ts';
import { createBitstamp, createCoinGecko, createEcb, createKraken, findMids, startRatePoller } from '../index.ts';
import { findSourceStates } from '../mids/states-store.ts';
import { readReferenceRates } from './ecb.ts';
import type { RateSource } from './source.ts';

/** The adapters against the sandbox's price server, which speaks their protocols, and what becomes of each lie. */

const dir = mkdtempSync(join(tmpdir(), 'causeway-prices-'));
const pollMs = 50;
let db: TestDatabase;
let feed: PriceFeed;
let sources: Record<PriceSourceName, RateSource>;
let poller: ReturnType<typeof startRatePoller>;

beforeAll(async () => {
  [db, feed] = await Promise.all([testDatabase(), startPriceFeed({ stepMs: 100 })]);
  const file = join(dir, 'price-sources.json');
  writeFileSync(file, JSON.stringify(priceSourcesConfig(feed.url)));
  const config = readPriceSources(file);
  if (!config.kraken || !config.bitstamp || !config.ecb) throw new Error('the sandbox configures all sources');
  sources = {
    coingecko: createCoinGecko({ url: feed.url, ...config.coingecko, pollMs }),
    kraken: createKraken({ ...config.kraken, pollMs }),
    bitstamp: createBitstamp({ ...config.bitstamp, pollMs }),
    ecb: createEcb({ ...config.ecb, pollMs }),
  };
  poller = startRatePoller({
    database: db.worker,
    sources: Object.values(sources),
    rules: config,
    log: pino({ level: 'silent' }),
  });
});
afterAll(async () => {
  await poller.stop();
  await feed.stop();
  await db.close();
  rmSync(dir, { recursive: true });
});
afterEach(() => behave('coingecko', 'kraken', 'bitstamp', 'ecb'));

async function behave(...names: PriceSourceName[]): Promise<void> {
  await feed.change({ sources: Object.fromEntries(names.map((name) => [name, { mode: 'ok' }])) });
}

async function misbehave(source: PriceSourceName, conduct: SourceConduct): Promise<void> {
  await feed.change({ sources: { [source]: conduct } });
}

const mid = async (asset: string) => (await db.app.withoutCompany((tx) => findMids(tx, [asset])))[0];
const states = async () => {
  const found = await db.app.withoutCompany(findSourceStates);
  return new Map(found.map((state) => [state.source, state]));
};

/** What is wrong with a source as a whole, else with its price of an asset. */
async function faultOf(source: PriceSourceName, asset: string): Promise<string | null> {
  const state = (await states()).get(source);
  return state?.problem ?? state?.leftOut.find((each) => each.asset === asset)?.fault ?? null;
}

/** As if its last prices of before had grown old: an answer of an hour ago never replaces them. */
async function forgetPrices(source: PriceSourceName): Promise<void> {
  const at = (await states()).get(source)?.succeededAt;
  await expect.poll(async () => (await states()).get(source)?.succeededAt, patience).not.toEqual(at);
  await db.worker.withoutCompany((tx) => sql`delete from rate_source_price where source = ${source}`.execute(tx));
}

const patience = { timeout: 20_000 };

test('every asset of the sandbox has a mid of two sources or three, near what the sandbox says it costs', async () => {
  const assets = 'BTC ETH USDT USDC HKDT AUD CAD CNY EUR GBP HKD JPY NZD SGD'.split(' ');
  await expect
    .poll(() => db.app.withoutCompany((tx) => findMids(tx, assets)), patience)
    .toSatisfy((mids: { problem: unknown }[]) => mids.every(({ problem }) => problem === null));
  await expect.poll(async () => (await mid('ETH'))?.sources, patience).toEqual(['bitstamp', 'coingecko', 'kraken']);
  expect((await mid('HKD'))?.sources).toEqual(['coingecko', 'kraken']);
  expect(Number((await mid('HKD'))?.usd)).toBeCloseTo(1 / 7.79, 4);
  expect(Number((await mid('JPY'))?.usd)).toBeCloseTo(1 / 154.3, 5);
  expect(Number((await mid('ETH'))?.usd)).toBeGreaterThan(3000);
});

test('each source is asked in its own protocol and says bid and ask, or a price, with its time', async () => {
  const now = Date.now();
  for (const source of Object.values(sources)) {
    const said = await source.ask();
    const eur = said.find(({ asset }) => asset === 'EUR');
    expect(eur?.fault, source.name).toBeNull();
    expect(Number(eur?.bid)).toBeCloseTo(1 / 0.865, 2);
    expect(Number(eur?.bid) < Number(eur?.ask)).toBe(['kraken', 'bitstamp'].includes(source.name));
    expect(Math.abs((eur?.at.getTime() ?? 0) - now)).toBeLessThan(source.role === 'band' ? 86_400_000 : 10_000);
  }
});

test.each<[PriceSourceName, SourceConduct['mode'], string]>([
  ['kraken', 'down', 'refused'],
  ['kraken', 'crossed', 'crossed'],
  ['kraken', 'zero', 'notPositive'],
  ['kraken', 'negative', 'notPositive'],
  ['kraken', 'lagging', 'stale'],
  ['kraken', 'ahead', 'ahead'],
  ['kraken', 'lying', 'jumping'],
  ['kraken', 'garbage', 'unreadable'],
  ['kraken', 'huge', 'tooLarge'],
  ['kraken', 'moved', 'refused'],
  ['bitstamp', 'crossed', 'crossed'],
  ['bitstamp', 'negative', 'notPositive'],
  ['bitstamp', 'lagging', 'stale'],
  ['bitstamp', 'ahead', 'ahead'],
  ['bitstamp', 'garbage', 'unreadable'],
  ['bitstamp', 'huge', 'tooLarge'],
  ['coingecko', 'zero', 'notPositive'],
  ['coingecko', 'negative', 'notPositive'],
  ['coingecko', 'lagging', 'stale'],
  ['coingecko', 'lying', 'jumping'],
  ['coingecko', 'garbage', 'unreadable'],
])(
  '%s that is %s is left out and reported; the others go on, and alone they are not quoted',
  async (source, mode, fault) => {
    await expect.poll(async () => (await mid('ETH'))?.sources.length, patience).toBe(3);
    const before = await mid('ETH');
    await misbehave(source, { mode });
    if (mode === 'lagging') await forgetPrices(source);
    await expect.poll(() => faultOf(source, 'ETH'), patience).toBe(fault);
    const others = ['bitstamp', 'coingecko', 'kraken'].filter((name) => name !== source);
    // A source that cannot be asked leaves its last price, which is good until it is too old.
    if ((await states()).get(source)?.problem === null) {
      await expect.poll(async () => (await mid('ETH'))?.sources, patience).toEqual(others);
    }
    const during = await mid('ETH');
    expect(during?.problem).toBeNull();
    expect(Math.abs(Number(during?.usd) / Number(before?.usd) - 1)).toBeLessThan(0.02);
    if (source !== 'bitstamp' && (await states()).get(source)?.problem === null) {
      // Currencies have two sources: the honest one alone is not quoted.
      await expect.poll(async () => (await mid('SGD'))?.problem, patience).toBe('single');
    }
    await behave(source);
    await expect.poll(() => faultOf(source, 'ETH'), patience).toBeNull();
  },
);

test('a currency that two sources lie about is held against the reference rates', async () => {
  await misbehave('kraken', { mode: 'lying', factor: 0.9 });
  await misbehave('coingecko', { mode: 'lying', factor: 1.1 });
  await misbehave('bitstamp', { mode: 'lying', factor: 1.1 });
  await expect.poll(async () => (await mid('SGD'))?.problem, patience).toBe('none');
  expect((await states()).get('coingecko')?.leftOut).toContainEqual({ asset: 'SGD', fault: 'outsideBand' });
});

test('a source that answers late delays no other', async () => {
  await misbehave('bitstamp', { mode: 'late', delayMs: 600_000 });
  const at = (await states()).get('kraken')?.succeededAt;
  await expect.poll(async () => (await states()).get('kraken')?.succeededAt, patience).not.toEqual(at);
  // What the test before has left may take a round of the others to pass.
  await expect.poll(async () => (await mid('ETH'))?.problem, patience).toBeNull();
});

test('hostile reference rates are refused, and the last good ones go on', async () => {
  await expect.poll(async () => (await states()).get('ecb')?.prices, patience).toBe(9);
  await misbehave('ecb', { mode: 'garbage' });
  await expect.poll(async () => (await states()).get('ecb')?.problem, patience).toBe('unreadable');
  expect((await mid('EUR'))?.problem).toBeNull();
  const cube = (inner: string) => `<x xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref">${inner}</x>`;
  const day = `<Cube time='2026-11-25'><Cube currency='USD' rate='1.1'/></Cube>`;
  expect(readReferenceRates(cube(day)).perEuro.get('USD')).toBe('1.1');
  for (const hostile of [
    '',
    '<',
    cube(''),
    cube(day + day),
    cube('<a>'.repeat(20) + '</a>'.repeat(20)),
    cube('<a/>'.repeat(501)),
  ]) {
    expect(() => readReferenceRates(hostile)).toThrow(/unusable/);
  }
});
