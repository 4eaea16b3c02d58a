import { exchange, quoteExchange } from '@causeway/contract/exchange.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { credit } from '../../testing/company.ts';
import { walletBalances } from '../../testing/company-books.ts';
import { testDatabase } from '../../testing/database.ts';
import { intentOf, quotedExchange } from '../../testing/exchange-requests.ts';
import { setPrice } from '../../testing/exchange-world.ts';
import { type MainApp, mainApp, type Tenant } from '../../testing/main-app.ts';
import { succeed } from '../../testing/succeed.ts';
import { reviewOf } from '../../testing/transaction-requests.ts';

/** Where the bought amount is fixed: at once the quoted price leaves, and while it waits for approval the most that may leave is held. */

let world: MainApp;
let tenant: Tenant;
beforeAll(async () => {
  world = await mainApp(await testDatabase());
});
afterAll(async () => {
  expect(world.complaints).toEqual([]);
  await world.close();
  await world.db.close();
});
beforeEach(async () => {
  await setPrice(world.db, 'ETH', '2500');
  tenant = await world.company();
});

const more = 10_000_000n;
const minorOf = (amount: string) => BigInt(amount.replace('.', ''));
const say = (minor: bigint) => `${minor / 1_000_000n}.${String(minor % 1_000_000n).padStart(6, '0')}`;

/** A tenth of an ether, for which up to 10 USDT more than quoted may leave. */
async function asked() {
  const { wallets, admin } = tenant;
  const intent = { sellWalletId: wallets.USDT, buyWalletId: wallets.ETH, fixed: 'buy', amount: '0.1' } as const;
  const { data } = await succeed(world, quoteExchange, { as: admin, body: intent });
  const totalMinor = minorOf(data.sell.total);
  const bound = say(totalMinor + more);
  const { request } = await quotedExchange(
    world,
    admin,
    intentOf(tenant, 'USDT', 'ETH', { fixed: 'buy', amount: '0.1', bound }),
  );
  return { totalMinor, request };
}

test('without review the price is enough, and all of it leaves', async () => {
  const { totalMinor, request } = await asked();
  await credit(world.db, tenant, 'USDT', totalMinor);
  expect((await succeed(world, exchange, request)).data.stage).toBe('completed');
  expect(await walletBalances(world.db, tenant.id, tenant.wallets.USDT)).not.toHaveProperty('available');
});

test('with review the most that may leave is needed, and held', async () => {
  await world.member(tenant, 'approver');
  await reviewOf(world, tenant)(true);
  const { totalMinor, request } = await asked();
  await credit(world.db, tenant, 'USDT', totalMinor + more - 1n);
  expect(await world.ask(exchange, request)).toMatchObject({ status: 409, key: 'insufficientBalance' });
  await credit(world.db, tenant, 'USDT', 1n);
  expect((await succeed(world, exchange, request)).data.stage).toBe('waiting_approval');
  expect(await walletBalances(world.db, tenant.id, tenant.wallets.USDT)).toMatchObject({ outbound: totalMinor + more });
});

test('an order that waits for its rate is announced as submitted', async () => {
  await credit(world.db, tenant, 'USDT', 1_000_000_000n);
  const limit = { rate: '0.0005', until: new Date(Date.now() + 86_400_000).toISOString() };
  const intent = intentOf(tenant, 'USDT', 'ETH', { fixed: 'sell', amount: '250', bound: '0.125', limit });
  const { request } = await quotedExchange(world, tenant.admin, intent);
  const { data } = await succeed(world, exchange, request);
  expect(data.stage).toBe('waiting_rate');
  const { rows } = await world.db.operator.withoutCompany((tx) =>
    sql<{ payload: unknown }>`
      select payload from outbox where company_id = ${tenant.id} and name = 'transaction.submitted'`.execute(tx),
  );
  expect(rows).toEqual([{ payload: { transactionId: data.id } }]);
});
