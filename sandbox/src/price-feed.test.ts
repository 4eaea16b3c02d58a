import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type PriceFeed, startPriceFeed } from './price-feed.ts';

let dir: string;
let feed: PriceFeed;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'causeway-test-'));
  feed = await startPriceFeed({ file: join(dir, 'prices.json'), stepMs: 5 });
});

afterEach(async () => {
  await feed.stop();
  await rm(dir, { recursive: true, force: true });
});

async function ask(query: string): Promise<{ status: number; body: unknown }> {
  const response = await fetch(`${feed.url}/api/v3/simple/price?${query}`, { headers: { 'x-cg-pro-api-key': 'any' } });
  return { status: response.status, body: await response.json() };
}

test('prices are answered in the shape of CoinGecko, unknown coins left out', async () => {
  const { body } = await ask('ids=ethereum,tether,nothing&vs_currencies=usd,hkd,xyz&include_last_updated_at=true');
  expect(body).toEqual({
    ethereum: { usd: expect.any(Number), hkd: expect.any(Number), last_updated_at: expect.any(Number) },
    tether: { usd: expect.closeTo(1, 2), hkd: expect.closeTo(7.79, 1), last_updated_at: expect.any(Number) },
  });
  expect(await ask('ids=ethereum')).toEqual({ status: 422, body: { error: 'Missing parameter vs_currencies' } });
});

test('prices walk, stand still when frozen, and fail when told to', async () => {
  const before = feed.state().usd.ethereum;
  await vi.waitFor(() => expect(feed.state().usd.ethereum).not.toBe(before), { timeout: 20_000 });
  await feed.change({ mode: 'frozen' });
  const { step, updatedAt } = feed.state();
  await feed.change({ mode: 'failing' });
  expect((await ask('ids=tether&vs_currencies=usd')).status).toBe(503);
  await feed.change({ mode: 'frozen' });
  expect(feed.state()).toMatchObject({ step, updatedAt });
});

test('a price that was set is the one answered, stays near, and is kept over a restart', async () => {
  await feed.change({ mode: 'frozen', usd: { ethereum: 5000 } });
  expect((await ask('ids=ethereum&vs_currencies=usd')).body).toEqual({ ethereum: { usd: 5000 } });
  await feed.stop();
  feed = await startPriceFeed({ file: join(dir, 'prices.json'), stepMs: 5 });
  expect(feed.state()).toMatchObject({ mode: 'frozen', usd: { ethereum: 5000 } });
  await feed.change({ mode: 'live' });
  const { step } = feed.state();
  await vi.waitFor(() => expect(feed.state().step).toBeGreaterThan(step + 20), { timeout: 20_000 });
  expect(Math.abs(feed.state().usd.ethereum / 5000 - 1)).toBeLessThan(0.05);
});
