import { addCryptoPayee } from '@causeway/contract/payees.ts';
import { systemRoleIds } from '@causeway/contract/permission.ts';
import { listNetworkFees, transferOut } from '@causeway/contract/transfers.ts';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { newId } from '../../../platform/ids.ts';
import { registry } from '../../../platform/process/metrics.ts';
import { bitcoinWallet } from '../../../testing/bitcoin/waiting-transfer.ts';
import { credit } from '../../../testing/company.ts';
import { type TestDatabase, testDatabase } from '../../../testing/database.ts';
import type { Answer } from '../../../testing/envelope.ts';
import { type MainApp, type Member, mainApp, type Request, type Tenant } from '../../../testing/main-app.ts';
import { present } from '../../../testing/present.ts';
import { enact, forbidding } from '../../../testing/risk.ts';
import { arrivedTest } from '../../../testing/transaction-requests.ts';
import { payee, succeed, transferRequest } from '../../../testing/valid-requests.ts';
import { lockSettings, writeRule } from '../../approvals/store/rules.ts';
import { keepPrices } from '../../rates/index.ts';

/** Submissions that share a transaction are decided as if each had come alone, in turn. */

type Sent = Request & { body: Record<string, unknown> };

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
});
afterAll(() => db.close());

/** 5 USDT, and 1 of fee. */
const whole = 6_000_000n;
const miner = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';
const bitcoinPayee = { label: 'Miner', chain: 'bitcoin', coin: 'BTC', address: miner, remark: '' };

describe.each([1, 32])('with at most %i in a transaction', (maxSize) => {
  let world: MainApp;
  /** What a batch waits for before it begins its transaction: a lock would be waited for 200 ms only. */
  let gate = Promise.resolve();
  beforeAll(async () => {
    const withCompanies: typeof db.app.withCompanies = async (...args) => {
      await gate;
      return db.app.withCompanies(...args);
    };
    world = await mainApp({ ...db, app: { ...db.app, withCompanies } }, undefined, {
      batches: { connections: 1, maxSize },
    });
  });
  afterAll(() => world.close());
  afterEach(() => expect(world.complaints.splice(0)).toEqual([]));

  async function tenantWith(balance: bigint): Promise<Tenant> {
    const tenant = await world.company();
    if (balance > 0n) await credit(db, tenant, 'USDT', balance);
    return tenant;
  }

  async function prepare(tenant: Tenant, more: object = {}, as?: Member): Promise<Sent> {
    const content = {
      id: newId(),
      walletId: tenant.wallets.USDT,
      payeeId: await payee(world, tenant),
      amount: '5',
      attachmentIds: [],
      notes: 'rent',
      ...more,
    };
    const request = await transferRequest(world, tenant, content, as);
    return { ...request, headers: { 'idempotency-key': newId() } };
  }

  async function metric(name: string): Promise<number> {
    const found = await registry.getSingleMetric(name.replace(/_(count|sum)$/, ''))?.get();
    const values = found?.values.filter(({ labels }) => labels['call'] === 'transferOut') ?? [];
    const own = values.find((value) => !('metricName' in value) || value.metricName === name);
    return own?.value ?? 0;
  }

  /** Lets requests travel together: another one is held up until all of them wait. `meanwhile` runs before they are read. */
  async function atOnce(requests: readonly Sent[], meanwhile?: () => Promise<void>): Promise<Answer<unknown>[]> {
    const plug = await prepare(await tenantWith(whole));
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    gate = released;
    const held = world.ask(transferOut, plug);
    await vi.waitFor(async () => expect(await metric('causeway_batch_requests_under_way')).toBe(1), {
      timeout: 20_000,
    });
    const before = {
      batches: await metric('causeway_batch_requests_count'),
      sum: await metric('causeway_batch_requests_sum'),
    };
    const asked: Promise<Answer<unknown>>[] = [];
    for (const request of requests) {
      asked.push(world.ask(transferOut, request));
      // One after another, so that they wait in the order in which they are given.
      const underWay = asked.length + 1;
      await vi.waitFor(async () => expect(await metric('causeway_batch_requests_under_way')).toBe(underWay), {
        timeout: 20_000,
        interval: 5,
      });
    }
    await meanwhile?.();
    release();
    const answers = await Promise.all(asked);
    expect((await held).status).toBe(200);
    const served = (await metric('causeway_batch_requests_sum')) - before.sum;
    const batches = (await metric('causeway_batch_requests_count')) - before.batches;
    if (maxSize === 1) expect(batches).toBe(served);
    // One that fails as a whole is followed by each of its requests alone.
    else expect(batches).toBe(meanwhile ? requests.length + 1 : batchesOf(requests));
    return answers;
  }

  /** Those that share a key or an id go one after another. */
  function batchesOf(requests: readonly Sent[]): number {
    const times = (of: (request: Sent) => unknown) =>
      Math.max(...requests.map((request) => requests.filter((other) => of(other) === of(request)).length));
    return Math.max(
      times(({ body }) => body['id']),
      times(({ headers }) => headers?.['idempotency-key']),
    );
  }

  const keysOf = (answers: readonly Answer<unknown>[]) =>
    answers.map(({ status, key }) => (status === 200 ? 'done' : key));

  async function countsOf(tenant: Tenant) {
    const { rows } = await db.app.withCompany(tenant.id, (tx) =>
      sql<{ transfers: number; held: bigint; flows: number; audited: number; announced: number; kept: number }>`
        select (select count(*) from transaction where type = 'chain_withdraw') as transfers,
          (select balance from ledger_account where owner_id = ${tenant.wallets.USDT} and kind = 'outbound') as held,
          (select count(*) from risk_flow) as flows,
          (select count(*) from audit_event where action = 'transfers.submit') as audited,
          (select count(*) from idempotency) as kept`.execute(tx),
    );
    return present(rows[0]);
  }

  test('companies that submit at once each get what is theirs; what refuses one concerns it alone', async () => {
    const tenants = await Promise.all(Array.from({ length: 9 }, () => tenantWith(whole)));
    const [poor, denied, unruled] = [await tenantWith(0n), await tenantWith(whole), await tenantWith(whole)];
    await enact(db, denied.id, forbidding({ dimension: 'coin', coins: ['USDT'] }));
    await db.app.withCompany(unruled.id, async (tx) => {
      await lockSettings(tx);
      await sql`update approval_setting set enabled = true where company_id = company_id()`.execute(tx);
    });
    const good: Sent[] = [];
    for (const tenant of tenants) good.push(await prepare(tenant));
    const wrongCode = await prepare(await tenantWith(whole));
    wrongCode.body['code'] = wrongCode.body['code'] === '000000' ? '000001' : '000000';
    const foreign = await prepare(await tenantWith(whole));
    foreign.body['walletId'] = present(tenants[0]).wallets.USDT;
    const bad = [await prepare(poor), await prepare(denied), await prepare(unruled), wrongCode, foreign];

    const answers = await atOnce([...bad, ...good]);
    expect(keysOf(answers)).toEqual([
      'amountAboveBalanceMinusFee',
      'riskRefused',
      'approvalNoRule',
      'codeWrong',
      'walletNotFound',
      ...good.map(() => 'done'),
    ]);
    for (const tenant of tenants) {
      expect(await countsOf(tenant)).toEqual({ transfers: 1, held: whole, flows: 1, audited: 1, kept: 1 });
    }
    for (const tenant of [poor, denied, unruled]) {
      expect(await countsOf(tenant)).toEqual({ transfers: 0, held: 0n, flows: 0, audited: 0, kept: 0 });
    }
    const { rows } = await db.app.withCompany(denied.id, (tx) =>
      sql`select from risk_log where company_id = company_id() and type = 'hit'`.execute(tx),
    );
    expect(rows).toHaveLength(1);
    // What was refused by a rule has used no code: it goes through once the rule allows it.
    await credit(db, poor, 'USDT', whole);
    expect(keysOf([await world.ask(transferOut, present(bad[0]))])).toEqual(['done']);
  });

  test('the people of one company spend its balance to the last unit, and no further', async () => {
    const tenant = await tenantWith(3n * whole);
    const requests: Sent[] = [];
    for (let one = 0; one < 6; one += 1) requests.push(await prepare(tenant));
    // What the balance refuses is no try of its code.
    const { body } = present(requests[5]);
    body['code'] = body['code'] === '000000' ? '000001' : '000000';
    const keys = keysOf(await atOnce(requests));
    expect(keys.slice(0, 3)).toEqual(['done', 'done', 'done']);
    for (const key of keys.slice(3)) expect(['insufficientBalance', 'amountAboveBalanceMinusFee']).toContain(key);
    expect(await countsOf(tenant)).toEqual({ transfers: 3, held: 3n * whole, flows: 3, audited: 3, kept: 3 });
  });

  test('a policy that stops the fourth of a day stops the fourth of those that come at once', async () => {
    const tenant = await tenantWith(6n * whole);
    await enact(db, tenant.id, forbidding({ dimension: 'crypto_frequency', from: '4', to: null }, { window: 'day' }));
    const requests: Sent[] = [];
    for (let one = 0; one < 6; one += 1) requests.push(await prepare(tenant));
    const keys = keysOf(await atOnce(requests));
    expect(keys).toEqual(['done', 'done', 'done', 'riskRefused', 'riskRefused', 'riskRefused']);
    expect(await countsOf(tenant)).toMatchObject({ transfers: 3, flows: 3 });
  });

  test('one key, and one id under several keys, is one transfer', async () => {
    const tenant = await tenantWith(6n * whole);
    const [first, second] = [await prepare(tenant), await prepare(tenant)];
    const otherKey = () => ({ ...second, headers: { 'idempotency-key': newId() } });
    const answers = await atOnce([first, first, second, otherKey(), otherKey()]);
    expect(keysOf(answers)).toEqual(['done', 'done', 'done', 'idTaken', 'idTaken']);
    expect(answers[1]?.data).toEqual(answers[0]?.data);
    expect(answers[1]?.raw.headers['idempotency-replayed']).toBe('true');
    expect(await countsOf(tenant)).toMatchObject({ transfers: 2, kept: 2 });
  });

  test('of two rests of one test the first is sent', async () => {
    const tenant = await tenantWith(4n * whole);
    const payeeId = await payee(world, tenant);
    const restOf = await arrivedTest(world, tenant, payeeId);
    const requests = [await prepare(tenant, { payeeId }), await prepare(tenant, { payeeId })];
    for (const { body } of requests) body['restOf'] = restOf;
    expect(keysOf(await atOnce(requests))).toEqual(['done', 'testRestSent']);
    expect(await countsOf(tenant)).toMatchObject({ held: whole, kept: 1 });
  });

  test('where the fee is a choice, its own company’s coins decide each, and what was promised to the network is kept', async () => {
    const price = { asset: 'BTC', usd: '60000', source: 'test', updatedAt: new Date() };
    await db.worker.withoutCompany((tx) => keepPrices(tx, [price]));
    const senders: Tenant[] = [];
    const requests: Sent[] = [await prepare(await tenantWith(whole))];
    const expected: object[] = [];
    for (const coins of [1, 2, 1]) {
      const tenant = await tenantWith(0n);
      const { walletId } = await bitcoinWallet(world, tenant, 1_000_000n, coins);
      const { id: payeeId } = (await succeed(world, addCryptoPayee, { as: tenant.admin, body: bitcoinPayee })).data;
      const query = { walletId, payeeId, amount: '0.006' };
      const { items } = (await succeed(world, listNetworkFees, { as: tenant.admin, query })).data;
      const { fee, level, vsize } = present(items[1]);
      const request = await prepare(tenant, query);
      requests.push({ ...request, body: { ...request.body, fee, feeLevel: level } });
      senders.push(tenant);
      expected.push({ level: 'normal', network_fee: Math.round(Number(fee) * 1e8), vsize });
    }
    const guessed = present(requests[3]).body;
    guessed['code'] = guessed['code'] === '000000' ? '000001' : '000000';
    expect(keysOf(await atOnce(requests))).toEqual(['done', 'done', 'done', 'codeWrong']);
    const promised = await Promise.all(
      senders.map(({ id }) =>
        db.app.withCompany(
          id,
          async (tx) => (await sql`select level, network_fee, vsize from bitcoin_fee`.execute(tx)).rows,
        ),
      ),
    );
    expect(promised).toEqual([[expected[0]], [expected[1]], []]);
    expect(expected[0]).not.toEqual(expected[1]);
  });

  test('a code serves once, and a member’s wrong tries count in turn', async () => {
    const tenant = await tenantWith(9n * whole);
    const member = await world.member(tenant, 'administrator');
    const right = await prepare(tenant, {}, member);
    const code = String(right.body['code']);
    const wrong = (index: number) => {
      const guess = String((Number(code) + 1 + index) % 1_000_000).padStart(6, '0');
      const body = { ...right.body, id: newId(), code: guess };
      return { ...right, body, headers: { 'idempotency-key': newId() } };
    };
    const answers = await atOnce([...Array.from({ length: 12 }, (_, index) => wrong(index)), right]);
    expect(keysOf(answers)).toEqual([...Array(4).fill('codeWrong'), ...Array(9).fill('codeBurnt')]);
    expect(await countsOf(tenant)).toMatchObject({ transfers: 0 });
  });

  test('a balance that another transaction takes after it was read refuses that transfer, and the others go through', async () => {
    const [robbed, other] = [await tenantWith(whole), await tenantWith(whole)];
    const requests = [await prepare(robbed), await prepare(other)];
    // Within a transaction the list of activities stays as it was first seen.
    const [thief, watcher] = [new pg.Client(db.superuserUrl), new pg.Client(db.superuserUrl)];
    await Promise.all([thief.connect(), watcher.connect()]);
    await thief.query('set search_path = causeway');
    // Uncommitted: the submissions read the balance as it was, and wait for the row when they hold the amount.
    const take = async () => {
      await thief.query('begin');
      await thief.query(
        `update ledger_account set balance = 0 where company_id = $1 and owner_id = $2 and kind = 'available'`,
        [robbed.id, robbed.wallets.USDT],
      );
    };
    const waiting = async () => {
      const { rows } = await watcher.query<{ count: string }>(
        `select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%ledger_post_all%'`,
      );
      return Number(rows[0]?.count);
    };
    const answers = atOnce(requests, take);
    await vi.waitFor(async () => expect(await waiting()).toBeGreaterThan(0), { timeout: 20_000 });
    await thief.query('commit');
    const [ofRobbed, ofOther] = keysOf(await answers);
    // In a batch it is tried once more, alone, when the balance may be gone already.
    expect(['insufficientBalance', 'amountAboveBalanceMinusFee']).toContain(ofRobbed);
    expect(ofOther).toBe('done');
    await Promise.all([thief.end(), watcher.end()]);
    expect(await countsOf(robbed)).toMatchObject({ transfers: 0, flows: 0, kept: 0 });
    expect(await countsOf(other)).toMatchObject({ transfers: 1, held: whole });
  });

  test('a company whose lock is held by another transaction keeps no other company waiting', async () => {
    const [locked, other] = [await tenantWith(3n * whole), await tenantWith(whole)];
    const holder = new pg.Client(db.superuserUrl);
    await holder.connect();
    await holder.query('begin');
    await holder.query(`select pg_advisory_xact_lock(hashtextextended('risk ' || $1, 0))`, [locked.id]);
    const held = [await prepare(locked), await prepare(locked)].map((request) => world.ask(transferOut, request));
    // The lock is held until this one is answered.
    expect(keysOf([await world.ask(transferOut, await prepare(other))])).toEqual(['done']);
    expect(await countsOf(locked)).toMatchObject({ transfers: 0 });
    await holder.query('commit');
    expect(keysOf(await Promise.all(held))).toEqual(['done', 'done']);
    await holder.end();
  });

  test('where review is on, each opens its task, and its approvers get a notice', async () => {
    const [reviewed, plain] = [await tenantWith(3n * whole), await tenantWith(whole)];
    await world.member(reviewed, 'approver');
    await db.app.withCompany(reviewed.id, async (tx) => {
      await lockSettings(tx);
      const nodes = [{ needed: 1, people: [], roles: [systemRoleIds.approver] }];
      const rule = {
        id: newId(),
        version: 1,
        name: 'All',
        lowerCents: 0n,
        upperCents: null,
        submitters: null,
        active: true,
        nodes,
      };
      await writeRule(tx, rule, 1, { id: reviewed.admin.session.userId, name: 'Ada Wong' });
      await sql`update approval_setting set enabled = true where company_id = company_id()`.execute(tx);
    });
    const requests = [await prepare(reviewed), await prepare(plain), await prepare(reviewed)];
    const answers = await atOnce(requests);
    expect(answers.map(({ data }) => (data as { stage: string } | null)?.stage)).toEqual([
      'waiting_approval',
      'approved',
      'waiting_approval',
    ]);
    const tasks = async (tenant: Tenant) => {
      const { rows } = await db.app.withCompany(tenant.id, (tx) =>
        sql<{ tasks: number; notices: number }>`
          select (select count(*) from approval_task where status = 'pending') as tasks,
            (select count(*) from notice where kind = 'approvalWaiting') as notices`.execute(tx),
      );
      return rows[0];
    };
    expect(await tasks(reviewed)).toEqual({ tasks: 2, notices: 2 });
    expect(await tasks(plain)).toEqual({ tasks: 0, notices: 0 });
  });
});

test('a batch issues as many statements as a single submission', async () => {
  const world = await mainApp(db, undefined, { batches: { connections: 1, maxSize: 32 } });
  const issued: string[] = [];
  const query = pg.Client.prototype.query;
  const spy = vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (this: pg.Client, ...args: unknown[]) {
    const [config] = args as [string | { text: string }];
    issued.push(typeof config === 'string' ? config : config.text);
    return (query as (...given: unknown[]) => unknown).apply(this, args) as never;
  });
  const countOf = async (companies: number) => {
    const requests: Request[] = [];
    for (let one = 0; one < companies; one += 1) {
      const tenant = await world.company();
      await credit(db, tenant, 'USDT', whole);
      const content = {
        id: newId(),
        walletId: tenant.wallets.USDT,
        payeeId: await payee(world, tenant),
        amount: '5',
        attachmentIds: [],
        notes: '',
      };
      requests.push(await transferRequest(world, tenant, content));
    }
    issued.length = 0;
    const answers = await Promise.all(requests.map((request) => world.ask(transferOut, request)));
    expect(answers.map(({ status }) => status)).toEqual(requests.map(() => 200));
    return issued.filter((text) => !text.includes('identity_by_sessions')).length;
  };
  const single = await countOf(1);
  const batches = issued.filter((text) => text.startsWith('begin')).length;
  expect(batches).toBe(1);
  const many = await countOf(12);
  const sharing = issued.filter((text) => text.startsWith('begin')).length;
  // What comes in one turn travels together; whatever the number of batches, none issues more than a single submission.
  expect(many).toBeLessThanOrEqual(single * sharing);
  expect(sharing).toBeLessThan(12);
  spy.mockRestore();
  await world.close();
});
