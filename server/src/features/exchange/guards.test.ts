import { decideApprovals } from '@causeway/contract/approvals.ts';
import { exchange, quoteExchange } from '@causeway/contract/exchange.ts';
import { sendUserCode } from '@causeway/contract/identity.ts';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { beginRestoreMode, endRestoreMode } from '../../platform/database/restore-mode.ts';
import { newId } from '../../platform/ids.ts';
import { decision } from '../../testing/approval-requests.ts';
import { credit } from '../../testing/company.ts';
import { testDatabase } from '../../testing/database.ts';
import type { Answer } from '../../testing/envelope.ts';
import { intentOf, quotedExchange } from '../../testing/exchange-requests.ts';
import {
  asSuperuser,
  balancesOf,
  decide,
  moveExpiry,
  pendingTask,
  setPrice,
  transactionOf,
} from '../../testing/exchange-world.ts';
import { setLimit } from '../../testing/exchanges.ts';
import { type MainApp, type Member, mainApp, type Tenant } from '../../testing/main-app.ts';
import { riskSubject } from '../../testing/risk.ts';
import { succeed } from '../../testing/succeed.ts';
import { reviewOf } from '../../testing/transaction-requests.ts';
import { accountsByKind, verifyLedger } from '../ledger/index.ts';
import { assess } from '../risk/index.ts';
import { takeFromWallet } from '../wallets/index.ts';
import { expiredQuotesSweep } from './jobs.ts';

/** What stops an exchange between its quote and its execution, whatever was quoted before; and what it makes good. */

const tenthEth = 10n ** 17n;
const usdt = (whole: number) => BigInt(whole) * 1_000_000n;

let world: MainApp;
let superuser: pg.Client;
let tenant: Tenant;
let approver: Member;
beforeAll(async () => {
  world = await mainApp(await testDatabase());
  superuser = new pg.Client({ connectionString: world.db.superuserUrl });
  await superuser.connect();
});
beforeEach(async () => {
  tenant = await world.company();
  approver = await world.member(tenant, 'approver');
  await credit(world.db, tenant, 'USDT', usdt(2000));
  await setPrice(world.db, 'ETH', '2500');
});
afterAll(async () => {
  expect((await world.db.operator.withoutCompany((tx) => verifyLedger(tx))).mismatches).toEqual([]);
  await superuser.end();
  await world.close();
  await world.db.close();
});
afterEach(() => expect(world.complaints.splice(0)).toEqual([]));

const balances = (coin: keyof Tenant['wallets']) => balancesOf(world.db, tenant, coin);
/** 250 USDT for a tenth of an ether. */
const selling = (bound?: string) =>
  intentOf(tenant, 'USDT', 'ETH', { fixed: 'sell', amount: '250', ...(bound === undefined ? {} : { bound }) });
const quoted = (bound?: string) => quotedExchange(world, tenant.admin, selling(bound));
const refusalOf = ({ key, errors }: Answer) => [key, errors];

async function waitsForApproval(): Promise<string> {
  await reviewOf(world, tenant)(true);
  const { request } = await quoted('0.05');
  return (await succeed(world, exchange, request)).data.id;
}

describe('the limits of the platform’s position', () => {
  const limitReached = ['ETH: the platform’s limit is reached. Please enter a smaller amount or try again later.'];

  async function givesAtMost(minor: bigint): Promise<void> {
    const { rows } = await superuser.query("select causeway.exchange_exposure('ETH')::text as minor");
    await setLimit(world.db, 'ETH', { mostShort: String(minor - BigInt(rows[0].minor)) });
  }
  afterEach(() => setLimit(world.db, 'ETH', {}));

  test('hold for quotes that were made before the room was used', async () => {
    await givesAtMost(tenthEth);
    const [one, other] = [await quoted(), await quoted()];
    await succeed(world, exchange, one.request);
    expect(refusalOf(await world.ask(exchange, other.request))).toEqual(['quoteUnavailable', limitReached]);
    expect(await balances('ETH')).toMatchObject({ available: tenthEth });
  });

  test('hold for all that are submitted at once', async () => {
    await givesAtMost((tenthEth * 5n) / 2n);
    const requests = [];
    for (let index = 0; index < 5; index++) requests.push((await quoted()).request);
    const answers = await Promise.all(requests.map((request) => world.ask(exchange, request)));
    expect(answers.map(({ key }) => key).sort()).toEqual([
      null,
      null,
      'quoteUnavailable',
      'quoteUnavailable',
      'quoteUnavailable',
    ]);
  });
});

test('a quote does not outlive a disputed price', async () => {
  const { request } = await quoted();
  await setPrice(world.db, 'ETH', '2500', 'disagreeing');
  expect((await world.ask(exchange, request)).key).toBe('quoteUnavailable');
  await setPrice(world.db, 'ETH', '2500');
  await succeed(world, exchange, request);
});

test('a member has at most twenty open quotes: a further one ends the oldest', async () => {
  const body = { sellWalletId: tenant.wallets.USDT, buyWalletId: tenant.wallets.ETH, fixed: 'sell', amount: '250' };
  const first = await quoted();
  await succeed(world, exchange, (await quoted()).request);
  for (let index = 0; index < 20; index++) await succeed(world, quoteExchange, { as: tenant.admin, body });
  const { rows } = await world.db.app.withCompany(tenant.id, (tx) =>
    sql<{ open: number }>`select count(*) as open from exchange_quote
      where company_id = company_id() and used_by is null and expires_at > clock_timestamp()`.execute(tx),
  );
  expect(rows).toEqual([{ open: 20 }]);
  expect((await world.ask(exchange, first.request)).key).toBe('quoteNotFound');
});

test('in restore mode nothing is quoted, submitted or executed, and what waits goes on waiting', async () => {
  const id = await waitsForApproval();
  const { request } = await quoted();
  const approval = await decision(world, approver, [await pendingTask(world, approver)]);
  await world.db.operator.withoutCompany((tx) =>
    beginRestoreMode(tx, { cause: 'operator', reason: 'test', by: 'test' }),
  );
  const paused = ['quoteUnavailable', ['Exchanges are paused at the moment. Please try again later.']];
  const { codeMethod: _, code: __, quoteId: ___, id: ____, bound: _____, ...body } = request.body;
  expect(refusalOf(await world.ask(quoteExchange, { as: tenant.admin, body }))).toEqual(paused);
  expect(refusalOf(await world.ask(exchange, request))).toEqual(paused);
  expect(refusalOf(await world.ask(decideApprovals, approval))).toEqual(paused);
  expect(await transactionOf(world, tenant, id)).toMatchObject({ stage: 'waiting_approval' });
  await world.db.operator.withoutCompany((tx) => endRestoreMode(tx, { by: 'test', reason: 'test' }));
  await succeed(world, exchange, request);
  await succeed(world, decideApprovals, approval);
  expect(await transactionOf(world, tenant, id)).toMatchObject({ stage: 'completed' });
});

describe('what an operator does at this moment', () => {
  /** Until something waits for an advisory lock, or `done` is there without having waited. */
  async function waited(done: Promise<unknown>): Promise<void> {
    let isDone = false;
    void done.then(() => {
      isDone = true;
    });
    await expect
      .poll(
        async () => {
          const { rows } = await superuser.query(
            "select from pg_stat_activity where datname = current_database() and wait_event = 'advisory'",
          );
          return isDone ? 'went on' : rows.length > 0 ? 'waits' : 'nothing yet';
        },
        { interval: 20, timeout: 20_000 },
      )
      .not.toBe('nothing yet');
    expect(isDone).toBe(false);
  }

  /** Runs `work` while a transaction holds an advisory lock and has written something, and commits once it waits. */
  async function under<T>(
    lock: string,
    write: string,
    work: () => Promise<T>,
    look: (client: pg.Client) => Promise<unknown> = async () => undefined,
  ): Promise<T> {
    const client = new pg.Client({ connectionString: world.db.superuserUrl });
    await client.connect();
    try {
      await client.query('begin; set local search_path = causeway');
      await client.query(`select pg_advisory_xact_lock(${lock})`);
      await client.query(write);
      const done = work();
      await waited(done);
      await look(client);
      await client.query('commit');
      return await done;
    } finally {
      await client.end();
    }
  }

  const freezing = () =>
    [
      `freeze_lock('${tenant.id}')`,
      `update wallet set frozen_at = now(), frozen_reason = 'operator' where id = '${tenant.wallets.ETH}'`,
    ] as const;

  test('a freeze that has begun is seen by what is submitted', async () => {
    const { request } = await quoted();
    expect((await under(...freezing(), () => world.ask(exchange, request))).key).toBe('walletFrozen');
    expect(await balances('USDT')).toMatchObject({ available: usdt(2000) });
  });

  test('a freeze that has begun is seen by the last approval', async () => {
    const id = await waitsForApproval();
    await under(...freezing(), () => decide(world, approver));
    expect(await transactionOf(world, tenant, id)).toMatchObject({
      stage: 'refused',
      failureReason: 'One of the two wallets could not be exchanged at approval',
    });
  });

  // Less than after which the database looks for deadlocks, of which it would end one side.
  test('a freeze of the approver who decides at this moment is no deadlock', async () => {
    await waitsForApproval();
    const approval = await decision(world, approver, [await pendingTask(world, approver)]);
    const freeze = `update member set frozen_at = now(), disabled_at = now() where id = '${approver.session.userId}'`;
    await under(
      `freeze_lock('${tenant.id}')`,
      'select',
      () => world.ask(decideApprovals, approval),
      (client) => client.query(`set local lock_timeout = '300ms'; ${freeze}`),
    );
  });

  test('a switch-off that has begun is seen by what is submitted', async () => {
    const { request } = await quoted();
    const off = "update chain_asset set deposits_paused = true where coin = 'ETH'";
    const { key } = await under("switch_lock('chain:ethereum')", off, () => world.ask(exchange, request));
    await asSuperuser(world.db, "update causeway.chain_asset set deposits_paused = false where coin = 'ETH'");
    expect(key).toBe('exchangePairOff');
  });

  test('the last approval waits for the risk of its company before it locks a balance', async () => {
    const id = await waitsForApproval();
    const risk = `hashtextextended('risk ${tenant.id}', 0)`;
    await under(
      risk,
      'select',
      () => decide(world, approver),
      (client) => client.query(`select from ledger_account where company_id = '${tenant.id}' for update nowait`),
    );
    expect(await transactionOf(world, tenant, id)).toMatchObject({ stage: 'completed' });
  });
});

test('the worker removes what expired unused, and changes no quote', async () => {
  const { quote } = await quoted();
  const kept = await quoted();
  await moveExpiry(world.db, quote.id, '-25 hours');
  expect(await expiredQuotesSweep.run(world.db.worker)).toBe(1);
  const write = world.db.worker.withCompany(tenant.id, (tx) =>
    sql`update exchange_quote set used_at = now() where company_id = company_id() and id = ${kept.quote.id}`.execute(
      tx,
    ),
  );
  await expect(write).rejects.toThrow('row-level security');
  await succeed(world, exchange, kept.request);
});

describe('what is missing of a wallet', () => {
  /** A deposit of twice as much is taken back when half of it is under way already; the wallet is thawed. */
  async function missing(minor: bigint): Promise<void> {
    await credit(world.db, tenant, 'ETH', minor);
    await credit(world.db, tenant, 'ETH', minor, 'outbound');
    await world.db.worker.withCompany(tenant.id, async (tx) => {
      const { chain } = await accountsByKind(tx, tenant.wallets.ETH, ['chain']);
      const posting = { kind: 'deposit.reversed', sourceId: newId(), description: 'test' };
      await takeFromWallet(tx, tenant.wallets.ETH, minor * 2n, posting, [
        { accountId: chain.id, amountMinor: minor * 2n },
      ]);
    });
    await asSuperuser(world.db, 'update causeway.wallet set frozen_at = null, frozen_reason = null where id = $1', [
      tenant.wallets.ETH,
    ]);
  }
  const deficit = () =>
    world.db.app.withCompany(tenant.id, async (tx) => {
      const accounts = await accountsByKind(tx, tenant.wallets.ETH, ['deficit']);
      return accounts.deficit.balanceMinor;
    });

  test('is made good by what is bought, of several at once each what is still missing', async () => {
    const requests = [(await quoted()).request, (await quoted()).request];
    await missing((tenthEth * 3n) / 2n);
    await Promise.all(requests.map((request) => succeed(world, exchange, request)));
    expect(await deficit()).toBe(0n);
    expect(await balances('ETH')).toMatchObject({ available: tenthEth / 2n });
  });

  test('is made good by what is bought at the last approval', async () => {
    await waitsForApproval();
    await missing(tenthEth / 2n);
    expect((await decide(world, approver)).status).toBe(200);
    expect(await deficit()).toBe(0n);
    expect(await balances('ETH')).toMatchObject({ available: tenthEth / 2n });
  });
});

test('a bound of nothing is refused at its field', async () => {
  const { request } = await quoted();
  const { codeMethod: _, code: __, quoteId: ___, ...content } = request.body;
  const subject = { kind: 'exchange', content: { ...content, bound: '0' } };
  const asked = await world.ask(sendUserCode, { as: tenant.admin, body: { scenario: 'transaction', subject } });
  expect(asked.key).toBe('exchangeTooSmall');
  const answer = await world.ask(exchange, { ...request, body: { ...request.body, bound: '0' } });
  expect(answer).toMatchObject({ status: 400, key: 'exchangeTooSmall', fields: { bound: expect.any(String) } });
});

test('the operator’s limit on a day is one for transfers and exchanges', async () => {
  await limit('daily_limit', 600_000_000n);
  await world.db.app.withCompany(tenant.id, (tx) => assess(tx, riskSubject({ usd: 300, coin: 'USDT' }), 'submission'));
  const requests = [(await quoted()).request, (await quoted()).request];
  const answers = await Promise.all(requests.map((request) => world.ask(exchange, request)));
  expect(answers.map(({ key }) => key).sort()).toEqual(['amountAboveDailyLimit', null].sort());
  expect(answers.find(({ key }) => key !== null)?.errors).toEqual([expect.stringContaining('50.00')]);
});

/** The operator's limit of the company's USDT from now on, in minor units. */
function limit(kind: 'transfer_limit' | 'daily_limit', minor: bigint): Promise<void> {
  return asSuperuser(
    world.db,
    `insert into causeway.operator_price (id, company_id, kind, asset_id, value, valid_from, set_by)
      values ($1, $2, $3, 'USDT', $4, now(), 'test')`,
    [newId(), tenant.id, kind, String(minor)],
  );
}

test('the operator’s limit holds for what is sold at the last approval', async () => {
  await reviewOf(world, tenant)(true);
  const intent = intentOf(tenant, 'USDT', 'ETH', { fixed: 'buy', amount: '0.1', bound: '260' });
  const { request } = await quotedExchange(world, tenant.admin, intent);
  const { id } = (await succeed(world, exchange, request)).data;
  await limit('transfer_limit', 251_000_000n);
  await setPrice(world.db, 'ETH', '2520');
  expect((await decide(world, approver)).status).toBe(200);
  expect(await transactionOf(world, tenant, id)).toMatchObject({
    stage: 'refused',
    failureReason: 'The amount at approval was above the operator’s limit',
  });
  expect(await balances('USDT')).toMatchObject({ available: usdt(2000), outbound: 0n });
});
