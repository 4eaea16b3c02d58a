import * as approvals from '@causeway/contract/approvals.ts';
import { sendUserCode } from '@causeway/contract/identity.ts';
import { newId } from '../platform/ids.ts';
import type { MainApp, Member, Request, Tenant } from './main-app.ts';
import { present } from './present.ts';
import { succeed } from './succeed.ts';

/** Requests of approvals that succeed, with everything that they need. */
export const approvalRequests: Record<string, (world: MainApp, tenant: Tenant) => Promise<Request>> = {
  listApprovals: async (world, tenant) => {
    const { proposer } = await proposal(world, tenant);
    return { as: proposer, query: { view: 'all', initiatorId: proposer.session.userId } };
  },
  getApproval: async (world, tenant) => {
    const { proposer, taskId } = await proposal(world, tenant);
    return { as: proposer, params: { id: taskId } };
  },
  decideApprovals: async (world, tenant) => {
    const { taskId } = await proposal(world, tenant);
    return decision(world, await world.member(tenant, 'administrator'), [taskId]);
  },
  listTodo: async (_, { admin }) => ({ as: admin }),
  getReviewSetting: async (_, { admin }) => ({ as: admin }),
  addRule: async (world, tenant) => ({ as: tenant.admin, body: await newRule(world, tenant, newId()) }),
  changeRule: async (world, tenant) => {
    const id = await rule(world, tenant);
    return { as: tenant.admin, body: await newRule(world, tenant, id) };
  },
  deleteRule: async (world, tenant) => {
    const id = await rule(world, tenant);
    return { as: tenant.admin, body: { version: await seenVersion(world, tenant), id } };
  },
  orderRules: async (world, tenant) => {
    await rule(world, tenant);
    const { rules, version } = await settings(world, tenant);
    return { as: tenant.admin, body: { version, ids: rules.map(({ id }) => id) } };
  },
  checkReviewChange: async (world, tenant) => {
    const { id, rule: content } = await newRule(world, tenant, newId());
    return { as: tenant.admin, body: { change: { kind: 'add', id, rule: content } } };
  },
  withdrawApproval: async (world, tenant) => {
    const { proposer, taskId } = await proposal(world, tenant);
    return { as: proposer, body: { id: taskId } };
  },
  setReviewEnabled: async (world, tenant) => {
    const as = await world.member(tenant, 'administrator');
    // As it is already: a company whose review is on would want rules for every transfer of the other tests.
    const content = { enabled: false };
    await succeed(world, sendUserCode, { as, body: { scenario: 'transaction', subject: { kind: 'review', content } } });
    return { as, body: { ...content, codeMethod: 'email', code: await world.takeCode() } };
  },
  setReviewOptions: async (_, { admin }) => ({ as: admin, body: { expiryDays: 7, reminderHours: 24 } }),
  listPendingChanges: async (world, tenant) => {
    await proposal(world, tenant);
    return { as: tenant.admin };
  },
  getControlMode: async (_, { admin }) => ({ as: admin }),
  stopChange: async (world, tenant) => {
    const { taskId } = await proposal(world, tenant);
    return { as: await world.member(tenant, 'approver'), body: { id: taskId, reason: 'not agreed' } };
  },
  listApprovers: async (_, { admin }) => ({ as: admin }),
  listReviewLogs: async (_, { admin }) => ({ as: admin }),
};

/** A decision with its code, asked for and taken from the mail. */
export async function decision(
  world: MainApp,
  as: Member,
  ids: readonly string[],
  outcome: 'approved' | 'rejected' = 'approved',
): Promise<Request & { body: Record<string, unknown> }> {
  const content = { ids, outcome };
  await succeed(world, sendUserCode, { as, body: { scenario: 'transaction', subject: { kind: 'decision', content } } });
  return { as, body: { ...content, opinion: 'seen', codeMethod: 'email', code: await world.takeCode() } };
}

async function settings(
  world: MainApp,
  { admin }: Tenant,
): Promise<{ version: number; rules: { id: string }[]; enabled: boolean }> {
  return (await succeed(world, approvals.getReviewSetting, { as: admin })).data;
}

async function seenVersion(world: MainApp, tenant: Tenant): Promise<number> {
  return (await settings(world, tenant)).version;
}

async function newRule(world: MainApp, tenant: Tenant, id: string) {
  const approver = await world.member(tenant, 'approver');
  const approvers = [{ kind: 'person', id: approver.session.userId }];
  const rule = { name: 'Usual payments', lower: '0', upper: null, nodes: [{ approvers, needed: 1 }], active: true };
  return { version: await seenVersion(world, tenant), id, rule };
}

/** A change that waits for a second administrator. */
async function proposal(world: MainApp, tenant: Tenant): Promise<{ proposer: Member; taskId: string }> {
  const proposer = await world.member(tenant, 'administrator');
  await world.member(tenant, 'administrator');
  const body = await newRule(world, tenant, newId());
  const { data } = await succeed(world, approvals.addRule, { as: proposer, body });
  return { proposer, taskId: present(data.taskId) };
}

/** A rule that is in force. */
async function rule(world: MainApp, tenant: Tenant): Promise<string> {
  const body = await newRule(world, tenant, newId());
  const { data } = await succeed(world, approvals.addRule, { as: tenant.admin, body });
  if (!data.applied) {
    const second = await world.member(tenant, 'administrator');
    await succeed(world, approvals.decideApprovals, await decision(world, second, [present(data.taskId)]));
  }
  return body.id;
}
