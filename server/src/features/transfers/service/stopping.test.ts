import * as approvals from '@causeway/contract/approvals.ts';
import { sendUserCode } from '@causeway/contract/identity.ts';
import { listNotices } from '@causeway/contract/notices.ts';
import { getCryptoPayee } from '@causeway/contract/payees.ts';
import { addListEntry, deleteListEntry, listNamelistLogs } from '@causeway/contract/risk-lists.ts';
import { getTransaction, listTransactions } from '@causeway/contract/transactions.ts';
import { transferOut } from '@causeway/contract/transfers.ts';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { newId } from '../../../platform/ids.ts';
import { createLog } from '../../../platform/process/log.ts';
import { decision } from '../../../testing/approval-requests.ts';
import { credit } from '../../../testing/company.ts';
import { expectCompanyBooks, walletBalances } from '../../../testing/company-books.ts';
import { testDatabase } from '../../../testing/database.ts';
import { type MainApp, type Member, mainApp, type Tenant } from '../../../testing/main-app.ts';
import { sendingJobs } from '../../../testing/sending.ts';
import { succeed } from '../../../testing/succeed.ts';
import { payee, transferRequest } from '../../../testing/valid-requests.ts';
import type { Signer } from '../../chains/index.ts';
import { reached, transactionNoticeJobs } from '../../transactions/index.ts';

/** What the controls forbid is stopped at every stage: at submission, in review, approved, at the hand-over to signing. */

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
afterEach(async () => {
  await expectCompanyBooks(world.db, tenant.id);
  expect(world.complaints.splice(0)).toEqual([]);
});

const before = { available: 100_000_000n, chain: -100_000_000n };
const balances = () => walletBalances(world.db, tenant.id, tenant.wallets.USDT);
const signer: Signer = { sign: () => Promise.reject(new Error('nothing may come to be signed here')) };

/** Runs a job of the worker, which knows no chain: whatever asks one fails. */
async function run(name: string, payload: Record<string, unknown> = {}): Promise<void> {
  const log = createLog('test', 'silent');
  const { worker } = world.db;
  const job = sendingJobs({ database: worker, gateways: new Map(), signer, log }).find((each) => each.name === name);
  if (!job) throw new Error(`there is no job ${name}`);
  await job.run({ companyId: tenant.id, database: worker, log }, payload);
}

/** Runs the job that tells the company how a transfer ended; mails that fall due by it are for its test. */
async function tellOf(transactionId: string): Promise<void> {
  const [job] = transactionNoticeJobs();
  const context = { companyId: tenant.id, database: world.db.worker, log: createLog('test', 'silent') };
  await job?.run(context, reached(transactionId, 'refused').payload);
}

async function requested() {
  const content = { id: newId(), walletId: tenant.wallets.USDT, payeeId, amount: '5', attachmentIds: [], notes: '' };
  return transferRequest(world, tenant, content, finance);
}

async function submit(): Promise<string> {
  return (await succeed(world, transferOut, await requested())).data.id;
}

async function blacklist(): Promise<string> {
  const { address } = (await succeed(world, getCryptoPayee, { as: finance, params: { id: payeeId } })).data;
  const body = { kind: 'black', payeeType: 'crypto_address', account: address, remark: 'sanctioned' };
  return (await succeed(world, addListEntry, { as: tenant.admin, body })).data.id;
}

async function switchReviewOn(approver: Member): Promise<void> {
  const { admin } = tenant;
  const node = { approvers: [{ kind: 'person', id: approver.session.userId }], needed: 1 };
  const rule = { name: 'All', lower: '0', upper: null, nodes: [node], active: true };
  await succeed(world, approvals.addRule, { as: admin, body: { version: 0, id: newId(), rule } });
  const content = { enabled: true };
  await succeed(world, sendUserCode, {
    as: admin,
    body: { scenario: 'transaction', subject: { kind: 'review', content } },
  });
  const body = { ...content, codeMethod: 'email', code: await world.takeCode() };
  await succeed(world, approvals.setReviewEnabled, { as: admin, body });
}

async function expectRefused(id: string): Promise<void> {
  const { data } = await succeed(world, getTransaction, { as: finance, params: { id } });
  expect(data).toMatchObject({ status: 'failed', stage: 'refused', waitingFor: null });
  expect(data.failureReason).not.toBe('');
  expect(await balances()).toEqual(before);
  const refunds = (await succeed(world, listTransactions, { as: finance, query: { type: 'failed_refund' } })).data;
  expect(refunds.items).toHaveLength(1);
}

test('a transfer to a blacklisted payee is refused, moves nothing, and stays in the log of the list', async () => {
  const request = await requested();
  const entryId = await blacklist();
  // The payee became unusable at once, which is said first; risk itself is asked for one that is usable again.
  expect(await world.ask(transferOut, request)).toMatchObject({ status: 409, key: 'payeeUnusable' });
  await succeed(world, deleteListEntry, { as: tenant.admin, params: { id: entryId } });
  expect((await world.ask(transferOut, request)).status).toBe(200);
  const logs = (await succeed(world, listNamelistLogs, { as: tenant.admin, query: { kind: 'black' } })).data;
  expect(logs.items.length).toBeGreaterThan(0);
});

test('one that is approved and not yet signed stops when its payee is blacklisted, and its hold comes back', async () => {
  const id = await submit();
  await blacklist();
  await run('outgoing.stopForbidden');
  await expectRefused(id);
  // Doing it again changes nothing, and there is nothing left to send.
  await run('outgoing.stopForbidden');
  await run('outgoing.send', { transactionId: id });
  await expectRefused(id);
});

test('the last look is at the hand-over: what is forbidden by then never reaches the chain or the signer', async () => {
  const id = await submit();
  await blacklist();
  await run('outgoing.send', { transactionId: id });
  await expectRefused(id);
});

test('one that waits for approval stops with its task', async () => {
  const approver = await world.member(tenant, 'approver');
  await switchReviewOn(approver);
  const id = await submit();
  const { data } = await succeed(world, getTransaction, { as: finance, params: { id } });
  expect(data).toMatchObject({ stage: 'waiting_approval', approvalTaskId: expect.any(String) });
  expect(data.waitingFor).toContain('Ada');
  const look = async () =>
    (await succeed(world, approvals.getApproval, { as: approver, params: { id: data.approvalTaskId! } })).data;
  const fine = 'No list or policy stops it.';
  const { content } = await look();
  const risk = { allowed: true, sentence: fine, findings: [] };
  expect(content).toMatchObject({ shape: 'payment', evidence: { risk } });
  await blacklist();
  await run('outgoing.stopForbidden');
  await expectRefused(id);
  expect(await look()).toMatchObject({ status: 'rejected', end: 'stopped' });
});

test('an approval of what is forbidden by now stops it instead', async () => {
  const approver = await world.member(tenant, 'approver');
  await switchReviewOn(approver);
  const id = await submit();
  const { approvalTaskId } = (await succeed(world, getTransaction, { as: finance, params: { id } })).data;
  await blacklist();
  const answer = await world.ask(approvals.decideApprovals, await decision(world, approver, [approvalTaskId!]));
  expect(answer).toMatchObject({ status: 409, key: 'approvalStopped' });
  await expectRefused(id);
});

test('an approved one goes on its way, a rejected one gives back what was held', async () => {
  const approver = await world.member(tenant, 'approver');
  await switchReviewOn(approver);
  const [going, refused] = [await submit(), await submit()];
  const taskOf = async (id: string) =>
    (await succeed(world, getTransaction, { as: finance, params: { id } })).data.approvalTaskId as string;
  await succeed(world, approvals.decideApprovals, await decision(world, approver, [await taskOf(going)]));
  const no = await decision(world, approver, [await taskOf(refused)], 'rejected');
  await succeed(world, approvals.decideApprovals, { ...no, body: { ...no.body, opinion: 'Not ordered by us' } });
  const stageOf = async (id: string) => (await succeed(world, getTransaction, { as: finance, params: { id } })).data;
  expect(await stageOf(going)).toMatchObject({ status: 'pending', stage: 'approved' });
  expect(await stageOf(refused)).toMatchObject({ stage: 'refused', failureReason: 'Not ordered by us' });
  expect(await balances()).toEqual({ ...before, available: 94_000_000n, outbound: 6_000_000n });

  // What its notice says is said once to each: to the initiator with the words of who rejected it.
  await tellOf(refused);
  const about = async (as: Member) => {
    const { items } = (await succeed(world, listNotices, { as })).data;
    return items.flatMap(({ title, body }: { title: string; body: string }) =>
      /Rejected|failed/.test(title) ? [body] : [],
    );
  };
  expect(await about(finance)).toEqual([
    expect.stringMatching(/^Ada Wong rejected your transfer .*: Not ordered by us$/),
  ]);
  expect(await about(tenant.admin)).toEqual([expect.stringContaining('was not sent to')]);
  await tellOf(refused);
  expect(await about(finance)).toHaveLength(1);
});
