import * as bankPayees from '@causeway/contract/bank-payees.ts';
import { newId } from '../platform/ids.ts';
import type { MainApp, Request, Tenant } from './main-app.ts';
import { succeed } from './succeed.ts';

/** Of the calls about payees with a bank account: a request that succeeds, as in `validRequests`. */
export const bankPayeeRequests: Record<string, (world: MainApp, tenant: Tenant) => Promise<Request>> = {
  listBankPayees: async (_, { admin }) => ({ as: admin }),
  getBankPayee: async (world, tenant) => ({ as: tenant.admin, params: { id: (await bankPayee(world, tenant)).id } }),
  checkBankPayee: async (world, tenant) => ({
    as: tenant.admin,
    body: { id: (await bankPayee(world, tenant)).id, ...newBankAccount() },
  }),
  addBankPayee: async (_, { admin }) => ({
    as: admin,
    body: { id: newId(), label: 'Bank supplier', ...newBankAccount() },
  }),
  editBankPayee: async (world, tenant) => {
    const { id, account } = await bankPayee(world, tenant);
    return { as: tenant.admin, body: { id, versionId: account.id, ...newBankAccount() } };
  },
  labelBankPayee: async (world, tenant) => ({
    as: tenant.admin,
    body: { id: (await bankPayee(world, tenant)).id, label: 'Bank supplier Ltd', remark: 'quarterly' },
  }),
  deleteBankPayee: async (world, tenant) => ({
    as: tenant.admin,
    params: { id: (await bankPayee(world, tenant)).id },
  }),
};

async function bankPayee(world: MainApp, tenant: Tenant) {
  const body = { id: newId(), label: 'Bank supplier', ...newBankAccount() };
  return (await succeed(world, bankPayees.addBankPayee, { as: tenant.admin, body })).data;
}

let lastBankAccount = 200_000_000;

/** An account in Hong Kong that no payee has yet. */
export function newBankAccount() {
  lastBankAccount += 1;
  return {
    holder: 'enterprise',
    enterpriseName: `Harbour Supplies ${lastBankAccount} Limited`,
    country: 'HK',
    currency: 'HKD',
    way: 'hkFps',
    bankCode: '004',
    account: String(lastBankAccount),
  } as const;
}
