import { sql } from 'kysely';
import pg from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { announce } from '../../platform/database/outbox.ts';
import { newId } from '../../platform/ids.ts';
import { startRelay } from '../../platform/jobs/relay.ts';
import { sweepOnce } from '../../platform/jobs/sweeping.ts';
import { openTestCompany, type TestCompany } from '../../testing/company.ts';
import { type TestDatabase, testDatabase } from '../../testing/database.ts';
import { webhookWorld } from '../../testing/webhook-world.ts';
import { outgoingEvents } from '../outgoing/index.ts';
import { reached, submittedEvent } from '../transactions/index.ts';
import { webhookJobs, webhooksSweep } from './jobs.ts';
import { lockEndpoint, markRemoved, switchOff } from './store/endpoints.ts';
import { insertDeliveries, insertEvent } from './store/events.ts';

let db: TestDatabase;
const log = pino({ level: 'silent' });
beforeAll(async () => {
  db = await testDatabase();
});
afterAll(() => db.close());

async function openWithEndpoint(): Promise<TestCompany & { endpointId: string }> {
  const world = await webhookWorld(db);
  return { ...world.company, endpointId: (await world.open()).id };
}

/** Jobs that wait for a company. */
async function jobsOf({ id }: TestCompany): Promise<unknown[]> {
  const { rows } = await db.worker.withoutCompany((tx) =>
    sql<{ transaction: unknown }>`
      select payload -> 'payload' ->> 'transactionId' as transaction from graphile_worker._private_jobs
      where payload ->> 'companyId' = ${id} order by id`.execute(tx),
  );
  return rows.map(({ transaction }) => transaction);
}

test('the relay queues the job for companies with an endpoint that is on, and for no other', async () => {
  const listening = await openWithEndpoint();
  const off = await openWithEndpoint();
  const removed = await openWithEndpoint();
  const without = await openTestCompany(db);
  await db.app.withCompany(off.id, (tx) => switchOff(tx, off.endpointId, 'member', new Date()));
  await db.app.withCompany(removed.id, async (tx) => {
    await switchOff(tx, removed.endpointId, 'member', new Date());
    await markRemoved(tx, removed.endpointId);
    expect(await lockEndpoint(tx, removed.endpointId)).toBeNull();
  });
  const ids = [newId(), newId(), newId()];
  for (const { id } of [listening, off, removed, without]) {
    await db.worker.withCompany(id, (tx) =>
      announce(tx, [
        reached(ids[0] ?? '', 'credited'),
        submittedEvent(ids[1] ?? ''),
        { name: outgoingEvents.approved, payload: { transactionId: ids[2] } },
        { name: 'something.else', payload: { transactionId: newId() } },
      ]),
    );
  }
  const relay = startRelay(db.worker, webhookJobs(), log);
  try {
    await vi.waitFor(
      async () => {
        const { rows } = await db.worker.withoutCompany((tx) => sql`select from outbox`.execute(tx));
        expect(rows).toEqual([]);
      },
      { timeout: 20_000 },
    );
  } finally {
    await relay.stop();
  }
  expect((await jobsOf(listening)).sort()).toEqual([...ids].sort());
  for (const company of [off, removed, without]) expect(await jobsOf(company)).toEqual([]);
});

test('the log is swept of what is older than ninety days, with its deliveries, and of nothing else', async () => {
  const company = await openWithEndpoint();
  const [old, young] = [newId(), newId()];
  await db.worker.withCompany(company.id, async (tx) => {
    for (const id of [old, young]) {
      await insertEvent(tx, { id, type: 'webhook.test', transactionId: null, body: '{}', at: new Date() });
      await insertDeliveries(tx, id, [company.endpointId]);
    }
  });
  const superuser = new pg.Client({ connectionString: db.superuserUrl });
  await superuser.connect();
  await superuser.query(`update causeway.webhook_event set created_at = now() - interval '91 days' where id = $1`, [
    old,
  ]);
  await superuser.end();
  await sweepOnce(db.worker, [webhooksSweep], log);
  const { rows } = await db.app.withCompany(company.id, (tx) =>
    sql`select v.id, (select count(*) from webhook_delivery d where d.company_id = v.company_id)::integer as deliveries
      from webhook_event v where company_id = company_id()`.execute(tx),
  );
  expect(rows).toEqual([{ id: young, deliveries: 1 }]);
});
