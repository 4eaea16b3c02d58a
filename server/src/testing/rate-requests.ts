import { addRateAlert } from '@causeway/contract/alerts.ts';
import { newId } from '../platform/ids.ts';
import type { MainApp, Request, Tenant } from './main-app.ts';
import { keepTestMids } from './prices.ts';
import { succeed } from './succeed.ts';

/** Of the calls about rates and their alerts: a request that succeeds, as in `validRequests`. */
export const rateRequests: Record<string, (world: MainApp, tenant: Tenant) => Promise<Request>> = {
  listRates: async (_, { admin }) => ({ as: admin }),
  getRateHistory: async (_, { admin }) => ({ as: admin, query: { sell: 'ETH', buy: 'USD', span: 'day' } }),
  listRateAlerts: async (_, { admin }) => ({ as: admin }),
  addRateAlert: adding,
  removeRateAlert: async (world, tenant) => {
    const { data } = await succeed(world, addRateAlert, await adding(world, tenant));
    return { as: tenant.admin, params: { id: data.id } };
  },
};

async function adding(world: MainApp, { admin }: Tenant) {
  await keepTestMids(world.db);
  return { as: admin, body: { id: newId(), sell: 'USDC', buy: 'USDT', direction: 'above' as const, value: '2' } };
}
