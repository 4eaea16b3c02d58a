import { webhookRetrySeconds } from '@causeway/contract/webhooks-rules.ts';
import { sql } from 'kysely';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { type TestDatabase, testDatabase } from '../../testing/database.ts';
import { eachDeath, mortalDatabase } from '../../testing/dying.ts';
import { insertTestTransaction } from '../../testing/transactions.ts';
import {
  accepted,
  deliverAll,
  keeping,
  refused,
  type WebhookWorld,
  webhookKeys,
  webhookWorld,
} from '../../testing/webhook-world.ts';
import type { Outcome, Posting } from './adapters/posting.ts';
import { mostPerEndpoint } from './domain.ts';
import { newSecret, sealSecret } from './secrets.ts';
import { deliverDue } from './service/delivering.ts';
import { leaseMs, restartFailed } from './store/deliveries.ts';
import { findCompaniesListening } from './store/endpoints.ts';
import { endCurrent, insertSecret } from './store/secrets.ts';

let db: TestDatabase;
let world: WebhookWorld;
beforeAll(async () => {
  db = await testDatabase();
});
afterAll(() => db.close());
beforeEach(async () => {
  world = await webhookWorld(db);
});

test('an event is made once, for the endpoints that chose its type, and says what the books need', async () => {
  const all = await world.open();
  const some = await world.open({ events: ['deposit.detected'] });
  const other = await world.another();
  const id = await world.deposit();
  await world.note(id);
  await other.deposit();
  expect(await world.deliveries()).toMatchObject([{ endpointId: all.id, state: 'waiting', attempts: 0 }]);
  expect(await other.deliveries()).toEqual([]);
  expect(
    await db.worker.withoutCompany((tx) => findCompaniesListening(tx, [world.company.id, other.company.id])),
  ).toEqual(new Set([world.company.id]));

  const sent: Posting[] = [];
  await deliverAll(world.worker(keeping(sent, accepted)));
  expect(sent).toHaveLength(1);
  const [{ url, headers, body } = { url: '', headers: {}, body: '' }] = sent;
  expect(url).toBe(all.url);
  const verified = new Webhook(all.secret).verify(body, { ...headers });
  expect(verified).toMatchObject({
    type: 'deposit.credited',
    data: {
      transactionId: id,
      status: 'completed',
      asset: 'USDT',
      amount: '5.000000',
      fee: '0.000000',
      chain: 'ethereum',
      payer: { account: '0xfeed' },
      blockNumber: 7,
    },
  });
  expect(JSON.stringify(verified)).not.toContain(other.company.id);
  expect(() => new Webhook(some.secret).verify(body, { ...headers })).toThrow();
  expect(await world.deliveries()).toMatchObject([{ state: 'delivered', attempts: 1, dueInMs: null }]);
});

test('what happened before an endpoint was there, or while it was off, is not delivered', async () => {
  await world.deposit();
  const endpoint = await world.open();
  const earlier = await insertTestTransaction(db, world.company, {
    createdAt: new Date(Date.now() - 60_000).toISOString(),
  });
  await world.note(earlier);
  expect(await world.deliveries()).toEqual([]);
  const reached = await world.deposit();
  const later = await world.open();
  // What announces an event may come again, and after another endpoint was made.
  await world.note(reached);
  expect((await world.deliveries()).map(({ endpointId }) => endpointId)).toEqual([endpoint.id]);
  await world.switchOff(later);
  await world.switchOff(endpoint);
  await world.deposit();
  expect(await world.deliveries()).toHaveLength(1);
});

test('what is refused is sent again after each pause, with the same id and body, and has failed after the last', async () => {
  const endpoint = await world.open();
  await world.deposit();
  const sent: Posting[] = [];
  const deps = world.worker(keeping(sent, refused));
  for (const seconds of webhookRetrySeconds) {
    expect(await deliverDue(deps)).toBe(1);
    expect(await deliverDue(deps)).toBe(0);
    expect((await world.deliveries())[0]).toMatchObject({
      state: 'waiting',
      dueInMs: seconds * 1000,
      problem: 'status',
    });
    world.nowMs += seconds * 1000 - 1;
    expect(await deliverDue(deps)).toBe(0);
    world.nowMs += 1;
    // Longer than an endpoint that fails is left alone.
    await db.worker.withCompany(world.company.id, (tx) =>
      sql`update webhook_endpoint set paused_until = null where company_id = company_id() and id = ${endpoint.id}`.execute(
        tx,
      ),
    );
  }
  expect(await deliverDue(deps)).toBe(1);
  expect((await world.deliveries())[0]).toMatchObject({
    state: 'failed',
    attempts: webhookRetrySeconds.length + 1,
    dueInMs: null,
  });
  expect(new Set(sent.map(({ headers, body }) => `${headers['webhook-id']} ${body}`)).size).toBe(1);
  const { rows } = await db.app.withCompany(world.company.id, (tx) =>
    sql`select number, status, answer, headers ? 'webhook-signature' as signed from webhook_attempt where company_id = company_id() order by number`.execute(
      tx,
    ),
  );
  expect(rows).toHaveLength(webhookRetrySeconds.length + 1);
  expect(rows[0]).toEqual({ number: 1, status: 500, answer: 'out of order', signed: false });

  // Resent, it begins again with the same id.
  expect(
    await db.app.withCompany(world.company.id, (tx) => restartFailed(tx, endpoint.id, new Date(0), world.clock.now())),
  ).toBe(1);
  world.nowMs += 300_000;
  await deliverAll(world.worker(keeping(sent, accepted)));
  expect(sent.at(-1)?.headers['webhook-id']).toBe(sent[0]?.headers['webhook-id']);
  expect((await world.deliveries())[0]).toMatchObject({ state: 'delivered' });
});

test('two workers deliver each once, a few of an endpoint at a time', async () => {
  const endpoint = await world.open();
  await world.deposit(30);
  const sent: string[] = [];
  let underWay = 0;
  let most = 0;
  const post = async ({ headers, url }: Posting) => {
    if (url === endpoint.url) sent.push(headers['webhook-id'] ?? '');
    underWay += 1;
    most = Math.max(most, underWay);
    await new Promise((resolve) => setImmediate(resolve));
    underWay -= 1;
    return accepted;
  };
  const both = [world.worker(post), world.worker(post)];
  await vi.waitFor(
    async () => {
      await Promise.all(both.map((each) => deliverDue(each)));
      expect((await world.deliveries()).every(({ state }) => state === 'delivered')).toBe(true);
    },
    { timeout: 30_000, interval: 1 },
  );
  expect(sent).toHaveLength(30);
  expect(new Set(sent).size).toBe(30);
  expect(most).toBeLessThanOrEqual(mostPerEndpoint);
});

test('a worker that is killed leaves its delivery to another, once its lease has run out', async () => {
  await world.open();
  await world.deposit();
  const sent: string[] = [];
  let killed: () => void = () => undefined;
  const hanging = deliverDue(
    world.worker(({ headers }) => {
      sent.push(headers['webhook-id'] ?? '');
      return new Promise((resolve) => {
        killed = () => resolve(refused);
      });
    }),
  );
  await vi.waitFor(() => expect(sent).toHaveLength(1), { timeout: 20_000 });
  const other = world.worker(async ({ headers }) => {
    sent.push(headers['webhook-id'] ?? '');
    return accepted;
  });
  world.nowMs += leaseMs - 1;
  expect(await deliverDue(other)).toBe(0);
  world.nowMs += 1;
  expect(await deliverDue(other)).toBe(1);
  expect(new Set(sent).size).toBe(1);
  expect(await world.deliveries()).toMatchObject([{ state: 'delivered', attempts: 1 }]);
  // It was not dead, and comes back late with a failure: that is written down and changes nothing.
  killed();
  await hanging;
  expect(await world.deliveries()).toMatchObject([{ state: 'delivered', attempts: 2, problem: null }]);
});

test('a late failure leaves alone what another worker has under way; a late acceptance counts', async () => {
  for (const late of [refused, accepted]) {
    const endpoint = await world.open();
    await world.deposit();
    const answers: ((outcome: Outcome) => void)[] = [];
    const hanging = world.worker(
      ({ url }) =>
        new Promise((resolve) => {
          if (url === endpoint.url) answers.push(resolve);
          else resolve(accepted);
        }),
    );
    const first = deliverDue(hanging);
    await vi.waitFor(() => expect(answers).toHaveLength(1), { timeout: 20_000 });
    world.nowMs += leaseMs;
    const second = deliverDue(hanging);
    await vi.waitFor(() => expect(answers).toHaveLength(2), { timeout: 20_000 });
    const own = async () => (await world.deliveries()).filter(({ endpointId }) => endpointId === endpoint.id);
    const before = await own();
    answers[0]?.(late);
    await first;
    const isAccepted = late === accepted;
    expect(await own()).toMatchObject([
      isAccepted ? { state: 'delivered', dueInMs: null } : { state: 'waiting', dueInMs: before[0]?.dueInMs },
    ]);
    answers[1]?.(accepted);
    await second;
    expect(await own()).toMatchObject([{ state: 'delivered', attempts: 2 }]);
    await world.switchOff(endpoint);
  }
});

test('whenever a worker dies, it is delivered at least once, with one id, and ends as delivered', async () => {
  const mortal = mortalDatabase(db.worker);
  const deaths = await eachDeath(async (transactions, moment) => {
    const endpoint = await world.open();
    await world.deposit();
    const sent: string[] = [];
    const post = async ({ headers, url }: Posting) => {
      if (url === endpoint.url) sent.push(headers['webhook-id'] ?? '');
      return accepted;
    };
    const life = mortal.doom(transactions, moment);
    await deliverDue(world.worker(post, mortal)).catch(() => undefined);
    const { isOver } = life;
    mortal.revive();
    world.nowMs += leaseMs;
    await deliverAll(world.worker(post));
    const own = (await world.deliveries()).filter(({ endpointId }) => endpointId === endpoint.id);
    expect(own).toMatchObject([{ state: 'delivered' }]);
    expect(sent.length).toBeGreaterThanOrEqual(1);
    expect(new Set(sent).size).toBe(1);
    await world.switchOff(endpoint);
    return isOver;
  });
  // Claiming, reading, writing down: before the commit and after it.
  expect(deaths).toBe(6);
});

test('while both secrets are valid a delivery is signed with both, afterwards with the new one', async () => {
  const endpoint = await world.open();
  const next = newSecret();
  await db.app.withCompany(world.company.id, async (tx) => {
    await endCurrent(tx, endpoint.id, new Date(world.nowMs + 3_600_000));
    await insertSecret(tx, endpoint.id, sealSecret(webhookKeys, next, endpoint.id));
  });
  const sent: Posting[] = [];
  const deps = world.worker(keeping(sent, accepted));
  await world.deposit();
  await deliverAll(deps);
  // By the receivers' own clocks, which are real.
  for (const secret of [next, endpoint.secret]) {
    expect(new Webhook(secret).verify(sent[0]?.body ?? '', { ...sent[0]?.headers })).toMatchObject({
      type: 'deposit.credited',
    });
  }
  world.nowMs += 3_600_000;
  await world.deposit();
  await deliverAll(deps);
  expect(sent[1]?.headers['webhook-signature']?.split(' ')).toHaveLength(1);
  const { headers = {}, body = '' } = sent[1] ?? {};
  const at = new Date(Number(headers['webhook-timestamp']) * 1000);
  expect(headers['webhook-signature']).toBe(new Webhook(next).sign(headers['webhook-id'] ?? '', at, body));
});
