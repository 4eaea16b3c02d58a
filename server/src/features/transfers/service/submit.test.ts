import { transferOut } from '@causeway/contract/transfers.ts';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { credit } from '../../../testing/company.ts';
import { testDatabase } from '../../../testing/database.ts';
import { type MainApp, mainApp, type Tenant } from '../../../testing/main-app.ts';
import { enact, forbidding } from '../../../testing/risk.ts';
import { succeed, transferContent, transferRequest } from '../../../testing/valid-requests.ts';

let world: MainApp;
let tenant: Tenant;
beforeAll(async () => {
  world = await mainApp(await testDatabase());
});
beforeEach(async () => {
  tenant = await world.company();
  await credit(world.db, tenant, 'USDT', 1_000_000_000n);
});
afterAll(async () => {
  await world.close();
  await world.db.close();
});
afterEach(() => expect(world.complaints.splice(0)).toEqual([]));

async function counted(): Promise<{ flows: number; transactions: number }> {
  const { rows } = await world.db.app.withCompany(tenant.id, (tx) =>
    sql<{ flows: number; transactions: number }>`
      select (select count(*) from risk_flow where company_id = company_id()) as flows,
        (select coalesce(sum(transactions), 0)::bigint from risk_usage where company_id = company_id()) as transactions`.execute(
      tx,
    ),
  );
  return rows[0] ?? { flows: 0, transactions: 0 };
}

test('a wrong code counts nothing towards the windows of risk, and the right one still submits the same transfer', async () => {
  const content = await transferContent(world, tenant);
  const request = await transferRequest(world, tenant, content);
  const wrong = request.body['code'] === '000000' ? '000001' : '000000';

  const refused = await world.ask(transferOut, { ...request, body: { ...request.body, code: wrong } });
  expect(refused.key).toBe('codeWrong');
  expect(await counted()).toEqual({ flows: 0, transactions: 0 });

  await succeed(world, transferOut, request);
  expect(await counted()).toEqual({ flows: 1, transactions: 1 });
});

test('nobody learns what risk forbids, or writes into its log, without the code', async () => {
  const content = await transferContent(world, tenant);
  const request = await transferRequest(world, tenant, content);
  await enact(world.db, tenant.id, forbidding({ dimension: 'coin', coins: ['USDT'] }));

  const wrong = request.body['code'] === '000000' ? '000001' : '000000';
  expect((await world.ask(transferOut, { ...request, body: { ...request.body, code: wrong } })).key).toBe('codeWrong');
  expect((await world.ask(transferOut, request)).key).toBe('riskRefused');
  const { rows } = await world.db.app.withCompany(tenant.id, (tx) =>
    sql`select from risk_log where company_id = company_id() and type = 'hit'`.execute(tx),
  );
  expect(rows).toHaveLength(1);
});
