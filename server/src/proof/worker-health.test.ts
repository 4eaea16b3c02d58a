import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createEvmGateway, type EvmGateway, gasTankOwner } from '../features/chains/index.ts';
import { keepPrices } from '../features/rates/index.ts';
import { takeAnswer, takeFailure } from '../features/rates/mids/service.ts';
import type { ChainConfig } from '../platform/config/chains.ts';
import type { CheckState } from '../platform/process/health.ts';
import { registry } from '../platform/process/metrics.ts';
import { openTestCompany, randomAddress } from '../testing/company.ts';
import { type TestDatabase, testDatabase } from '../testing/database.ts';
import { createWorkerHealth } from '../worker-health.ts';

/** The worker's /readyz tells the truth of each dependency, one after another taken away. */

const directory = mkdtempSync(join(tmpdir(), 'causeway-worker-health-'));
const socket = join(directory, 'signer.sock');
let db: TestDatabase;
let good: Server;
let wrong: Server;
let signer: Server;
let tankWei = 10n ** 18n;
let mail: () => Promise<void> = async () => undefined;

/** A node that knows its chain and its height, as JSON-RPC; requests come one by one or in batches. */
async function node(chainId: number): Promise<Server> {
  const server = createServer(async (request, response) => {
    const body = JSON.parse(Buffer.concat(await request.toArray()).toString());
    const answer = ({ id, method }: { id: number; method: string }) => ({
      jsonrpc: '2.0',
      id,
      result: method === 'eth_chainId' ? `0x${chainId.toString(16)}` : '0x64',
    });
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(Array.isArray(body) ? body.map(answer) : answer(body)));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

beforeAll(async () => {
  db = await testDatabase();
  [good, wrong] = [await node(31_337), await node(56)];
  signer = createServer((_request, response) => response.writeHead(404).end()).listen(socket);
  await once(signer, 'listening');
});
afterAll(async () => {
  for (const server of [good, wrong, signer]) server.close().closeAllConnections();
  await db.close();
  rmSync(directory, { recursive: true });
});

async function checks(): Promise<Record<string, CheckState>> {
  const url = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}/key-of-the-node`;
  const chain: ChainConfig = {
    id: 'ethereum',
    family: 'evm',
    name: 'Ethereum',
    chainId: 31_337,
    rpcUrls: [url(good), url(wrong), 'http://127.0.0.1:1/key-of-the-node'],
    confirmations: 6,
    pollIntervalMs: 100,
    rpcTimeoutMs: 1000,
    blockTimeMs: 1000,
    replaceAfterBlocks: 15,
    nativeCoin: 'ETH',
    explorerUrl: null,
    tokens: [],
  };
  const gateway: EvmGateway = {
    ...createEvmGateway(chain),
    head: async () => 100,
    balance: async () => tankWei,
    fees: async () => ({ maxFeePerGas: 10n ** 9n, maxPriorityFeePerGas: 1n }),
  };
  const health = createWorkerHealth({
    database: db.worker,
    chains: [chain],
    gateways: new Map([['ethereum', gateway]]),
    mailer: { verify: () => mail() },
    signerSocket: socket,
    filesDirectory: directory,
    priceSources: ['kraken', 'bitstamp'],
    cardIssuer: null,
    hasTradePlatform: true,
  });
  const state = await health.state();
  expect(JSON.stringify(state)).not.toMatch(/key-of-the-node|127\.0\.0\.1/);
  return state.checks;
}

const price = (ageMs: number) =>
  db.worker.withoutCompany((tx) =>
    keepPrices(tx, [{ asset: 'ETH', usd: '2500', source: 'test', updatedAt: new Date(Date.now() - ageMs) }]),
  );

/** What a source says of two coins, and the mids that follow. */
const sourceSays = (source: string, prices: Record<string, string>) =>
  db.worker.withoutCompany((tx) => {
    const at = new Date();
    const said = Object.entries(prices).map(([asset, usd]) => ({ asset, bid: usd, ask: usd, at, fault: null }));
    const answer = { source, role: 'price' as const, prices: said, maxAgeMs: 60_000, pollMs: 10_000 };
    return takeAnswer(tx, answer, { needed: 2, assets: {} });
  });

test('each source of prices is named, with what is wrong with it, and the assets that cannot be quoted', async () => {
  expect(await checks()).toMatchObject({
    'price-source:kraken': { state: 'failed', need: 'degraded', reason: 'it has not been asked for a while' },
    mids: { state: 'ok' },
  });
  await sourceSays('kraken', { ETH: '3000', USDT: '1' });
  await sourceSays('bitstamp', { ETH: '3000', USDT: '1' });
  expect(await checks()).toMatchObject({
    'price-source:kraken': { state: 'ok' },
    'price-source:bitstamp': { state: 'ok' },
    mids: { state: 'ok' },
  });
  await sourceSays('bitstamp', { ETH: '3000', USDT: '-1' });
  await db.worker.withoutCompany((tx) =>
    takeFailure(tx, { source: 'kraken', role: 'price', problem: 'refused' }, { needed: 2, assets: {} }),
  );
  expect(await checks()).toMatchObject({
    'price-source:kraken': { reason: 'it refuses requests' },
    'price-source:bitstamp': { reason: 'its prices of USDT are not used' },
    mids: { state: 'failed', need: 'degraded', reason: 'USDT cannot be quoted: too few sources agree' },
  });
  expect(await registry.metrics()).toMatch(/^causeway_mids_unusable 1$/m);
});

test('a worker that has just begun says what is not there yet', async () => {
  expect(await checks()).toMatchObject({
    database: { state: 'ok' },
    migrations: { state: 'ok' },
    signer: { state: 'ok' },
    mail: { state: 'ok' },
    prices: { state: 'failed', need: 'degraded', reason: 'no price is known yet' },
    'watcher:ethereum': { reason: 'no block has been read yet' },
    'gas-tank:ethereum': { reason: 'the gas tank’s address is not opened yet' },
  });
});

test('each node is told apart: one answers, one serves another chain, one is away', async () => {
  expect(await checks()).toMatchObject({
    'node:ethereum:1': { state: 'ok' },
    'node:ethereum:2': { reason: 'node 2 of ethereum serves chain 56, not 31337' },
    'node:ethereum:3': { reason: 'node 3 of ethereum did not answer eth_chainId' },
  });
  expect(await registry.metrics()).toContain('causeway_chain_node_height{chain="ethereum",node="1"} 100');
});

test('price, blocks, gas tank: well, and then not', async () => {
  await price(700_000);
  expect(await checks()).toMatchObject({ prices: { reason: 'the prices of ETH are stale' } });
  await price(0);
  await db.worker.withoutCompany(async (tx) => {
    await sql`insert into chain_cursor (chain_id, height, hash) values ('ethereum', 1, '0x1')`.execute(tx);
    await sql`insert into chain_address (company_id, chain_id, address) values
      (${gasTankOwner}::uuid, 'ethereum', ${randomAddress()})`.execute(tx);
  });
  const well = { state: 'ok' };
  expect(await checks()).toMatchObject({ prices: well, 'watcher:ethereum': well, 'gas-tank:ethereum': well });
  // 19 payments of 150,000 gas at 1 gwei.
  tankWei = 19n * 150_000n * 10n ** 9n;
  await db.worker.withoutCompany((tx) =>
    sql`update chain_cursor set updated_at = now() - interval '6 minutes'`.execute(tx),
  );
  expect(await checks()).toMatchObject({
    'watcher:ethereum': { reason: 'no block has been read for 360 s' },
    'gas-tank:ethereum': { reason: 'the gas tank can advance 19 payments; fill it' },
  });
  expect(await registry.metrics()).toContain('causeway_gas_tank_payments{chain="ethereum"} 19');
});

test('a frozen wallet of any company is counted, and no company sees another’s', async () => {
  const [one, other] = [await openTestCompany(db), await openTestCompany(db)];
  expect(await checks()).toMatchObject({ 'frozen-wallets': { state: 'ok' } });
  await db.worker.withCompany(one.id, (tx) =>
    sql`update wallet set frozen_at = now(), frozen_reason = 'test' where id = ${one.wallets.USDT}`.execute(tx),
  );
  expect(await checks()).toMatchObject({ 'frozen-wallets': { reason: '1 wallet is frozen' } });
  const seen = await db.worker.withCompany(other.id, (tx) =>
    sql`select 1 from wallet where frozen_at is not null`.execute(tx),
  );
  expect(seen.rows).toEqual([]);
});

test('signer and mail server away', async () => {
  signer.close();
  await once(signer, 'close');
  mail = () => Promise.reject(Object.assign(new Error('Invalid login for someone'), { code: 'EAUTH' }));
  expect(await checks()).toMatchObject({
    signer: { state: 'failed', need: 'degraded', reason: 'ENOENT' },
    mail: { state: 'failed', need: 'degraded', reason: 'EAUTH' },
  });
});
