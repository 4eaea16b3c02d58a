import { webhookFailingDays } from '@causeway/contract/webhooks-rules.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { type TestDatabase, testDatabase } from '../../testing/database.ts';
import { accepted, deliverAll, refused, type WebhookWorld, webhookWorld } from '../../testing/webhook-world.ts';
import type { Outcome } from './adapters/posting.ts';
import { failuresBeforePause, mostPerEndpoint } from './domain.ts';
import { deliverDue, startDelivering } from './service/delivering.ts';

let db: TestDatabase;
let world: WebhookWorld;
beforeAll(async () => {
  db = await testDatabase();
});
afterAll(() => db.close());
beforeEach(async () => {
  world = await webhookWorld(db);
});

test('410 switches an endpoint off: what waits fails, and administrators are notified', async () => {
  const endpoint = await world.open();
  await world.deposit(6);
  const gone: Outcome = { ...refused, status: 410, problem: 'gone' };
  // All that may be under way at once are sent before the first is answered.
  const allSent = Promise.withResolvers<void>();
  let sent = 0;
  const deps = world.worker(async ({ url }) => {
    if (url !== endpoint.url) return accepted;
    sent += 1;
    if (sent === mostPerEndpoint) allSent.resolve();
    await allSent.promise;
    return gone;
  });
  await deliverDue(deps);
  const rows = await world.deliveries();
  expect(rows.every(({ state }) => state === 'failed')).toBe(true);
  // The first answer switches it off; three were sent already, and two never are.
  const said = rows.map(({ problem, attempts }) => `${problem} ${attempts}`);
  expect(said.sort()).toEqual(['gone 1', 'off 0', 'off 0', 'off 1', 'off 1', 'off 1']);
  expect(await world.notices()).toEqual(['organisation.webhookGone']);
  const row = await world.find(endpoint);
  expect(row).toMatchObject({ enabled: false, offReason: 'gone' });
  await world.deposit();
  expect(await world.deliveries()).toHaveLength(6);
});

test('five days of failures switch it off, a success in between does not', async () => {
  const endpoint = await world.open();
  await world.deposit();
  let outcome = refused;
  const deps = world.worker(async () => outcome);
  await deliverDue(deps);
  world.nowMs += (webhookFailingDays * 86_400 - 1) * 1000;
  outcome = accepted;
  await deliverAll(deps);
  outcome = refused;
  await world.deposit();
  world.nowMs += 60_000;
  await deliverDue(deps);
  expect(await world.notices()).toEqual([]);
  world.nowMs += webhookFailingDays * 86_400_000;
  await deliverDue(deps);
  expect(await world.notices()).toEqual(['organisation.webhookFailing']);
  const row = await world.find(endpoint);
  expect(row).toMatchObject({ enabled: false, offReason: 'failing' });
});

test('an endpoint that fails again and again is left alone, and then tried with one', async () => {
  const endpoint = await world.open();
  await world.deposit(12);
  let sent = 0;
  const deps = world.worker(async ({ url }) => {
    if (url === endpoint.url) sent += 1;
    return refused;
  });
  while (sent < failuresBeforePause) await deliverDue(deps);
  const before = sent;
  expect(await deliverDue(deps)).toBe(0);
  world.nowMs += 3_600_000;
  expect(await deliverDue(deps)).toBe(1);
  expect(sent).toBe(before + 1);
  // The others have waited and used up no try.
  expect((await world.deliveries()).filter(({ attempts }) => attempts === 0).length).toBeGreaterThan(0);
});

test('a slow endpoint holds up no other', async () => {
  const slow = await world.open({ url: 'https://slow.example/' });
  await world.deposit(20);
  const other = await world.another();
  const sent: string[] = [];
  let hanging = 0;
  const loop = startDelivering({
    ...world.worker(async () => accepted),
    post: ({ url }, signal) => {
      sent.push(url);
      if (url !== slow.url) return Promise.resolve(accepted);
      hanging += 1;
      return new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason));
      });
    },
  });
  try {
    await vi.waitFor(() => expect(hanging).toBe(mostPerEndpoint), { timeout: 20_000 });
    const fast = await other.open({ url: 'https://fast.example/' });
    await other.deposit();
    await vi.waitFor(() => expect(sent).toContain(fast.url), { timeout: 20_000 });
    await vi.waitFor(async () => expect(await other.deliveries()).toMatchObject([{ state: 'delivered' }]), {
      timeout: 20_000,
    });
    expect(hanging).toBe(mostPerEndpoint);
  } finally {
    await loop.stop();
  }
  // What was under way is given back at the stop, and no try is used up.
  const { rows } = await db.worker.withoutCompany((tx) =>
    sql`select from webhook_delivery where endpoint_id = ${slow.id} and (attempts > 0 or lease_id is not null)`.execute(
      tx,
    ),
  );
  expect(rows).toEqual([]);
});
