import { confirmProposal, getProposal } from '@causeway/contract/operator.ts';
import { listExceptions } from '@causeway/contract/operator-exceptions.ts';
import { proposeSwitchOn, switchOff } from '@causeway/contract/operator-prices.ts';
import { getOperatorTransaction } from '@causeway/contract/operator-transactions.ts';
import { getTransaction } from '@causeway/contract/transactions.ts';
import { transferOut } from '@causeway/contract/transfers.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../../platform/ids.ts';
import { credit } from '../../../testing/company.ts';
import { testDatabase } from '../../../testing/database.ts';
import { handingOver } from '../../../testing/handing-over.ts';
import { type MainApp, mainApp, type Tenant } from '../../../testing/main-app.ts';
import { type OperatorApp, operatorApp, type TestOperator } from '../../../testing/operator-app.ts';
import { succeed } from '../../../testing/succeed.ts';
import { payee, transferRequest } from '../../../testing/valid-requests.ts';

/** What was submitted before its chain or coin is switched off: held, and on its way once that is switched on. */

let world: MainApp;
let console: OperatorApp;
let tenant: Tenant;
let one: TestOperator;
let two: TestOperator;
let payeeId: string;

beforeAll(async () => {
  const db = await testDatabase();
  world = await mainApp(db);
  console = await operatorApp(db);
  [one, two] = [await console.operator('administrator'), await console.operator('administrator')];
  tenant = await world.company();
  payeeId = await payee(world, tenant);
  await credit(db, tenant, 'USDT', 1_000_000_000n);
});
afterAll(async () => {
  expect([...world.complaints, ...console.complaints]).toEqual([]);
  await console.close();
  await world.close();
  await world.db.close();
});

async function submit(): Promise<string> {
  const content = { id: newId(), walletId: tenant.wallets.USDT, payeeId, amount: '5', attachmentIds: [], notes: '' };
  return (await succeed(world, transferOut, await transferRequest(world, tenant, content))).data.id;
}

async function waitingFor(id: string, language: string): Promise<string | null> {
  const headers = { 'accept-language': language };
  return (await world.ask(getTransaction, { as: tenant.admin, params: { id }, headers })).data.waitingFor;
}

async function switchOn(id: string): Promise<void> {
  const asked = await console.ask(proposeSwitchOn, { as: one, params: { id }, body: { reason: 'over' } });
  const params = { id: asked.data.proposalId };
  const { digest } = (await console.ask(getProposal, { as: two, params })).data;
  const body = { digest, code: console.code(two.secret) };
  expect((await console.ask(confirmProposal, { as: two, params, body })).status).toBe(200);
}

test.each([
  { what: 'chain', chain: 'ethereum' },
  { what: 'withdrawals', chain: 'ethereum', coin: 'USDT' },
] as const)('while $what is off a payment waits and says so; it goes on once it is on', async (off) => {
  const id = await submit();
  const asked = await console.ask(switchOff, { as: one, body: { ...off, reason: 'the chain has split' } });
  expect(asked.status).toBe(200);
  const { handed, handOver } = handingOver(world.db);
  await handOver(tenant.id, id);
  expect(handed).toEqual([]);

  expect(await waitingFor(id, 'en-us')).toContain('paused by the provider');
  expect(await waitingFor(id, 'zh-hk')).toContain('服務商已暫停');
  expect(await waitingFor(id, 'zh-cn')).toContain('服务商已暂停');
  const file = await console.ask(getOperatorTransaction, { as: one, params: { id } });
  expect(file.data.transaction.waitingFor).toContain('paused by the provider');
  await world.db.worker.withCompany(tenant.id, (tx) =>
    sql`update transaction set stage_at = now() - interval '1 hour' where company_id = company_id() and id = ${id}`.execute(
      tx,
    ),
  );
  const { items } = (await console.ask(listExceptions, { as: one })).data;
  expect(items.find(({ transactionId }) => transactionId === id)).toMatchObject({
    kind: 'transferStuck',
    nextStep: expect.stringContaining('switch it on again'),
  });

  await switchOn(asked.data.id);
  expect(await waitingFor(id, 'en-us')).not.toContain('paused');
  await handOver(tenant.id, id);
  await handOver(tenant.id, id);
  expect(new Set(handed)).toEqual(new Set([id]));
});
