import * as approvals from '@causeway/contract/approvals.ts';
import { systemRoleIds } from '@causeway/contract/permission.ts';
import { getTransaction } from '@causeway/contract/transactions.ts';
import { cancelTransfer, transferOut } from '@causeway/contract/transfers.ts';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { newId } from '../../platform/ids.ts';
import { credit } from '../../testing/company.ts';
import { walletBalances } from '../../testing/company-books.ts';
import { testDatabase } from '../../testing/database.ts';
import { seenVersion, switchReview } from '../../testing/four-eyes.ts';
import { type MainApp, type Member, mainApp, type Tenant } from '../../testing/main-app.ts';
import { succeed } from '../../testing/succeed.ts';
import { payee, transferRequest } from '../../testing/valid-requests.ts';
import { withdrawTask } from './service/open-task.ts';

/** Taking an application back: by its initiator alone, with the right to make one; its subject ends with it. */

let world: MainApp;
let tenant: Tenant;
let finance: Member;
let transactionId: string;
let taskId: string;
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
  const approver = await world.member(tenant, 'approver');
  await credit(world.db, tenant, 'USDT', 100_000_000n);
  const nodes = [{ needed: 1, approvers: [{ kind: 'person' as const, id: approver.session.userId }] }];
  const rule = { name: 'All payments', lower: '0', upper: null, nodes, active: true };
  const version = await seenVersion(world, tenant.admin);
  await succeed(world, approvals.addRule, { as: tenant.admin, body: { version, id: newId(), rule } });
  await switchReview(world, tenant.admin, true);
  const content = { id: newId(), payeeId: await payee(world, tenant), amount: '20', attachmentIds: [] };
  const request = await transferRequest(world, tenant, { ...content, walletId: tenant.wallets.USDT }, finance);
  transactionId = (await succeed(world, transferOut, request)).data.id;
  const { items } = (await succeed(world, approvals.listApprovals, { as: finance, query: { view: 'initiated' } })).data;
  taskId = items[0]?.id ?? '';
});
afterEach(() => expect(world.complaints.splice(0)).toEqual([]));

const withdraw = (as: Member) => world.ask(approvals.withdrawApproval, { as, body: { id: taskId } });
const task = async () => (await succeed(world, approvals.getApproval, { as: finance, params: { id: taskId } })).data;

test('ends the transfer with its task and gives the hold back, once', async () => {
  expect(await task()).toMatchObject({ mayWithdraw: true, mayStop: false });
  expect(await walletBalances(world.db, tenant.id, tenant.wallets.USDT)).toMatchObject({ outbound: 21_000_000n });
  expect((await withdraw(finance)).status).toBe(200);
  expect(await task()).toMatchObject({
    end: 'withdrawn',
    mayWithdraw: false,
    reason: expect.stringMatching(/cancel/i),
  });
  const { data } = await succeed(world, getTransaction, { as: finance, params: { id: transactionId } });
  expect(data).toMatchObject({ status: 'failed', stage: 'cancelled' });
  const before = { available: 100_000_000n, chain: -100_000_000n };
  expect(await walletBalances(world.db, tenant.id, tenant.wallets.USDT)).toEqual(before);
  expect((await withdraw(finance)).key).toBe('approvalNotPending');
  expect(await walletBalances(world.db, tenant.id, tenant.wallets.USDT)).toEqual(before);
});

test('a transfer that is cancelled ends its task as one that is taken back', async () => {
  await succeed(world, cancelTransfer, { as: finance, body: { id: transactionId } });
  expect(await task()).toMatchObject({ end: 'withdrawn', reason: expect.stringMatching(/cancel/i) });
});

test('a task ends once: a second try changes neither end nor reason; a payment without a task has none to end', async () => {
  const takeBack = (subjectId: string, end: Parameters<typeof withdrawTask>[3]) =>
    world.db.app.withCompany(tenant.id, (tx) => withdrawTask(tx, 'transfer', subjectId, end));
  const cancelled = { end: 'withdrawn', reason: 'stage.reason.cancelled' } as const;
  expect(await takeBack(newId(), cancelled)).toBe(true);
  expect(await takeBack(transactionId, cancelled)).toBe(true);
  const ended = await task();
  expect(ended).toMatchObject({ end: 'withdrawn' });
  expect(await takeBack(transactionId, { end: 'stopped', reason: 'stage.reason.riskStopped' })).toBe(false);
  expect(await task()).toEqual(ended);
});

test('is refused to everyone but the initiator, and to an initiator who may no longer apply', async () => {
  expect((await withdraw(tenant.admin)).key).toBe('approvalNotOwn');
  await world.db.app.withCompany(tenant.id, (tx) =>
    sql`update member set role_id = ${systemRoleIds.approver}
      where company_id = company_id() and id = ${finance.session.userId}`.execute(tx),
  );
  expect(await task()).toMatchObject({ status: 'pending', mayWithdraw: false });
  expect(await withdraw(finance)).toMatchObject({ status: 403, key: 'noPermission' });
  expect(await task()).toMatchObject({ status: 'pending' });
});
