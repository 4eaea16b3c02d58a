import { transferOut } from '@causeway/contract/transfers.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../../platform/ids.ts';
import { credit } from '../../../testing/company.ts';
import { type TestDatabase, testDatabase } from '../../../testing/database.ts';
import { type MainApp, mainApp } from '../../../testing/main-app.ts';
import { arrivedTest } from '../../../testing/transaction-requests.ts';
import { transferContent, transferRequest } from '../../../testing/valid-requests.ts';

const runs = Number(process.env['PROOF_ROUNDS'] ?? 8);

let db: TestDatabase;
let one: MainApp;
let other: MainApp;
beforeAll(async () => {
  db = await testDatabase();
  [one, other] = [await mainApp(db), await mainApp(db)];
});
afterAll(async () => {
  await one.close();
  await other.close();
  await db.close();
});

test(`two HTTP processes send the rest of one test at the same time: one does, ${runs} times`, {
  timeout: 300_000,
}, async () => {
  const tenant = await one.company();
  await credit(db, tenant, 'USDT', 10_000_000_000n);
  const colleague = await one.member(tenant, 'finance');
  for (let round = 0; round < runs; round++) {
    const content = await transferContent(one, tenant);
    const testId = await arrivedTest(one, tenant, content.payeeId);
    const asks = [];
    for (const [world, as] of [
      [one, tenant.admin],
      [other, colleague],
    ] as const) {
      const request = await transferRequest(world, tenant, { ...content, id: newId(), attachmentIds: [] }, as);
      asks.push(() => world.ask(transferOut, { ...request, body: { ...request.body, restOf: testId } }));
    }
    const answers = await Promise.all(asks.map((ask) => ask()));
    expect(answers.map(({ status, key }) => `${status} ${key ?? ''}`).sort()).toEqual(['200 ', '409 testRestSent']);
    const { rows } = await db.app.withCompany(tenant.id, (tx) =>
      sql`select transaction_id from transfer_rest where company_id = company_id() and test_id = ${testId}`.execute(tx),
    );
    expect(rows).toHaveLength(1);
  }
});
