import { transferOut } from '@causeway/contract/transfers.ts';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { credit } from '../../../testing/company.ts';
import { walletBalances } from '../../../testing/company-books.ts';
import { type TestDatabase, testDatabase } from '../../../testing/database.ts';
import type { Answer } from '../../../testing/envelope.ts';
import { type MainApp, mainApp, type Request, type Tenant } from '../../../testing/main-app.ts';
import { succeed, transferContent, transferRequest } from '../../../testing/valid-requests.ts';

/** A submission that has read a balance and waits for its row, which another transaction has locked. */

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

/** `then` runs in the other transaction once the submission waits for it, and ends it. */
async function behind(
  { id, wallets }: Tenant,
  request: Request,
  then: (other: pg.Client, waiting: number) => Promise<unknown>,
): Promise<Answer<unknown>> {
  const [other, watcher] = [new pg.Client(db.superuserUrl), new pg.Client(db.superuserUrl)];
  await Promise.all([other.connect(), watcher.connect()]);
  await other.query('begin');
  await other.query(
    `update causeway.ledger_account set balance = 0 where company_id = $1 and owner_id = $2 and kind = 'available'`,
    [id, wallets.USDT],
  );
  const asked = world.ask(transferOut, request);
  const waiting = async () => {
    const { rows } = await watcher.query<{ pid: number }>(
      `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%ledger_post_all%'`,
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
