import { getTransaction } from '@causeway/contract/transactions.ts';
import { cancelTransfer, transferOut } from '@causeway/contract/transfers.ts';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { newId } from '../../../platform/ids.ts';
import { credit } from '../../../testing/company.ts';
import { walletBalances } from '../../../testing/company-books.ts';
import { testDatabase } from '../../../testing/database.ts';
import { type MainApp, type Member, mainApp, type Tenant } from '../../../testing/main-app.ts';
import { enact, forbidding } from '../../../testing/risk.ts';
import { insertTestTransaction } from '../../../testing/transactions.ts';
import { payee, succeed, transferRequest } from '../../../testing/valid-requests.ts';

/** Who may cancel a transfer, and what a cancel gives back: the hold, and what risk counted. */

let world: MainApp;
let tenant: Tenant;
let finance: Member;
let payeeId: string;
beforeAll(async () => {
  world = await mainApp(await testDatabase());
});
afterAll(async () => {
  await world.close();
  await world.db.close();
});
beforeEach(async () => {
  tenant = await world.company();
  finance = await world.member(tenant, 'finance');
  payeeId = await payee(world, tenant);
  await credit(world.db, tenant, 'USDT', 100_000_000n);
});
afterEach(() => expect(world.complaints.splice(0)).toEqual([]));

async function requested() {
  const content = { id: newId(), walletId: tenant.wallets.USDT, payeeId, amount: '5', attachmentIds: [], notes: '' };
  return transferRequest(world, tenant, content, finance);
}

test('a colleague cannot cancel a transfer, whatever their role; its initiator can', async () => {
  const { id } = (await succeed(world, transferOut, await requested())).data;
  const colleague = await world.member(tenant, 'finance');
  for (const as of [colleague, tenant.admin]) {
    expect(await world.ask(cancelTransfer, { as, body: { id } })).toMatchObject({ status: 403, key: 'transferNotOwn' });
  }
  const { data } = await succeed(world, getTransaction, { as: finance, params: { id } });
  expect(data).toMatchObject({ status: 'pending', stage: 'approved' });
  expect(await walletBalances(world.db, tenant.id, tenant.wallets.USDT)).toMatchObject({ outbound: 6_000_000n });

  await succeed(world, cancelTransfer, { as: finance, body: { id } });
  expect(await walletBalances(world.db, tenant.id, tenant.wallets.USDT)).toEqual({
    available: 100_000_000n,
    chain: -100_000_000n,
  });
});

test('a cancelled transfer no longer counts towards the window of a policy', async () => {
  const daily = forbidding({ dimension: 'crypto_frequency', from: '2', to: null });
  await enact(world.db, tenant.id, daily);
  const { id } = (await succeed(world, transferOut, await requested())).data;
  expect(await world.ask(transferOut, await requested())).toMatchObject({ status: 409, key: 'riskRefused' });
  await succeed(world, cancelTransfer, { as: finance, body: { id } });
  await succeed(world, transferOut, await requested());
});

test('a cancel gives back amount and fee with a refund, once, and leaves who did it in timeline and audit log', async () => {
  const { id } = (await succeed(world, transferOut, await requested())).data;
  const { data } = await succeed(world, cancelTransfer, { as: finance, body: { id } });
  expect(data).toEqual({ id, status: 'failed', stage: 'cancelled', refundId: expect.any(String) });
  const rowsOf = (statement: ReturnType<typeof sql<Record<string, unknown>>>) =>
    world.db.app.withCompany(tenant.id, async (tx) => (await statement.execute(tx)).rows);
  const written = () =>
    Promise.all([
      rowsOf(sql`select stage, reason, actor_id, actor_name from transaction_stage where transaction_id = ${id}
        and stage = 'cancelled'`),
      rowsOf(sql`select type, status, quantity, related_id from transaction where id = ${data.refundId}`),
      rowsOf(sql`select actor_id, action, subject_kind from audit_event where subject_id = ${id} order by id offset 1`),
      rowsOf(sql`select a.kind, e.amount from ledger_posting p join ledger_entry e on e.posting_id = p.id
        join ledger_account a on a.id = e.account_id
        where p.source_id = ${id} and p.kind = 'transfer.release' order by e.amount`),
    ]);
  const { userId, userName } = finance.session;
  const once = [
    [{ stage: 'cancelled', reason: 'stage.reason.cancelled', actor_id: userId, actor_name: userName }],
    [{ type: 'failed_refund', status: 'completed', quantity: 6_000_000n, related_id: id }],
    [{ actor_id: userId, action: 'transfers.cancel', subject_kind: 'transaction' }],
    [
      { kind: 'outbound', amount: -6_000_000n },
      { kind: 'available', amount: 6_000_000n },
    ],
  ];
  expect(await written()).toEqual(once);
  const announced = await rowsOf(sql`select name, payload from outbox where payload ->> 'stage' = 'cancelled'`);
  expect(announced).toMatchObject([{ payload: { transactionId: id } }]);

  const again = await world.ask(cancelTransfer, { as: finance, body: { id } });
  expect(again).toMatchObject({ status: 409, key: 'transferNotCancellable' });
  expect(await written()).toEqual(once);
});

test('what is no transfer of the company cannot be cancelled', async () => {
  const unknown = await world.ask(cancelTransfer, { as: finance, body: { id: newId() } });
  expect(unknown).toMatchObject({ status: 404, key: 'notFound' });
  const deposit = await insertTestTransaction(world.db, tenant, { status: 'pending', stage: 'seen' });
  const answer = await world.ask(cancelTransfer, { as: finance, body: { id: deposit } });
  expect(answer).toMatchObject({ status: 409, key: 'transferNotCancellable' });
});
