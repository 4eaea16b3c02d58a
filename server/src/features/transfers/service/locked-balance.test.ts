import type { Socket } from 'node:net';
import { transferOut } from '@causeway/contract/transfers.ts';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { credit } from '../../../testing/company.ts';
import { walletBalances } from '../../../testing/company-books.ts';
import { type TestDatabase, testDatabase } from '../../../testing/database.ts';
import type { Answer } from '../../../testing/envelope.ts';
import { type MainApp, mainApp, type Request, type Tenant } from '../../../testing/main-app.ts';
import { present } from '../../../testing/present.ts';
import { succeed, transferContent, transferRequest } from '../../../testing/valid-requests.ts';

/** A submission that has read a balance, or that its id is free, and waits for what another transaction has locked or written. */

let db: TestDatabase;
let world: MainApp;
beforeAll(async () => {
  db = await testDatabase();
  world = await mainApp(db, undefined, { batches: { connections: 1, maxSize: 1 } });
});
afterAll(async () => {
  await world.close();
  await db.close();
});

type Then = (other: pg.Client, waiting: number) => Promise<unknown>;

/** The balance is taken by the other transaction. */
const behind = ({ id, wallets }: Tenant, request: Request, then: Then) =>
  behindStatement(
    'ledger_post_all',
    `update causeway.ledger_account set balance = 0
      where company_id = '${id}' and owner_id = '${wallets.USDT}' and kind = 'available'`,
    request,
    then,
  );

/** `then` runs in the other transaction, which has done `first`, once the submission waits for it in its own `statement`, and ends it. */
async function behindStatement(
  statement: string,
  first: string,
  request: Request,
  then: Then,
): Promise<Answer<unknown>> {
  const [other, watcher] = [new pg.Client(db.superuserUrl), new pg.Client(db.superuserUrl)];
  await Promise.all([other.connect(), watcher.connect()]);
  await other.query(`begin; ${first}`);
  const asked = world.ask(transferOut, request);
  const waiting = async () => {
    const { rows } = await watcher.query<{ pid: number }>(
      `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like $1`,
      [`%${statement}%`],
    );
    return rows[0]?.pid ?? 0;
  };
  await expect.poll(waiting, { timeout: 20_000 }).toBeGreaterThan(0);
  await then(other, await waiting());
  const answer = await asked;
  await Promise.all([other.end(), watcher.end()]);
  return answer;
}

async function prepared(): Promise<[Tenant, Request]> {
  const tenant = await world.company();
  await credit(db, tenant, 'USDT', 100_000_000n);
  return [tenant, await transferRequest(world, tenant, await transferContent(world, tenant))];
}

test('is refused where the balance is gone by then, with the reason on the amount', async () => {
  const [tenant, request] = await prepared();
  const answer = await behind(tenant, request, (other) => other.query('commit'));
  expect(answer).toMatchObject({ key: 'insufficientBalance', fields: { amount: 'Insufficient Balance' } });
  expect(world.complaints.splice(0)).toEqual([]);
});

test('that fails for another reason is not said to lack money, and goes through when it is sent again', async () => {
  const [tenant, request] = await prepared();
  const answer = await behind(tenant, request, async (other, waiting) => {
    await other.query('select pg_cancel_backend($1)', [waiting]);
    await other.query('rollback');
  });
  expect(answer).toMatchObject({ status: 500, key: 'unexpected' });
  expect(world.complaints.splice(0)).not.toEqual([]);
  expect(await walletBalances(db, tenant.id, tenant.wallets.USDT)).not.toHaveProperty('outbound');
  await succeed(world, transferOut, request);
});

test('the whole balance can be paid, fee and all, and nothing after it', async () => {
  const tenant = await world.company();
  await credit(db, tenant, 'USDT', 6_000_000n);
  const [first, second] = [
    await transferRequest(world, tenant, await transferContent(world, tenant)),
    await transferRequest(world, tenant, await transferContent(world, tenant)),
  ];
  await succeed(world, transferOut, first);
  expect((await world.ask(transferOut, second)).key).toBe('amountAboveBalanceMinusFee');
  expect(await walletBalances(db, tenant.id, tenant.wallets.USDT)).toMatchObject({ outbound: 6_000_000n });
});

describe('whose id another transaction takes after it was read', () => {
  /** One transfer was made; the other transaction gives its row the id of the next. */
  async function takingId(then: Then): Promise<[Answer<unknown>, Request]> {
    const [tenant, made] = await prepared();
    await succeed(world, transferOut, made);
    const request = await transferRequest(world, tenant, await transferContent(world, tenant));
    const [from, to] = [made, request].map(({ body }) => (body as { id: string }).id);
    const take = `set local session_replication_role = replica; update causeway.transaction set id = '${to}' where id = '${from}'`;
    return [await behindStatement('insert into transaction ', take, request, then), request];
  }

  test('is refused as one that was submitted before', async () => {
    const [answer] = await takingId((other) => other.query('commit'));
    expect(answer).toMatchObject({ status: 409, key: 'idTaken' });
    expect(world.complaints.splice(0)).toEqual([]);
  });

  test('and that fails for another reason is not said to be taken', async () => {
    const [answer, request] = await takingId(async (other, waiting) => {
      await other.query('select pg_cancel_backend($1)', [waiting]);
      await other.query('rollback');
    });
    expect(answer).toMatchObject({ status: 500, key: 'unexpected' });
    expect(world.complaints.splice(0)).not.toEqual([]);
    await succeed(world, transferOut, request);
  });

  test('and whose connection is lost is answered as an outage, and goes through when it is sent again', async () => {
    const sent: pg.Client[] = [];
    const { query } = pg.Client.prototype;
    const spy = vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (
      this: pg.Client,
      ...args: unknown[]
    ) {
      const [config] = args as [string | { text: string }];
      if (typeof config !== 'string' && config.text.includes('insert into transaction ')) sent.push(this);
      return (query as (...given: unknown[]) => unknown).apply(this, args) as never;
    });
    const [answer, request] = await takingId(async (other, waiting) => {
      const { connection } = present(sent[0]) as pg.Client & { connection: { stream: Socket } };
      connection.stream.destroy();
      await other.query('select pg_terminate_backend($1)', [waiting]);
      await other.query('rollback');
    }).finally(() => spy.mockRestore());
    expect(answer).toMatchObject({ status: 503, key: 'unavailable' });
    world.complaints.splice(0);
    await succeed(world, transferOut, request);
  });
});
