import {
  getHealth,
  listFailedJobs,
  listMarketRates,
  listTables,
  listVerifications,
  retryJob,
  setJobAside,
} from '@causeway/contract/operator-health.ts';
import { getTreasury } from '@causeway/contract/operator-treasury.ts';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { announce, live } from '../../../platform/database/outbox.ts';
import { newId } from '../../../platform/ids.ts';
import { keepFailedJobs } from '../../../platform/process/component-states.ts';
import { beat, describeProcess } from '../../../platform/process/heartbeat.ts';
import { createLog } from '../../../platform/process/log.ts';
import { registry } from '../../../platform/process/metrics.ts';
import { registeredCompany } from '../../../testing/chain-transfers.ts';
import { type ChainWorld, type Company, chainId, chainWorld, walletOf } from '../../../testing/chain-world.ts';
import { type OperatorApp, operatorApp, type TestOperator } from '../../../testing/operator-app.ts';
import { sweep } from '../queue/sweep.ts';
import { sayFinding } from './findings.ts';
import { jobDecisionJobs } from './jobs.ts';
import { createInstallationReport } from './reporting.ts';
import { gaugeVerifications, verifyAllBanks, verifyAllBooks, verifyAllChains, verifyAllLogs } from './verifying.ts';

/** What the console shows of the installation is what its processes and the worker reported, and what the worker verified. */

// The world is a chain, a database and a signer, and the machine may be busy.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let world: ChainWorld;
let app: OperatorApp;
let viewer: TestOperator;
let support: TestOperator;
let company: Company;
let superuser: pg.Client;
const log = createLog('test', 'silent');
const once = { tries: 1, pauseMs: 0 };

beforeAll(async () => {
  world = await chainWorld();
  company = await registeredCompany(world);
  app = await operatorApp(world.db);
  viewer = await app.operator('viewer');
  support = await app.operator('support');
  superuser = new pg.Client({ connectionString: world.db.superuserUrl });
  await superuser.connect();
  await superuser.query('set search_path = causeway');
});
afterAll(async () => {
  expect(app.complaints).toEqual([]);
  await superuser.end();
  await app.close();
  await world.close();
});

const health = async () => (await app.ask(getHealth, { as: viewer })).data;
const parts = () => ({ database: world.db.worker, gateways: new Map([[chainId, world.gateway]]), times: once });
const report = () =>
  createInstallationReport({
    database: world.db.worker,
    chains: [world.config],
    gateways: new Map([[chainId, world.gateway]]),
    filesDirectory: '/tmp',
    gasTank: world.gasTank,
    log,
  })();

test('processes that run are listed with their versions; one that none reports is missing', async () => {
  const { worker, console, app: main } = world.db;
  expect((await health()).missing).toEqual(['main', 'worker', 'signer', 'operator-main']);
  const running = {
    main: describeProcess('main'),
    worker: describeProcess('worker'),
    own: describeProcess('operator-main'),
  };
  await main.withoutCompany((tx) => beat(tx, running.main));
  await worker.withoutCompany((tx) => beat(tx, { ...running.worker, version: '0.0.9' }));
  await console.withoutCompany((tx) => beat(tx, running.own));
  await world.signerDatabase.withoutCompany((tx) => beat(tx, describeProcess('signer')));
  const seen = await health();
  expect(seen.missing).toEqual([]);
  expect(seen.versionsDiffer).toBe(true);
  expect(seen.processes.map(({ name, silent }) => [name, silent])).toContainEqual(['signer', false]);
  await superuser.query("update process_heartbeat set seen_at = now() - interval '3 minutes' where name = 'worker'");
  const later = await health();
  expect(later.missing).toEqual(['worker']);
  expect(later.versionsDiffer).toBe(false);
  await superuser.query("update process_heartbeat set seen_at = now() - interval '25 hours' where name = 'worker'");
  await main.withoutCompany((tx) => beat(tx, running.main));
  expect((await health()).processes.map(({ name }) => name)).not.toContain('worker');
});

test('the report says how queues, nodes, the gas tank and the disk are', async () => {
  await world.db.worker.withCompany(company.id, (tx) => announce(tx, [live('balance')]));
  await report();
  const { outbox, reportedAt, chains, storage, migration } = await health();
  expect(reportedAt).not.toBeNull();
  expect(outbox).toEqual({ rows: 1, oldestAt: expect.anything() });
  expect(chains).toMatchObject([{ id: chainId, readHeight: expect.any(Number), headHeight: expect.any(Number) }]);
  expect(storage.files?.totalBytes).toBeGreaterThan(0);
  expect(storage.databaseBytes).toBeGreaterThan(0);
  expect(migration).toMatch(/^\d{4}_/);
  const { tables } = (await app.ask(listTables, { as: viewer })).data;
  expect(tables.length).toBeGreaterThan(5);
  const tank = async () => (await app.ask(getTreasury, { as: viewer })).data.chains[0];
  const before = await tank();
  expect(before?.nodes.map(({ node, error, disagrees }) => [node, error, disagrees])).toEqual(
    world.config.rpcUrls.map((_, index) => [`${index + 1}`, null, false]),
  );
  expect(before?.tank).toMatchObject({ balance: expect.stringMatching(/^10\./), low: false, topUps: [] });
  await world.chain.treasury.send('ETH', world.gasTank, '2');
  await world.chain.engine.mine(1);
  await report();
  expect((await tank())?.tank?.topUps).toMatchObject([{ quantity: '2.000000000000000000' }]);
  const text = await registry.metrics();
  for (const name of [
    'causeway_watcher_lag_blocks',
    'causeway_chain_node_delay_seconds',
    'causeway_files_free_bytes',
  ]) {
    expect(text).toMatch(new RegExp(`^${name}[{ ]`, 'm'));
  }
});

test('each asset has its market rate with source and age; one that is too old or missing is counted', async () => {
  const rates = async () => {
    const { data } = await app.ask(listMarketRates, { as: viewer });
    return new Map(data?.items.map(({ asset, ...rate }) => [asset, rate]));
  };
  await superuser.query('delete from rate');
  expect((await rates()).get('ETH')).toEqual({ usd: null, source: null, updatedAt: null, stale: true });
  await superuser.query(`insert into rate (asset_id, usd, source, updated_at) values
    ('ETH', 3012.123456789, 'coingecko', now() - interval '9 minutes'), ('USDT', 1, 'coingecko', now() - interval '11 minutes')`);
  const found = await rates();
  expect(found.get('ETH')).toMatchObject({ usd: '3012.1235', source: 'CoinGecko', stale: false });
  expect(found.get('USDT')).toMatchObject({ usd: '1', stale: true });
  // The dollar is what rates are in.
  expect(found.has('USD')).toBe(false);
  expect((await health())?.rates).toEqual({ count: found.size, stale: found.size - 1 });
});

test('a dead node and one of another chain are named', async () => {
  const dead = { ...world.config, rpcUrls: [...world.config.rpcUrls, 'http://127.0.0.1:9'] };
  await createInstallationReport({
    database: world.db.worker,
    chains: [dead],
    gateways: new Map([[chainId, world.gateway]]),
    filesDirectory: '/tmp',
    gasTank: '0x0000000000000000000000000000000000000001',
    log,
  })();
  const treasury = (await app.ask(getTreasury, { as: viewer })).data;
  expect(treasury.chains[0]?.nodes.at(-1)).toMatchObject({
    height: null,
    error: expect.stringContaining('did not answer'),
  });
  expect(treasury.chains[0]?.nodes.at(-1)?.error).not.toContain('127.0.0.1');
  // The worker's configuration names another tank than the one whose address companies' fees come from.
  expect(treasury.signer.addresses).toMatchObject([{ chainId, address: world.gasTank, agrees: false }]);
  await report();
  expect((await app.ask(getTreasury, { as: viewer })).data.chains[0]?.nodes).toHaveLength(world.config.rpcUrls.length);
});

const lastOf = async (kind: 'ledger' | 'chain' | 'bank' | 'audit') =>
  (await health()).verifications.find((each) => each.kind === kind);
const openItems = async () => {
  await sweep(world.db.console, log);
  const { rows } = await superuser.query<{ subject: string }>(
    "select subject from operator_item where kind = 'verificationFailed' and state = 'open' order by subject",
  );
  return rows.map(({ subject }) => subject);
};

test('each night everything is verified; what differs opens an item that ends when it agrees again', async () => {
  await verifyAllBooks(parts());
  await verifyAllChains(parts());
  await verifyAllLogs(parts());
  await verifyAllBanks(parts());
  for (const kind of ['ledger', 'chain', 'bank', 'audit'] as const) {
    expect(await lastOf(kind), kind).toMatchObject({ result: 'agrees', differences: 0 });
  }
  expect((await lastOf('chain'))?.checked).toBeGreaterThan(0);
  expect(await openItems()).toEqual([]);

  const wallet = walletOf(company, 'USDT');
  const add = (minor: number) =>
    superuser.query(
      `update ledger_account set balance = balance + ${minor} where owner_id = $1 and kind = 'available'`,
      [wallet],
    );
  await add(7);
  await verifyAllBooks(parts());
  await verifyAllChains(parts());
  expect(await lastOf('ledger')).toMatchObject({ result: 'differs', differences: 1 });
  expect((await lastOf('chain'))?.findings[0]).toContain('difference -7');
  const asked = { as: viewer, query: {}, headers: { 'accept-language': 'zh-hk' } };
  const told = (await app.ask(listVerifications, asked)).data.items.flatMap(({ findings }) => findings);
  expect(told.filter((text) => text.includes('差額 -7') || text.includes('分錄合計為'))).toHaveLength(2);
  expect(await openItems()).toEqual([`chain:${chainId}`, 'ledger']);
  await add(-7);
  await verifyAllBooks(parts());
  await verifyAllChains(parts());
  expect(await openItems()).toEqual([]);
  const { items } = (await app.ask(listVerifications, { as: viewer, query: { result: 'differs' } })).data;
  expect(items.map(({ kind }) => kind).toSorted()).toEqual(['chain', 'ledger']);
  // The worker that reports has the gauges, whichever of them verified; of a chain that is configured no more there is none.
  await report();
  expect(await registry.metrics()).toMatch(/^causeway_verification_agrees\{kind="ledger",chain=""\} 1/m);
  const ofChain = new RegExp(`^causeway_verification_agrees\\{kind="chain",chain="${chainId}"\\}`, 'm');
  expect(await registry.metrics()).toMatch(ofChain);
  await superuser.query('update chain set enabled = false');
  await world.db.worker.withoutCompany(gaugeVerifications);
  expect(await registry.metrics()).not.toMatch(ofChain);
  await superuser.query('update chain set enabled = true');
});

test('nodes that cannot be asked leave a verification that could not be made, which is not an agreement', async () => {
  const failing = { ...world.gateway, block: () => Promise.reject(new Error('no node answers')) };
  await verifyAllChains({ ...parts(), gateways: new Map([[chainId, failing]]) });
  expect(await lastOf('chain')).toMatchObject({
    result: 'failed',
    findings: [expect.stringContaining('no node answers')],
  });
  expect(await openItems()).toEqual([`chain:${chainId}`]);
  await verifyAllChains(parts());
});

test('an audit log that was changed behind the program is found', async () => {
  const events = async () =>
    superuser.query('select company_id, seq from audit_seal where seq = 1 order by company_id limit 1');
  await superuser.query(`insert into audit_chain (company_id, seq, hash) values ('${company.id}', 1, sha256('x'))
    on conflict (company_id) do update set seq = audit_chain.seq + 1`);
  await verifyAllLogs(parts());
  expect(await lastOf('audit')).toMatchObject({ result: 'differs', findings: [expect.stringContaining('entry 1')] });
  expect((await events()).rows.length).toBeLessThanOrEqual(1);
});

test('a failed job runs again or is set aside, once each, with a reason in the log', async () => {
  const failed = async (name: string) => {
    const { rows } = await world.db.worker.withoutCompany((tx) =>
      sql<{
        id: string;
      }>`select id::text from graphile_worker.add_job(${name}, ${JSON.stringify({ companyId: company.id, payload: {} })}::json)`.execute(
        tx,
      ),
    );
    await superuser.query(
      `update graphile_worker._private_jobs set attempts = max_attempts, last_error = 'no' where id = ${rows[0]?.id}`,
    );
    return rows[0]?.id ?? '';
  };
  const [first, second] = [await failed('outgoing.send'), await failed('notices.mail')];
  await world.db.worker.withoutCompany(keepFailedJobs);
  expect((await health()).failedJobs).toBe(2);
  const names = async (query: { aside?: 'yes'; mail?: 'yes' } = {}) =>
    (await app.ask(listFailedJobs, { as: viewer, query })).data.items.map(({ name }) => name);
  expect((await names()).toSorted()).toEqual(['notices.mail', 'outgoing.send']);
  expect(await names({ mail: 'yes' })).toEqual(['notices.mail']);

  const reason = 'The node is back';
  const ask = (call: typeof retryJob | typeof setJobAside, jobId: string, as = support) =>
    app.ask(call, { as, params: { jobId }, body: { reason } });
  expect((await ask(retryJob, first, viewer)).key).toBe('noPermission');
  expect((await ask(retryJob, first)).key).toBeNull();
  expect((await ask(setJobAside, second)).key).toBeNull();
  await carryOut();
  await carryOut();
  const { rows } = await superuser.query<{ attempts: number }>(
    `select attempts from graphile_worker._private_jobs where id = ${first}`,
  );
  expect(rows).toEqual([{ attempts: 0 }]);
  await world.db.worker.withoutCompany(keepFailedJobs);
  expect((await health()).failedJobs).toBe(0);
  expect(await names()).toEqual([]);
  expect(await names({ aside: 'yes' })).toEqual(['notices.mail']);
  expect((await ask(retryJob, first)).key).toBe('jobNotFailed');
  expect((await ask(setJobAside, second)).key).toBe('jobNotFailed');
  const audited = await app.audited();
  expect(audited.slice(-2)).toEqual(['operator.retryJob', 'operator.setJobAside']);
});

/** The decisions of operators, as the relay would queue them. */
async function carryOut(): Promise<void> {
  const { rows } = await superuser.query<{ payload: Record<string, unknown> }>(
    "select payload from outbox where name = 'operator.jobDecided' order by id",
  );
  for (const { payload } of rows) {
    await jobDecisionJobs()[0]?.run({ companyId: company.id, database: world.db.worker, log }, payload);
  }
}

test('what a release before wrote, or another program, is shown as it came and marked so', () => {
  expect(sayFinding('en-us', 'no node answers')).toBe('Message as received: no node answers');
  expect(sayFinding('zh-cn', { id: 'health.finding.gone', values: { message: 'x' } })).toBe('原始信息：x');
});

test('payment requests and cards are verified with the books, those of each company once', async () => {
  const other = await registeredCompany(world);
  const [requestId, purchaseId] = [newId(), newId()];
  // As no statement of the product leaves them: rows without what they stem from.
  await superuser.query('set session_replication_role = replica');
  await superuser.query(
    `insert into payment_request (company_id, id, kind, pricing, asset_id, amount, title, token, expires_at, state, created_by, created_by_name)
     values ($1, $2, 'single', 'coin', 'USDT', 5, 'Invoice', repeat('t', 32), now() - interval '1 day', 'open', $3, 'Member')`,
    [other.id, requestId, newId()],
  );
  await superuser.query(
    `insert into card_purchase (company_id, id, token, card_id, origin_id, wallet_id, merchant, mcc, merchant_group, held, cleared, at)
     values ($1, $2, 'token', $3, $3, $3, 'Ferry', '4111', 'transport', 0, 5, now())`,
    [other.id, purchaseId, newId()],
  );
  await superuser.query('set session_replication_role = origin');
  await verifyAllBooks(parts());
  const found = await lastOf('ledger');
  expect(found).toMatchObject({ result: 'differs', differences: 2 });
  expect(found?.findings.join('\n')).toContain(`the period of payment request ${requestId} is over`);
  expect(found?.findings.join('\n')).toContain(`card payment ${purchaseId} does not agree`);
  await superuser.query('set session_replication_role = replica');
  await superuser.query('delete from payment_request where id = $1', [requestId]);
  await superuser.query('delete from card_purchase where id = $1', [purchaseId]);
  await superuser.query('set session_replication_role = origin');
  await verifyAllBooks(parts());
  expect(await lastOf('ledger')).toMatchObject({ result: 'agrees' });
});
