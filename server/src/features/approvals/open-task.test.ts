import * as approvals from '@causeway/contract/approvals.ts';
import { transferOut } from '@causeway/contract/transfers.ts';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { newId } from '../../platform/ids.ts';
import { credit } from '../../testing/company.ts';
import { testDatabase } from '../../testing/database.ts';
import { seenVersion, switchReview } from '../../testing/four-eyes.ts';
import { type MainApp, type Member, mainApp, type Tenant } from '../../testing/main-app.ts';
import { succeed } from '../../testing/succeed.ts';
import { payee, transferRequest } from '../../testing/valid-requests.ts';

/** What opening a task asks of the database: one statement that reads and three that write, beside the submission's own. */

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
  await credit(world.db, tenant, 'USDT', 100_000_000n);
});
afterEach(() => {
  vi.restoreAllMocks();
  expect(world.complaints.splice(0)).toEqual([]);
});

/** The statements of one submission, in the order in which they were issued; `begin`, `commit` and locks are not among them. */
async function submission(): Promise<{ id: string; statements: string[] }> {
  const content = {
    walletId: tenant.wallets.USDT,
    payeeId: await payee(world, tenant),
    amount: '20',
    attachmentIds: [],
  };
  const request = await transferRequest(world, tenant, { id: newId(), ...content }, finance);
  const query = vi.spyOn(pg.Client.prototype, 'query');
  const { data } = await succeed(world, transferOut, request);
  const texts = query.mock.calls.map(([statement]) =>
    typeof statement === 'string' ? statement : ((statement as { text?: string }).text ?? ''),
  );
  query.mockRestore();
  return { id: data.id, statements: texts.filter((text) => !/^\s*(begin|commit)/.test(text)) };
}

async function requireApproval(): Promise<void> {
  const { admin } = tenant;
  const nodes = [{ needed: 1, approvers: [{ kind: 'person' as const, id: approver.session.userId }] }];
  const rule = { name: 'All payments', lower: '0', upper: null, nodes, active: true };
  const version = await seenVersion(world, admin);
  await succeed(world, approvals.addRule, { as: admin, body: { version, id: newId(), rule } });
  await switchReview(world, admin, true);
}

const ofApprovals = /\b(approval_\w+|notice|member|authority_change|department|company_setting)\b/;

test('a submission that must be approved writes task, notice and their events beside its own, and reads whom its rule names', async () => {
  // The first of a process reads what is kept in memory from then on.
  await submission();
  const { statements: without } = await submission();
  await requireApproval();
  const { id, statements } = await submission();
  const routes = statements.filter((text) => text.includes('approval_rule'));
  const tasks = statements.filter((text) => text.includes('approval_task'));
  expect(routes).toHaveLength(1);
  expect(tasks).toHaveLength(1);
  expect(statements.filter((text) => text.includes('insert into notice'))).toHaveLength(1);
  // The people whom the rule names, read where a rule matched.
  expect(statements.filter((text) => /\bauthority_change\b/.test(text))).toHaveLength(1);
  expect(statements.length - without.length).toBe(4);
  expect(
    statements.filter((text) => ofApprovals.test(text)).length -
      without.filter((text) => ofApprovals.test(text)).length,
  ).toBe(3);
  const { items } = (await succeed(world, approvals.listApprovals, { as: approver, query: { view: 'pending' } })).data;
  expect(items).toMatchObject([{ subjectId: id, kind: 'transfer', shape: 'payment', mayDecide: true }]);
});

test('the first approvers are notified, and the browsers of the company learn of the task', async () => {
  await requireApproval();
  const { id } = await submission();
  const { items } = (await succeed(world, approvals.listApprovals, { as: finance, query: { view: 'initiated' } })).data;
  expect(items).toMatchObject([{ subjectId: id, party: { name: expect.any(String) }, department: null }]);
  const client = new pg.Client(world.db.superuserUrl);
  await client.connect();
  const { rows } = await client.query(
    `select o.name, o.payload ->> 'topic' as topic, o.payload ->> 'userId' as "to" from causeway.outbox o
     where o.company_id = $1 and (o.payload ->> 'topic' in ('approval', 'notice') or o.payload ->> 'userId' = $2)`,
    [tenant.id, approver.session.userId],
  );
  await client.end();
  expect(rows).toEqual(
    expect.arrayContaining([
      { name: 'live', topic: 'approval', to: null },
      { name: 'live', topic: 'notice', to: null },
      { name: 'notices.mailDue', topic: null, to: approver.session.userId },
    ]),
  );
});
