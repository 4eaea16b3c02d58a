import * as approvals from '@causeway/contract/approvals.ts';
import * as notices from '@causeway/contract/notices.ts';
import * as organisation from '@causeway/contract/organisation.ts';
import * as payees from '@causeway/contract/payees.ts';
import { systemRoleIds } from '@causeway/contract/permission.ts';
import { addListEntry, deleteListEntry } from '@causeway/contract/risk-lists.ts';
import { transferOut } from '@causeway/contract/transfers.ts';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { approvalSubjects, subjectsByKind } from '../../approval-subjects.ts';
import { systemClock } from '../../platform/clock.ts';
import { newId } from '../../platform/ids.ts';
import { createLog } from '../../platform/process/log.ts';
import { decision } from '../../testing/approval-requests.ts';
import { chainFamilies } from '../../testing/chain-families.ts';
import { credit } from '../../testing/company.ts';
import { testDatabase } from '../../testing/database.ts';
import { type MainApp, type Member, mainApp, type Tenant } from '../../testing/main-app.ts';
import { succeed } from '../../testing/succeed.ts';
import { newPayee, transferRequest } from '../../testing/valid-requests.ts';
import { tendApprovals } from './service/expire-and-remind.ts';

/** A payee that waits for a second person: who decides, what it can be used for until then, and how it ends (docs/adr/0064-…). */

let world: MainApp;
let tenant: Tenant;
let finance: Member;
let approver: Member;
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
  approver = await world.member(tenant, 'approver');
  await approveNewPayees(true);
});
afterEach(() => expect(world.complaints.splice(0)).toEqual([]));

async function approveNewPayees(on: boolean) {
  const body = { timeZone: 'Asia/Hong_Kong', codeRecipient: 'initiator', approveNewPayees: on };
  return succeed(world, organisation.setCompanySettings, { as: tenant.admin, body });
}

const add = async (as = finance, body: object = newPayee()) =>
  (await succeed(world, payees.addCryptoPayee, { as, body })).data;
const read = (id: string, as = finance) => world.ask(payees.getCryptoPayee, { as, params: { id } });
const statusOf = async (id: string) => (await read(id)).data.status;
const taskOf = async (id: string) => (await read(id)).data.approval?.taskId ?? '';
const task = async (id: string, as = approver) =>
  (await succeed(world, approvals.getApproval, { as, params: { id } })).data;
const decide = async (id: string, outcome: 'approved' | 'rejected', as = approver) =>
  world.ask(approvals.decideApprovals, await decision(world, as, [id], outcome));
const titles = async (as: Member) =>
  (await succeed(world, notices.listNotices, { as })).data.items.map(({ title }: { title: string }) => title);

async function send(payeeId: string) {
  const content = { id: newId(), walletId: tenant.wallets.USDT, payeeId, amount: '5', attachmentIds: [], notes: '' };
  return world.ask(transferOut, await transferRequest(world, tenant, content, finance));
}

async function blacklist(address: string): Promise<string> {
  const id = newId();
  const body = { id, kind: 'black', payeeType: 'crypto_address', account: address, remark: 'fraud' };
  await succeed(world, addListEntry, { as: tenant.admin, body });
  return id;
}

async function changeRole({ session }: Member, roleId: string) {
  await world.db.app.withCompany(tenant.id, (tx) =>
    sql`update member set role_id = ${roleId} where company_id = company_id() and id = ${session.userId}`.execute(tx),
  );
}

describe('a new payee', () => {
  test('waits, is approved by a second person with a code, and can be sent to from then on', async () => {
    await credit(world.db, tenant, 'USDT', 100_000_000n);
    const body = { ...newPayee(), label: 'Harbour Cranes', remark: 'invoices' };
    const payee = await add(finance, body);
    expect(payee).toMatchObject({
      status: 'waiting',
      approval: { waitingFor: expect.stringMatching(/^any 1 of .+ and .+$/), reason: null },
    });
    const waiting = { as: finance, query: { status: 'waiting' } };
    expect((await succeed(world, payees.listCryptoPayees, waiting)).data.items).toMatchObject([
      { id: payee.id, approval: payee.approval },
    ]);
    const usable = { as: finance, query: { status: 'usable' } };
    expect((await succeed(world, payees.listCryptoPayees, usable)).data.items).toEqual([]);
    expect(await send(payee.id)).toMatchObject({
      status: 409,
      key: 'payeeWaiting',
      fields: { payeeId: expect.any(String) },
    });

    // What its approvers see stays as it is.
    const edit = { as: finance, body: { id: payee.id, label: 'Harbour Crane', remark: '' } };
    expect(await world.ask(payees.editCryptoPayee, edit)).toMatchObject({ status: 409, key: 'payeeNotEditable' });

    const taskId = payee.approval?.taskId ?? '';
    expect(await task(taskId)).toMatchObject({
      kind: 'payee',
      shape: 'account',
      name: 'New payee: Harbour Cranes',
      amount: null,
      mayDecide: true,
      initiator: { id: finance.session.userId },
      party: { name: 'Harbour Cranes', account: payee.address },
      facts: [
        { label: 'Chain', value: 'Ethereum' },
        { label: 'Coin', value: 'USDT' },
      ],
      content: {
        notes: 'invoices',
        party: { id: payee.id, account: payee.address, paymentCount: 0, addedAt: payee.createdAt },
        dealtWith: false,
      },
      link: { path: `/app/payee/${payee.id}` },
    });
    const todo = await succeed(world, approvals.listTodo, { as: approver });
    expect(todo.data.waitingForMe.items).toMatchObject([{ taskId, kind: 'payee', amount: null }]);
    const byKind = { as: approver, query: { view: 'pending', kind: 'payee', keyword: payee.address } };
    expect((await succeed(world, approvals.listApprovals, byKind)).data.items).toMatchObject([{ id: taskId }]);
    expect(await titles(approver)).toEqual(['Payee waiting for your approval: Harbour Cranes on Ethereum']);

    expect((await decide(taskId, 'approved')).status).toBe(200);
    expect((await read(payee.id)).data).toMatchObject({ status: 'usable', approval: null });
    expect(await titles(finance)).toContain('Payee approved: Harbour Cranes on Ethereum');
    expect((await send(payee.id)).status).toBe(200);
  });

  test('is not approved by the person who added it, nor by one who came to the right later', async () => {
    const own = await add(tenant.admin);
    expect(await decide(await taskOf(own.id), 'approved', tenant.admin)).toMatchObject({ key: 'approvalOwn' });
    const viewer = await world.member(tenant, 'viewer');
    const seen = { as: viewer, params: { id: await taskOf(own.id) } };
    expect((await world.ask(approvals.getApproval, seen)).key).toBe('notFound');
    expect(await statusOf(own.id)).toBe('waiting');
  });

  test('is refused where no other member may approve, with what to do about it', async () => {
    await changeRole(approver, systemRoleIds.viewer);
    const refused = await world.ask(payees.addCryptoPayee, { as: tenant.admin, body: newPayee() });
    expect(refused).toMatchObject({ status: 409, key: 'payeeNobodyApproves' });
    expect(refused.errors[0]).toContain('switch off “New payees need approval”');
    expect((await succeed(world, payees.listCryptoPayees, { as: finance })).data.items).toEqual([]);
    // Another member's payee can be approved by the administrator.
    expect((await add(finance)).status).toBe('waiting');
    const { data } = await succeed(world, organisation.getCompanySettings, { as: tenant.admin });
    expect(data).toMatchObject({ approveNewPayees: true, approverCount: 1 });
  });

  test('stays in the book as rejected with the reason, can be added again and be deleted', async () => {
    const body = newPayee();
    const payee = await add(finance, body);
    expect((await decide(await taskOf(payee.id), 'rejected')).status).toBe(200);
    expect((await read(payee.id)).data).toMatchObject({
      status: 'rejected',
      approval: { waitingFor: null, reason: 'seen' },
    });
    expect(await send(payee.id)).toMatchObject({ status: 409, key: 'payeeUnusable' });
    const check = { as: finance, query: { chain: body.chain, address: payee.address } };
    expect((await succeed(world, payees.checkAddress, check)).data.knownAs).toBeNull();

    const again = await add(finance, { ...body, label: 'Supplier again' });
    expect((await task(await taskOf(again.id))).content).toMatchObject({
      party: { warnings: expect.arrayContaining(['An approver rejected this address before: seen']) },
    });
    await succeed(world, payees.deleteCryptoPayee, { as: finance, params: { id: payee.id } });
    // A deleted rejection is not forgotten.
    expect((await task(await taskOf(again.id))).content).toMatchObject({
      party: { warnings: expect.arrayContaining(['An approver rejected this address before: seen']) },
    });
    expect((await world.ask(payees.addCryptoPayee, { as: finance, body })).key).toBe('payeeExists');
  });

  test('is deleted when its creator withdraws it; deleting it withdraws the task', async () => {
    const first = await add();
    const firstTask = await taskOf(first.id);
    await succeed(world, approvals.withdrawApproval, { as: finance, body: { id: firstTask } });
    expect((await read(first.id)).key).toBe('payeeNotFound');
    expect(await task(firstTask)).toMatchObject({ end: 'withdrawn', content: { party: { id: null } } });

    const second = await add();
    const secondTask = await taskOf(second.id);
    await succeed(world, payees.deleteCryptoPayee, { as: finance, params: { id: second.id } });
    expect(await task(secondTask)).toMatchObject({ end: 'withdrawn' });
    expect((await decide(secondTask, 'approved')).key).toBe('approvalNotPending');

    const third = await add();
    const thirdTask = await taskOf(third.id);
    await succeed(world, payees.deleteCryptoPayee, { as: tenant.admin, params: { id: third.id } });
    expect(await task(thirdTask)).toMatchObject({ end: 'stopped', reason: 'The payee was deleted.' });
    expect(await titles(finance)).toContain('Approval of a payee stopped: Supplier on Ethereum');
  });

  test('expires in the worker, which can never approve one', async () => {
    const payee = await add();
    const taskId = await taskOf(payee.id);
    const subjects = subjectsByKind(approvalSubjects(systemClock, chainFamilies, {}));
    const inDays = (days: number) => ({ now: () => new Date(Date.now() + days * 24 * 3_600_000) });
    const tend = (days: number) =>
      tendApprovals({ database: world.db.worker, subjects, log: createLog('test', 'silent'), clock: inDays(days) });
    await tend(2);
    expect(await titles(approver)).toContain('Payee still waiting for your approval: Supplier on Ethereum');
    const byWorker = (to: string) =>
      world.db.worker.withCompany(tenant.id, (tx) =>
        sql`update crypto_payee set approval = ${to} where company_id = company_id() and id = ${payee.id}`.execute(tx),
      );
    await expect(byWorker('approved')).rejects.toThrow(/row-level security/);
    await tend(8);
    expect(await task(taskId)).toMatchObject({ end: 'expired' });
    expect((await read(payee.id)).data).toMatchObject({
      status: 'rejected',
      approval: { reason: 'No decision was made in time.' },
    });
    expect(await titles(finance)).toContain('Approval of a payee expired: Supplier on Ethereum');
  });

  test('is void once what was to be approved is another', async () => {
    const payee = await add();
    const taskId = await taskOf(payee.id);
    const request = await decision(world, approver, [taskId]);
    const superuser = new pg.Client(world.db.superuserUrl);
    await superuser.connect();
    await superuser.query(`update causeway.crypto_payee set label = 'Another' where id = $1`, [payee.id]);
    await superuser.end();
    expect((await world.ask(approvals.decideApprovals, request)).key).toBe('approvalVoided');
    expect(await statusOf(payee.id)).toBe('rejected');
  });

  test('is not approved once its creator may not manage payees any more', async () => {
    const payee = await add();
    const taskId = await taskOf(payee.id);
    await changeRole(finance, systemRoleIds.viewer);
    expect((await decide(taskId, 'approved')).key).toBe('approvalStopped');
    expect((await read(payee.id, tenant.admin)).data.status).toBe('rejected');
  });

  test('that was decided on never waits again, whichever role writes it', async () => {
    const payee = await add();
    await decide(await taskOf(payee.id), 'approved');
    const back = world.db.app.withCompany(tenant.id, (tx) =>
      sql`update crypto_payee set approval = 'waiting' where company_id = company_id() and id = ${payee.id}`.execute(
        tx,
      ),
    );
    await expect(back).rejects.toThrow(/has ended as approved/);
  });
});

describe('the setting', () => {
  test('leaves payees that exist usable; those that wait when it is switched off still need approval', async () => {
    await approveNewPayees(false);
    const before = await add();
    expect(before.status).toBe('usable');
    await approveNewPayees(true);
    expect(await statusOf(before.id)).toBe('usable');
    const waiting = await add();
    await approveNewPayees(false);
    expect(await statusOf(waiting.id)).toBe('waiting');
    expect((await add()).status).toBe('usable');
    expect((await decide(await taskOf(waiting.id), 'approved')).status).toBe(200);
    expect(await statusOf(waiting.id)).toBe('usable');
  });
});

describe('the black list and the approval', () => {
  test('a waiting payee that is blacklisted is not approved', async () => {
    const payee = await add();
    const taskId = await taskOf(payee.id);
    await blacklist(payee.address);
    expect(await statusOf(payee.id)).toBe('waiting');
    expect((await task(taskId)).content).toMatchObject({
      party: { warnings: expect.arrayContaining(['The address is on the blacklist.']) },
    });
    const refused = await decide(taskId, 'approved');
    expect(refused).toMatchObject({ status: 409, key: 'approvalStopped' });
    expect(refused.errors[0]).toContain('The address is on the blacklist.');
    expect((await read(payee.id)).data).toMatchObject({
      status: 'rejected',
      approval: { reason: 'The address is on the blacklist.' },
    });
  });

  test('taking an address off the black list approves nothing', async () => {
    const payee = await add();
    const entry = await blacklist(payee.address);
    await succeed(world, deleteListEntry, { as: tenant.admin, params: { id: entry } });
    expect(await statusOf(payee.id)).toBe('waiting');
    expect((await decide(await taskOf(payee.id), 'approved')).status).toBe(200);
    expect(await statusOf(payee.id)).toBe('usable');
  });

  test('an approved payee is unusable while it is blacklisted, and usable after it, without another approval', async () => {
    const payee = await add();
    await decide(await taskOf(payee.id), 'approved');
    const entry = await blacklist(payee.address);
    expect(await statusOf(payee.id)).toBe('unusable');
    await succeed(world, deleteListEntry, { as: tenant.admin, params: { id: entry } });
    expect(await statusOf(payee.id)).toBe('usable');
  });

  test('a rejected payee stays rejected, whatever the black list does', async () => {
    const payee = await add();
    const entry = await blacklist(payee.address);
    await decide(await taskOf(payee.id), 'rejected');
    expect(await statusOf(payee.id)).toBe('rejected');
    await succeed(world, deleteListEntry, { as: tenant.admin, params: { id: entry } });
    expect(await statusOf(payee.id)).toBe('rejected');
  });
});
