import { reportActivity } from '@causeway/contract/identity.ts';
import { listTransactions, saveFilter } from '@causeway/contract/transactions.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../testing/database.ts';
import { type MainApp, mainApp, type Tenant } from '../../testing/main-app.ts';
import { validRequests } from '../../testing/valid-requests.ts';
import { newId } from '../ids.ts';
import { sweepOnce } from '../jobs/sweeping.ts';
import { createLog } from '../process/log.ts';
import { requestLogSweep } from './request-log.ts';

let db: TestDatabase;
let world: MainApp;
let tenant: Tenant;

beforeAll(async () => {
  db = await testDatabase();
  world = await mainApp(db);
  tenant = await world.company();
});
afterAll(async () => {
  await world.close();
  await db.close();
});

const logged = () =>
  db.console.withoutCompany(async (tx) => {
    const { rows } = await sql<{
      id: string;
      call: string;
      status: number;
      error: string | null;
      company: string;
      actor: string;
    }>`
      select id, call, status, error, company_id as company, actor_id as actor from request_log order by at`.execute(
      tx,
    );
    return rows;
  });

test('calls that write are logged after their answer, with their error; those that read, or only say that a person is there, are not', async () => {
  const { admin } = tenant;
  const request = await validRequests['saveFilter']?.(world, tenant);
  const done = await world.ask(saveFilter, request ?? {});
  await world.ask(saveFilter, { as: admin, body: { name: '', filters: {} } });
  await world.ask(listTransactions, { as: admin });
  await world.ask(reportActivity, { as: admin });
  expect(done.status).toBe(200);
  await world.logRequests();
  const by = { call: 'saveFilter', company: tenant.id, actor: admin.session.userId };
  expect(await logged()).toMatchObject([
    { ...by, status: 200, error: null },
    { ...by, status: 400, error: 'validationFailed' },
  ]);
  expect(JSON.stringify(await logged())).not.toContain('filters');
});

test('what is older than ninety days is removed', async () => {
  const old = newId();
  await db.app.withoutCompany((tx) =>
    sql`insert into request_log (id, at, call, ip, status, duration_ms)
      values (${old}, now() - interval '91 days', 'saveFilter', '', 200, 1), (${newId()}, now() - interval '89 days', 'saveFilter', '', 200, 1)`.execute(
      tx,
    ),
  );
  const before = await logged();
  await sweepOnce(db.worker, [requestLogSweep], createLog('test', 'fatal'));
  expect((await logged()).map(({ id }) => id)).toEqual(before.map(({ id }) => id).filter((id) => id !== old));
});
