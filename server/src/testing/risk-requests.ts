import * as risk from '@causeway/contract/risk.ts';
import * as lists from '@causeway/contract/risk-lists.ts';
import { assess } from '../features/risk/index.ts';
import { newId } from '../platform/ids.ts';
import { randomAddress } from './company.ts';
import { consent } from './consent.ts';
import type { MainApp, Request, Tenant } from './main-app.ts';
import { riskSubject } from './risk.ts';
import { succeed } from './succeed.ts';

/** Requests of risk that succeed, with everything that they need. */
export const riskRequests: Record<string, (world: MainApp, tenant: Tenant) => Promise<Request>> = {
  listRiskPolicies: async (_, { admin }) => ({ as: admin }),
  addRiskPolicy: async (_, { admin }) => ({ as: admin, body: { id: newId(), ...newPolicy(), position: 1 } }),
  editRiskPolicy: async (world, { admin }) => {
    const policy = (await succeed(world, risk.addRiskPolicy, { as: admin, body: newPolicy() })).data;
    return { as: admin, body: { id: policy.id, version: 1, ...newPolicy(), window: 'month' } };
  },
  deleteRiskPolicy: async (world, tenant) => ({ as: tenant.admin, body: { id: await policy(world, tenant) } }),
  moveRiskPolicy: async (world, tenant) => ({
    as: tenant.admin,
    body: { id: await policy(world, tenant), position: 1 },
  }),
  setRiskPolicyStatus: async (world, tenant) => ({
    as: tenant.admin,
    body: { id: await policy(world, tenant), active: false },
  }),
  listRiskPolicyLogs: async (world, tenant) => ({
    as: tenant.admin,
    query: { policyId: await policy(world, tenant) },
  }),
  listIntercepts: async (world, tenant) => ({ as: tenant.admin, params: { id: await policy(world, tenant) } }),
  listRiskPolicyVersions: async (world, tenant) => ({ as: tenant.admin, params: { id: await policy(world, tenant) } }),
  replayRiskPolicies: async (world, tenant) => ({
    as: tenant.admin,
    body: { policy: { id: await policy(world, tenant), ...newPolicy() } },
  }),
  explainRisk: async (world, tenant) => {
    const subject = riskSubject();
    await world.db.app.withCompany(tenant.id, (tx) => assess(tx, subject, 'submission'));
    return { as: tenant.admin, params: { id: subject.id } };
  },
  listNamelist: async (_, { admin }) => ({ as: admin, query: { kind: 'white' } }),
  addListEntry: async (_, { admin }) => ({ as: admin, body: { id: newId(), ...newEntry() } }),
  editListEntry: async (world, tenant) => ({
    as: tenant.admin,
    body: { id: await entry(world, tenant), remark: 'checked' },
  }),
  deleteListEntry: async (world, tenant) => ({ as: tenant.admin, params: { id: await entry(world, tenant) } }),
  listNamelistLogs: async (world, tenant) => ({
    as: tenant.admin,
    query: { entryId: await entry(world, tenant) },
  }),
  importNamelist: async (_, { admin }) => {
    const content = Buffer.from(`payeeType,account,remark\ncrypto_address,${randomAddress()},scam\n`);
    return { as: admin, query: { kind: 'black', dryRun: 'false' }, upload: { name: 'list.csv', content } };
  },
  exportNamelist: async (_, { admin }) => ({ as: admin, query: { kind: 'white' } }),
  getRiskSetting: async (_, { admin }) => ({ as: admin }),
  setRiskSetting: async (_, { admin }) => ({ as: admin, body: { onlyWhitelisted: false } }),
};

/** A policy that stops nothing that these requests send. */
function newPolicy() {
  return {
    name: 'Large transfers',
    business: 'crypto_withdrawal',
    method: 'forbid',
    content: { dimension: 'crypto_quantity', coin: 'USDT', from: '1000000000', to: null },
    result: 'deny',
    window: 'day',
  };
}

async function policy(world: MainApp, tenant: Tenant): Promise<string> {
  return (await succeed(world, risk.addRiskPolicy, { as: tenant.admin, body: newPolicy() })).data.id;
}

function newEntry() {
  const limits = { single: '100', daily: '200', cumulative: '300.50' };
  return { kind: 'white', payeeType: 'crypto_address', account: randomAddress(), remark: 'supplier', limits };
}

async function entry(world: MainApp, tenant: Tenant): Promise<string> {
  const added = await succeed(world, lists.addListEntry, { as: tenant.admin, body: newEntry() });
  if (!added.data.applied) await consent(world, await world.member(tenant, 'administrator'), added);
  return added.data.id;
}
