import * as approvals from '@causeway/contract/approvals.ts';
import { sendUserCode } from '@causeway/contract/identity.ts';
import { transferOut } from '@causeway/contract/transfers.ts';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { newId } from '../../../platform/ids.ts';
import { createLog } from '../../../platform/process/log.ts';
import { decision } from '../../../testing/approval-requests.ts';
import { outgoingKinds } from '../../../testing/chain-families.ts';
import { credit } from '../../../testing/company.ts';
import { testDatabase } from '../../../testing/database.ts';
import { type MainApp, type Member, mainApp, type Tenant } from '../../../testing/main-app.ts';
import { enact, forbidding } from '../../../testing/risk.ts';
import { sendingJobs } from '../../../testing/sending.ts';
import { succeed, transferContent, transferRequest } from '../../../testing/valid-requests.ts';
import { stopForbidden } from '../../outgoing/service/stop.ts';

/** Every stop of a transfer takes its locks in one order: task, transaction, risk, ledger. */

let world: MainApp;
let tenant: Tenant;
let approver: Member;
beforeAll(async () => {
  world = await mainApp(await testDatabase());
});
beforeEach(async () => {
  tenant = await world.company();
  approver = await world.member(tenant, 'approver');
  const { admin } = tenant;
  const node = { needed: 1, approvers: [{ kind: 'person', id: approver.session.userId }] };
  const rule = { name: 'All', lower: '0', upper: null, nodes: [node], active: true };
  await succeed(world, approvals.addRule, { as: admin, body: { version: 0, id: newId(), rule } });
  const content = { enabled: true };
  const body = { scenario: 'transaction', subject: { kind: 'review', content } };
  await succeed(world, sendUserCode, { as: admin, body });
  const code = await world.takeCode();
  await succeed(world, approvals.setReviewEnabled, { as: admin, body: { ...content, codeMethod: 'email', code } });
  await credit(world.db, tenant, 'USDT', 1_000_000_000n);
});
afterAll(async () => {
  await world.close();
  await world.db.close();
});
afterEach(() => expect(world.complaints.splice(0)).toEqual([]));

async function submitted(): Promise<{ id: string; taskId: string }> {
  const request = await transferRequest(world, tenant, await transferContent(world, tenant));
  const { id } = (await succeed(world, transferOut, request)).data;
  const { rows } = await world.db.app.withCompany(tenant.id, (tx) =>
    sql<{ taskId: string }>`
      select id as "taskId" from approval_task where company_id = company_id() and subject_id = ${id}`.execute(tx),
  );
  return { id, taskId: rows[0]?.taskId ?? '' };
}

async function stageOf(id: string): Promise<string | undefined> {
  const { rows } = await world.db.app.withCompany(tenant.id, (tx) =>
    sql<{ stage: string }>`select stage from transaction where company_id = company_id() and id = ${id}`.execute(tx),
  );
  return rows[0]?.stage;
}

/** Until a statement of the worker waits for a lock; no role sees what other roles wait for. */
const somebodyWaits = () =>
  expect
    .poll(
      async () => {
        const { rows } = await world.db.worker.pool.query(
          `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        );
        return rows.length;
      },
      { timeout: 10_000 },
    )
    .toBe(1);

const lockTask = (taskId: string) =>
  sql`select from approval_task where company_id = company_id() and id = ${taskId} for no key update`;

test('at the hand-over, with the transaction locked, the task is not waited for', async () => {
  const { id, taskId } = await submitted();
  await succeed(world, approvals.decideApprovals, await decision(world, approver, [taskId]));
  await enact(world.db, tenant.id, forbidding({ dimension: 'coin', coins: ['USDT'] }));
  const log = createLog('test', 'silent');
  const signer = { sign: () => Promise.reject(new Error('nothing may come to be signed here')) };
  const jobs = sendingJobs({ database: world.db.worker, gateways: new Map(), signer, log });
  const send = jobs.find(({ name }) => name === 'outgoing.send');
  // As a cancel does: the task first, the transaction next. Were it waited for, this would never end.
  await world.db.app.withCompany(tenant.id, async (tx) => {
    await lockTask(taskId).execute(tx);
    await send?.run({ companyId: tenant.id, database: world.db.worker, log }, { transactionId: id });
  });
  expect(await stageOf(id)).toBe('refused');
});

test('when the lists have changed, the task comes before the policy that stops its transfer', async () => {
  const { id, taskId } = await submitted();
  await enact(world.db, tenant.id, forbidding({ dimension: 'coin', coins: ['USDT'] }));
  // As an approver does: the task first, then what stops it.
  let stopping: Promise<void> | undefined;
  await world.db.app.withCompany(tenant.id, async (tx) => {
    await lockTask(taskId).execute(tx);
    stopping = stopForbidden(world.db.worker, outgoingKinds, tenant.id);
    await somebodyWaits();
    await sql`select from risk_policy where company_id = company_id() for update nowait`.execute(tx);
  });
  await stopping;
  expect(await stageOf(id)).toBe('refused');
});
