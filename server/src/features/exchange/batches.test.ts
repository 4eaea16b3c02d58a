import type { Output } from '@causeway/contract/call.ts';
import { exchange } from '@causeway/contract/exchange.ts';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { newId } from '../../platform/ids.ts';
import { registry } from '../../platform/process/metrics.ts';
import { credit } from '../../testing/company.ts';
import { type TestDatabase, testDatabase } from '../../testing/database.ts';
import type { Answer } from '../../testing/envelope.ts';
import { intentOf, quotedExchange } from '../../testing/exchange-requests.ts';
import { setPrice } from '../../testing/exchange-world.ts';
import { setLimit } from '../../testing/exchanges.ts';
import { type MainApp, mainApp, type Request, type Tenant } from '../../testing/main-app.ts';
import { present } from '../../testing/present.ts';
import { reviewOf } from '../../testing/transaction-requests.ts';

/** Exchanges that share a transaction are decided one after another: what one takes, the next lacks. */

const tenthEth = 10n ** 17n;

let db: TestDatabase;
let world: MainApp;
let superuser: pg.Client;
/** What a batch waits for before it begins its transaction. */
let gate = Promise.resolve();
beforeAll(async () => {
  db = await testDatabase();
  const withCompanies: typeof db.app.withCompanies = async (...args) => {
    await gate;
    return db.app.withCompanies(...args);
  };
  world = await mainApp({ ...db, app: { ...db.app, withCompanies } }, undefined, {
    batches: { connections: 1, maxSize: 32 },
  });
  superuser = new pg.Client({ connectionString: db.superuserUrl });
  await superuser.connect();
});
beforeEach(() => setPrice(db, 'ETH', '2500'));
afterAll(async () => {
  expect(world.complaints).toEqual([]);
  await superuser.end();
  await world.close();
  await db.close();
});

async function rich(): Promise<Tenant> {
  const tenant = await world.company();
  await world.member(tenant, 'approver');
  await credit(db, tenant, 'USDT', 2_000_000_000n);
  return tenant;
}

/** 250 USDT for a tenth of an ether. */
const quoted = (tenant: Tenant) =>
  quotedExchange(world, tenant.admin, intentOf(tenant, 'USDT', 'ETH', { fixed: 'sell', amount: '250' }));

async function underWay(): Promise<number> {
  const found = await registry.getSingleMetric('causeway_batch_requests_under_way')?.get();
  return found?.values.find(({ labels }) => labels['call'] === 'exchange')?.value ?? 0;
}

type Done = Output<typeof exchange>;

/** Lets requests travel together, in their order: the first of them goes before, and is held up until all wait. */
async function together([first, ...others]: Request[]): Promise<Answer<Done>[]> {
  const { promise, resolve } = Promise.withResolvers<void>();
  gate = promise;
  const answers: Promise<Answer<Done>>[] = [];
  for (const request of first ? [first, ...others] : []) {
    answers.push(world.ask(exchange, request));
    await expect.poll(underWay, { timeout: 20_000, interval: 5 }).toBe(answers.length);
  }
  resolve();
  return Promise.all(answers);
}

test('the position’s room is for what is exchanged at once, to the last of it, and a quote is used once', async () => {
  const [reviewed, plain] = [await rich(), await rich()];
  await reviewOf(world, reviewed)(true);
  const { rows } = await superuser.query("select causeway.exchange_exposure('ETH')::text as minor");
  await setLimit(db, 'ETH', { mostShort: String(2n * tenthEth - BigInt(rows[0].minor)) });
  const waiting = [await quoted(reviewed), await quoted(reviewed)];
  const [one, other, last] = [await quoted(plain), await quoted(plain), await quoted(plain)];
  const again = await quoted(plain);
  const used = { ...again.request, body: { ...again.request.body, quoteId: one.quote.id } };
  const answers = await together([
    ...waiting.map(({ request }) => request),
    one.request,
    used,
    other.request,
    last.request,
  ]);
  expect(answers.map((answer) => answer.key ?? answer.data.stage)).toEqual([
    'waiting_approval',
    'waiting_approval',
    'completed',
    'quoteUsed',
    'completed',
    'quoteUnavailable',
  ]);
  await setLimit(db, 'ETH', {});
  // What was refused has used up neither its code nor its quote.
  expect((await world.ask(exchange, { ...last.request, headers: { 'idempotency-key': newId() } })).key).toBeNull();
});

test('both rows of an exchange point to each other, and open pages learn of both; one that waits is found by what it says', async () => {
  const [reviewed, plain] = [await rich(), await rich()];
  await reviewOf(world, reviewed)(true);
  const [waiting, done] = await together([(await quoted(reviewed)).request, (await quoted(plain)).request]);
  const [id, boughtId] = [present(done).data.id, present(present(done).data.boughtId)];
  const { rows } = await superuser.query(
    `select id, related_id, exists (select from causeway.outbox where name = 'live' and payload ->> 'id' = t.id::text) as shown
     from causeway.transaction t where company_id = $1 order by id = $2 desc`,
    [plain.id, id],
  );
  expect(rows).toEqual([
    { id, related_id: boughtId, shown: true },
    { id: boughtId, related_id: id, shown: true },
  ]);
  const tasks = await superuser.query('select search from causeway.approval_task where subject_id = $1', [
    present(waiting).data.id,
  ]);
  const words = ['', 'ETH', reviewed.admin.session.userName, 'All'];
  expect(tasks.rows).toEqual([{ search: words.join('\n').toLowerCase() }]);
});

test('what is exchanged at once needs what it costs; what waits needs the most that may leave', async () => {
  const tenant = await rich();
  const buying = async () =>
    world.ask(
      exchange,
      (
        await quotedExchange(
          world,
          tenant.admin,
          intentOf(tenant, 'USDT', 'ETH', { fixed: 'buy', amount: '0.1', bound: '1750.01' }),
        )
      ).request,
    );
  expect((await buying()).data.stage).toBe('completed');
  await reviewOf(world, tenant)(true);
  expect(await buying()).toMatchObject({ key: 'insufficientBalance', fields: { amount: expect.any(String) } });
});
