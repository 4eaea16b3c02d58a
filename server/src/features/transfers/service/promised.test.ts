import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { newId } from '../../../platform/ids.ts';
import { openTestCompany, type TestCompany } from '../../../testing/company.ts';
import { type TestDatabase, testDatabase } from '../../../testing/database.ts';
import { type Caller, type SessionApp, sessionApp } from '../../../testing/session-app.ts';
import { insertTestTransaction, noParts, type TestTransaction } from '../../../testing/transactions.ts';
import { registerTransactionRoutes } from '../../transactions/index.ts';
import { networkFeeOf } from './promised.ts';

let db: TestDatabase;
let http: SessionApp;
let company: TestCompany;
let caller: Caller;
beforeAll(async () => {
  db = await testDatabase();
  http = await sessionApp(db.app, (app) =>
    registerTransactionRoutes(app, { ...noParts, networkFeeOf, companyName: async () => 'Far Voyage' }),
  );
});
afterAll(async () => {
  await http.close();
  await db.close();
});
beforeEach(async () => {
  company = await openTestCompany(db);
  caller = http.signIn(company.id);
});

const waiting: TestTransaction = {
  type: 'chain_withdraw',
  coin: 'USDT',
  status: 'pending',
  stage: 'broadcast',
  hash: `0x${'4'.repeat(64)}`,
};

/** A transfer that was promised to pay 1,410,000 minor units for 141,000 virtual bytes, of the cheapest level. */
async function transfer(transaction: TestTransaction = waiting): Promise<string> {
  const id = await insertTestTransaction(db, company, { initiatorId: caller.session.userId, ...transaction });
  await db.app.withCompany(company.id, (tx) =>
    sql`insert into bitcoin_fee (company_id, transaction_id, level, network_fee, vsize)
      values (company_id(), ${id}, 'economy', 1410000, 141000)`.execute(tx),
  );
  return id;
}

const detail = async (id: string, reader = caller) => (await reader.get(`/web/crypto/transaction/${id}`)).data;

test('a transfer shows what was chosen, and when that lets expect a block', async () => {
  const at = new Date();
  const { networkFee, expectedAt } = await detail(await transfer({ ...waiting, createdAt: at.toISOString() }));
  expect(networkFee).toEqual({
    level: 'economy',
    amount: '1.410000',
    joinedWith: 0,
    feeRate: '10.000',
    expectedSeconds: 144 * 12,
    canSpeedUp: true,
  });
  // 144 blocks until it is in one, and six on top of it.
  expect(expectedAt).toBe(new Date(at.getTime() + (144 + 6) * 12_000).toISOString());
});

test.each<[string, TestTransaction]>([
  ['is in a block', { ...waiting, blockNumber: 7, confirmations: 1 }],
  ['is not sent yet', { ...waiting, stage: 'signing' }],
  ['is another member’s', { ...waiting, initiatorId: newId() }],
])('it cannot be sped up where it %s', async (_, transaction) => {
  expect((await detail(await transfer(transaction))).networkFee).toMatchObject({ canSpeedUp: false });
});

test('nor by a member who may not send', async () => {
  const viewer = http.signIn(company.id, 'viewer');
  const own = await transfer({ ...waiting, initiatorId: viewer.session.userId });
  expect((await detail(own, viewer)).networkFee).toMatchObject({ canSpeedUp: false });
});

test('where the fee was no choice there is none', async () => {
  expect((await detail(await insertTestTransaction(db, company, waiting))).networkFee).toBeNull();
});
