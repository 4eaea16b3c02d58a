import { addCryptoPayee } from '@causeway/contract/payees.ts';
import { quoteAcceleration, quoteSpeedUp } from '@causeway/contract/transfers.ts';
import { newId } from '../../platform/ids.ts';
import { randomAddress } from '../company.ts';
import type { MainApp, Request, Tenant } from '../main-app.ts';
import { succeed } from '../succeed.ts';
import { waitingDeposit, waitingTransfer } from './waiting-transfer.ts';

/** Requests that succeed, of the calls about network fees that are chosen. */
export const networkFeeRequests: Record<string, (world: MainApp, tenant: Tenant) => Promise<Request>> = {
  listNetworkFees: async (world, tenant) => {
    const as = tenant.admin;
    const body = { label: 'Pearl River Supplies', chain: 'ethereum', coin: 'USDT', address: randomAddress() };
    const { data } = await succeed(world, addCryptoPayee, { as, body });
    return { as, query: { walletId: tenant.wallets.USDT, payeeId: data.id, amount: '5' } };
  },
  quoteSpeedUp: async (world, tenant) => ({
    as: tenant.admin,
    query: { id: (await waitingTransfer(world, tenant)).id },
  }),
  speedUpTransfer: async (world, tenant) => {
    const { id } = await waitingTransfer(world, tenant);
    const { data } = await succeed(world, quoteSpeedUp, { as: tenant.admin, query: { id } });
    return { as: tenant.admin, headers: { 'idempotency-key': newId() }, body: { id, fee: data.newFee } };
  },
  quoteAcceleration: async (world, tenant) => ({
    as: tenant.admin,
    query: { depositId: (await waitingDeposit(world, tenant)).id },
  }),
  accelerateDeposit: async (world, tenant) => {
    const { id: depositId } = await waitingDeposit(world, tenant);
    const { data } = await succeed(world, quoteAcceleration, { as: tenant.admin, query: { depositId } });
    const { level: feeLevel, fee } = data.items[0] ?? { level: 'normal', fee: '0' };
    return {
      as: tenant.admin,
      headers: { 'idempotency-key': newId() },
      body: { id: newId(), depositId, feeLevel, fee },
    };
  },
};
