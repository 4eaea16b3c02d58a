import { bindMfa, getMfa } from '@causeway/contract/identity.ts';
import { transferOut } from '@causeway/contract/transfers.ts';
import { sql } from 'kysely';
import { Secret, TOTP } from 'otpauth';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { newId } from '../../../platform/ids.ts';
import { credit } from '../../../testing/company.ts';
import { testDatabase } from '../../../testing/database.ts';
import { type MainApp, mainApp, type Tenant } from '../../../testing/main-app.ts';
import { present } from '../../../testing/present.ts';
import { enact, forbidding } from '../../../testing/risk.ts';
import { encrypted, succeed, transferContent, transferRequest } from '../../../testing/valid-requests.ts';

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
  const refused = await world.ask(transferOut, request);
  expect([refused.key, refused.errors]).toEqual([
    'riskRefused',
    [expect.stringMatching(/^Stopped by the risk policy “.+”\.$/)],
  ]);
  const { rows } = await world.db.app.withCompany(tenant.id, (tx) =>
    sql`select from risk_log where company_id = company_id() and type = 'hit'`.execute(tx),
  );
  expect(rows).toHaveLength(1);
});

test('what risk refuses has used its code up', async () => {
  const request = await transferRequest(world, tenant, await transferContent(world, tenant));
  await enact(world.db, tenant.id, forbidding({ dimension: 'coin', coins: ['USDT'] }));
  const again = () => world.ask(transferOut, { ...request, headers: { 'idempotency-key': newId() } });
  expect((await again()).key).toBe('riskRefused');
  expect((await again()).key).toBe('codeWrong');
});

test('a code of an authenticator confirms one transfer', async () => {
  const as = await world.member(tenant, 'administrator');
  const { secret } = (await succeed(world, getMfa, { as })).data;
  const totp = new TOTP({ secret: Secret.fromBase32(present(secret)) });
  await succeed(world, bindMfa, { as, body: { password: await encrypted(world), code: totp.generate() } });
  // The code of the present was used for the binding; that of the next half minute is accepted as well.
  const proof = { fee: '1', codeMethod: 'otp_auth', code: totp.generate({ timestamp: Date.now() + 30_000 }) };
  const request = async () => ({ as, body: { ...(await transferContent(world, tenant)), ...proof } });
  await succeed(world, transferOut, await request());
  expect((await world.ask(transferOut, await request())).key).toBe('codeWrong');
});
