import { addCryptoPayee } from '@causeway/contract/payees.ts';
import { newId } from '../platform/ids.ts';
import { credit, randomAddress } from './company.ts';
import type { MainApp, Request, Tenant } from './main-app.ts';
import { succeed } from './succeed.ts';
import { confirmation, confirmed, insertTestTrade, releaseRequest, saidOf, type Trading, usdt } from './trades.ts';

/** Requests about guaranteed trades. */
export const tradeRequests: Record<string, (world: MainApp, tenant: Tenant) => Promise<Request>> = {
  listTrades: async (_, { admin }) => ({ as: admin }),
  exportTrades: async (_, { admin }) => ({ as: admin }),
  getTrade: async (world, tenant) => {
    const { company, said } = await open(world, tenant);
    return { as: company.admin, params: { id: said.id } };
  },
  confirmTrade: async (world, tenant) => {
    const { said } = await open(world, tenant);
    return confirmation({ world }, await world.member(tenant, 'administrator'), said.id);
  },
  declineTrade: async (world, tenant) => {
    const { said } = await open(world, tenant);
    return { as: tenant.admin, body: { id: said.id, reason: 'Price too high' } };
  },
  releaseTrade: async (world, tenant) => releaseRequest({ world }, await frozen(world, tenant), '1000'),
  disputeTrade: async (world, tenant) => {
    const { said } = await frozen(world, tenant);
    return { as: tenant.admin, body: { id: said.id, reason: 'Wrong goods' } };
  },
};

/** A trade that the company has not answered, with the money for it. */
async function open(world: MainApp, tenant: Tenant): Promise<Trading> {
  await credit(world.db, tenant, 'USDT', 2000n * usdt);
  const said = saidOf(tenant.address, randomAddress());
  await insertTestTrade(world, said);
  return { company: { ...tenant, admin: await world.member(tenant, 'administrator') }, said, payeeId: newId() };
}

async function frozen(world: MainApp, tenant: Tenant): Promise<Trading> {
  const trade = await open(world, tenant);
  const as = trade.company.admin;
  const address = trade.said.seller.wallet;
  const body = { id: trade.payeeId, label: `Seller ${address.slice(2, 8)}`, chain: 'ethereum', coin: 'USDT', address };
  await succeed(world, addCryptoPayee, { as, body });
  await confirmed({ world }, as, trade.said.id);
  return trade;
}
