import { listApprovals } from '@causeway/contract/approvals.ts';
import { submitBatch } from '@causeway/contract/batch-runs.ts';
import { maxBatchRows } from '@causeway/contract/batches-rules.ts';
import { addCryptoPayee } from '@causeway/contract/payees.ts';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { newId } from '../../../platform/ids.ts';
import { entriesOf, insertTestBatch, runRequest, submittedRun, type TestRow } from '../../../testing/batches.ts';
import { credit } from '../../../testing/company.ts';
import { walletBalances } from '../../../testing/company-books.ts';
import { testDatabase } from '../../../testing/database.ts';
import { type MainApp, mainApp, type Tenant } from '../../../testing/main-app.ts';
import { enact, forbidding } from '../../../testing/risk.ts';
import { succeed } from '../../../testing/succeed.ts';
import { reviewOf } from '../../../testing/transaction-requests.ts';
import { newPayee, payee } from '../../../testing/valid-requests.ts';

/** What is written, shown and asked of payments that are submitted together, to the last unit and the last statement. */

let world: MainApp;
let owner: pg.Client;
let tenant: Tenant;
beforeAll(async () => {
  world = await mainApp(await testDatabase(), undefined, { rowsAtOnce: maxBatchRows });
  owner = new pg.Client({ connectionString: world.db.superuserUrl });
  await owner.connect();
  await owner.query('set search_path = causeway');
});
afterAll(async () => {
  await owner.end();
  await world.close();
  await world.db.close();
});
beforeEach(async () => {
  tenant = await world.company();
});

const whole = 1_000_000n;

async function rowsOf(coin: 'USDT' | 'USDC', ...units: readonly bigint[]): Promise<TestRow[]> {
  const payeeId =
    coin === 'USDT'
      ? await payee(world, tenant)
      : (await succeed(world, addCryptoPayee, { as: tenant.admin, body: { ...newPayee(), coin } })).data.id;
  return units.map((each) => ({ walletId: tenant.wallets[coin], payeeId, amountMinor: each * whole }));
}

const batchOf = async (...rows: readonly TestRow[]) => (await insertTestBatch(world.db, tenant, rows)).id;

test('all that a wallet has is paid, fees included; the code is used, and pages read again once for all rows', async () => {
  await credit(world.db, tenant, 'USDT', 14n * whole);
  const request = await runRequest(world, tenant.admin, await batchOf(...(await rowsOf('USDT', 5n, 7n))));
  await owner.query('delete from outbox where company_id = $1', [tenant.id]);
  const { id } = (await succeed(world, submitBatch, request)).data;
  expect(await walletBalances(world.db, tenant.id, tenant.wallets.USDT)).toEqual({
    outbound: 14n * whole,
    chain: -14n * whole,
  });
  expect((await entriesOf(world.db, tenant.id, id)).map(({ stage }) => stage)).toEqual(['approved', 'approved']);
  const codes = await owner.query(
    `select used_at is not null as used from verification_code where company_id = $1 and scenario = 'transaction'`,
    [tenant.id],
  );
  expect(codes.rows).toEqual([{ used: true }]);
  const live = await owner.query(
    `select payload from outbox where company_id = $1 and name = 'live' and payload->>'topic' in ('transaction', 'balance') order by id`,
    [tenant.id],
  );
  expect(live.rows.map(({ payload }) => payload)).toEqual([
    { topic: 'transaction', id: null },
    { topic: 'balance', id: null },
  ]);
});

test('one unit more than a wallet has is refused, and the same request succeeds once it is there', async () => {
  await credit(world.db, tenant, 'USDT', 14n * whole);
  const rows = await rowsOf('USDT', 5n, 7n);
  const request = {
    ...(await runRequest(world, tenant.admin, await batchOf(...rows))),
    headers: { 'idempotency-key': newId() },
  };
  const add = (minor: number) =>
    owner.query(`update ledger_account set balance = balance + $2 where owner_id = $1 and kind = 'available'`, [
      tenant.wallets.USDT,
      minor,
    ]);
  await add(-1);
  expect(await world.ask(submitBatch, request)).toMatchObject({ status: 409, key: 'batchRowsRefused' });
  await add(1);
  expect(await world.ask(submitBatch, request)).toMatchObject({ status: 200 });
});

test('the operator’s daily limit adds up the rows of a batch, and the refusal names the amount that remains', async () => {
  await credit(world.db, tenant, 'USDT', 100n * whole);
  const request = await runRequest(world, tenant.admin, await batchOf(...(await rowsOf('USDT', 5n, 7n))));
  await owner.query(
    `insert into operator_price (id, company_id, kind, asset_id, value, valid_from, set_by) values ($1, $2, 'daily_limit', 'USDT', $3, now(), 'test')`,
    [newId(), tenant.id, 11n * whole],
  );
  const refused = await world.ask(submitBatch, request);
  expect(refused.key).toBe('batchRowsRefused');
  expect(refused.errors.join()).toContain('6.00 USDT');
});

test('what risk denies is refused with its reason', async () => {
  await credit(world.db, tenant, 'USDT', 100n * whole);
  const request = await runRequest(world, tenant.admin, await batchOf(...(await rowsOf('USDT', 5n))));
  await enact(world.db, tenant.id, forbidding({ dimension: 'crypto_quantity', coin: 'USDT', from: '1', to: null }));
  const refused = await world.ask(submitBatch, request);
  expect(refused.key).toBe('batchRowsRefused');
  expect(refused.errors.join()).not.toContain('{');
  expect(refused.errors.join()).toMatch(/row 1.*polic/i);
});

test('a statement that fails leaves nothing behind, and is no success', async () => {
  await credit(world.db, tenant, 'USDT', 100n * whole);
  const request = await runRequest(world, tenant.admin, await batchOf(...(await rowsOf('USDT', 5n, 7n))));
  await owner.query(`create function test_refuse() returns trigger language plpgsql as $$ begin raise exception 'refused by the test'; end $$;
    create trigger test_refuse before insert on outgoing_authorisation for each row execute function test_refuse()`);
  try {
    expect((await world.ask(submitBatch, request)).status).toBe(500);
    expect(world.complaints.splice(0).join()).toContain('refused by the test');
    expect(await entriesOf(world.db, tenant.id, request.body.id)).toEqual([]);
  } finally {
    await owner.query('drop trigger test_refuse on outgoing_authorisation; drop function test_refuse()');
  }
  expect(await world.ask(submitBatch, request)).toMatchObject({ status: 200 });
});

test('approvers read the sum of what is of one coin, and no amount of what is of several', async () => {
  await credit(world.db, tenant, 'USDT', 100n * whole);
  await credit(world.db, tenant, 'USDC', 100n * whole);
  const approver = await world.member(tenant, 'approver');
  await reviewOf(world, tenant)(true);
  const one = await submittedRun(world, tenant.admin, await batchOf(...(await rowsOf('USDT', 5n, 7n))));
  const mixed = [...(await rowsOf('USDT', 5n)), ...(await rowsOf('USDC', 7n))];
  const several = await submittedRun(world, tenant.admin, await batchOf(...mixed));
  const { items } = (await succeed(world, listApprovals, { as: approver, query: { view: 'pending' } })).data;
  const shown = new Map(items.map(({ subjectId, amount, coin }) => [subjectId, [amount, coin]]));
  expect(shown.get(one)).toEqual(['12.000000', 'USDT']);
  expect(shown.get(several)).toEqual([null, null]);
});
