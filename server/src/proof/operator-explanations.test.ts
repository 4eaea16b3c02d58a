import { locales } from '@causeway/contract/locale.ts';
import { getOperatorTransaction } from '@causeway/contract/operator-transactions.ts';
import { getTransaction } from '@causeway/contract/transactions.ts';
import { statusAt, transactionLives } from '@causeway/contract/transactions-lives.ts';
import { transactionTypes } from '@causeway/contract/transactions-rules.ts';
import { transferOut } from '@causeway/contract/transfers.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../platform/ids.ts';
import { credit } from '../testing/company.ts';
import { type TestDatabase, testDatabase } from '../testing/database.ts';
import { type MainApp, type Member, mainApp, type Tenant } from '../testing/main-app.ts';
import { type OperatorApp, operatorApp, type TestOperator } from '../testing/operator-app.ts';
import { succeed } from '../testing/succeed.ts';
import { reviewOf } from '../testing/transaction-requests.ts';
import { insertTestTransaction } from '../testing/transactions.ts';
import { validRequests } from '../testing/valid-requests.ts';

/** What an operator reads of a transaction is what its company's people read of it, in every type, stage and language. */

let db: TestDatabase;
let company: MainApp;
let operator: OperatorApp;
let tenant: Tenant;
let reader: Member;
let support: TestOperator;

beforeAll(async () => {
  db = await testDatabase();
  company = await mainApp(db);
  operator = await operatorApp(db);
  tenant = await company.company();
  reader = await company.member(tenant, 'viewer');
  support = await operator.operator('support');
});
afterAll(async () => {
  expect(company.complaints).toEqual([]);
  expect(operator.complaints).toEqual([]);
  await operator.close();
  await company.close();
  await db.close();
});

async function both(id: string, language: string) {
  const headers = { 'accept-language': language };
  const theirs = await company.ask(getTransaction, { as: reader, params: { id }, headers });
  const ours = await operator.ask(getOperatorTransaction, { as: support, params: { id }, headers });
  expect([theirs.status, ours.status]).toEqual([200, 200]);
  // The moment is reckoned from that of the request.
  const [one, other] = [theirs.data, ours.data.transaction].map(({ expectedAt }) =>
    Date.parse(expectedAt ?? '1970-01-01'),
  );
  expect(Math.abs((one ?? 0) - (other ?? 0))).toBeLessThan(60_000);
  return { theirs: { ...theirs.data, expectedAt: ours.data.transaction.expectedAt }, ours: ours.data };
}

const lives = transactionTypes.flatMap((type) => {
  const { road, endsEarly } = transactionLives[type];
  return [...new Set([...road, ...endsEarly])].map((stage) => [type, stage] as const);
});

test.each(lives)('%s at %s', async (type, stage) => {
  const status = statusAt(stage);
  const id = await insertTestTransaction(db, tenant, {
    type,
    stage,
    status,
    ...(status === 'failed' && { failureReason: 'stage.reason.other' }),
    ...(['broadcast', 'confirming', 'seen'].includes(stage) && {
      hash: `0x${newId().replaceAll('-', '').repeat(2)}`,
      confirmations: 1,
      blockNumber: 7,
    }),
  });
  for (const language of locales) {
    const { theirs, ours } = await both(id, language);
    expect(ours.transaction).toEqual(theirs);
    if (status === 'pending') expect(ours.transaction.waitingFor).toEqual(expect.stringMatching(/\S/));
  }
});

test('one that waits for approvers names them, and one that something holds up says what', async () => {
  const review = reviewOf(company, tenant);
  await review(true);
  await credit(db, tenant, 'USDT', 100_000_000n);
  await company.member(tenant, 'approver');
  const request = await validRequests['transferOut']?.(company, tenant);
  const { data } = await succeed(company, transferOut, request ?? {});
  const { theirs, ours } = await both(data.id, 'en-us');
  expect(ours.transaction).toEqual(theirs);
  expect(ours.transaction).toMatchObject({ stage: 'waiting_approval', approvalTaskId: expect.any(String) });
  expect(ours.transaction.waitingFor).toBe('Approver');
  expect(ours.risk).toMatchObject({ judgements: [{ moment: 'submission', allowed: true }] });
  expect(ours.audit.map(({ action }) => action)).toContain('transfers.submit');
  expect(ours.requests[0]).toMatchObject({
    actor: tenant.admin.session.userName,
    what: expect.arrayContaining([expect.any(String)]),
  });
  await review(false);
  const held = await insertTestTransaction(db, tenant, {
    type: 'chain_withdraw',
    stage: 'approved',
    status: 'pending',
  });
  await db.worker.withCompany(tenant.id, (tx) =>
    sql`insert into sender_hold (company_id, chain_id, address, reason, chain_nonce, next_nonce)
      values (company_id(), 'ethereum', ${tenant.address}, 'ahead', 3, 2)`.execute(tx),
  );
  const said = await both(held, 'zh-hk');
  expect(said.ours.transaction).toEqual(said.theirs);
  expect(said.ours.transaction.heldUp).toBe(true);
  expect(said.ours.queue).toMatchObject({ address: tenant.address, held: 'ahead' });
});

test('a look at a transaction is a look at its company: once an hour in the operator’s log, and nothing in the company’s', async () => {
  const id = await insertTestTransaction(db, tenant, {});
  const one = await operator.operator('treasury');
  const looks = async () => (await operator.audited()).filter((action) => action === 'operator.look').length;
  const before = await looks();
  await Promise.all([1, 2, 3].map(() => operator.ask(getOperatorTransaction, { as: one, params: { id } })));
  expect(await looks()).toBe(before + 1);
  expect((await operator.ask(getOperatorTransaction, { as: one, params: { id: newId() } })).key).toBe('notFound');
  expect(await looks()).toBe(before + 1);
});
