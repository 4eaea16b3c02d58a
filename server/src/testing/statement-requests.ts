import type { MainApp, Request, Tenant } from './main-app.ts';
import { reportNext } from './solvency-nights.ts';

/** Of the calls about statements and proofs of reserves: a request that succeeds, as in `validRequests`. */
export const statementRequests: Record<string, (world: MainApp, tenant: Tenant) => Promise<Request>> = {
  listStatements: async (_, { admin }) => ({ as: admin }),
  getPeriodStatement: async (_, { admin, wallets }) => ({ as: admin, params: { id: wallets.USDT } }),
  downloadStatement: async (_, { admin, wallets }) => ({
    as: admin,
    query: { walletId: wallets.USDT, format: 'csv' },
  }),
  listReserveProofs: async (_, { admin }) => ({ as: admin }),
  getReserveProof: async (world, { admin }) => ({ as: admin, params: { day: await reportNext(world.db) } }),
  downloadReserveProof: async (world, { admin }) => ({ as: admin, params: { day: await reportNext(world.db) } }),
};
