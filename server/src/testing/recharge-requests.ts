import { announceRecharge } from '@causeway/contract/recharges.ts';
import { createDepositMemory } from '../features/banks/intake/deposit-store.ts';
import { openBankWallet } from '../features/wallets/index.ts';
import { newId } from '../platform/ids.ts';
import { registerTestBanks } from './bank-registry.ts';
import type { MainApp, Request, Tenant } from './main-app.ts';
import { succeed } from './succeed.ts';

/**
 * Of the calls about recharges by bank transfer: a request that succeeds, as in `validRequests`.
 * @param attach uploads a file of the tenant's and returns its id
 */
export function rechargeRequests(
  attach: (world: MainApp, tenant: Tenant) => Promise<string>,
): Record<string, (world: MainApp, tenant: Tenant) => Promise<Request>> {
  const announcing = async (world: MainApp, tenant: Tenant) => ({
    as: tenant.admin,
    body: {
      id: newId(),
      walletId: await walletAtBank(world, tenant),
      amount: '1250.50',
      paidAt: new Date(Date.now() - 3_600_000).toISOString(),
      remark: 'Invoice 7',
      proofIds: [await attach(world, tenant)],
    },
  });
  const announced = async (world: MainApp, tenant: Tenant) =>
    (await succeed(world, announceRecharge, await announcing(world, tenant))).data.id;
  /** A deposit on its way to the tenant's wallet. */
  const arriving = async (world: MainApp, tenant: Tenant) => {
    const id = await walletAtBank(world, tenant);
    const depositId = `dep-${newId()}`;
    await createDepositMemory(world.db.worker, 'first').remember({
      ...{ id: depositId, status: 'PENDING', begunAt: new Date(), account: accountOf(tenant), currency: 'HKD' },
      ...{ amountMinor: 125_050n, payer: 'Kowloon Mills', reference: 'Invoice 7' },
    });
    return { id, depositId };
  };
  return {
    getFunding: async (world, tenant) => ({ as: tenant.admin, params: { id: await walletAtBank(world, tenant) } }),
    downloadFunding: async (world, tenant) => ({ as: tenant.admin, params: { id: await walletAtBank(world, tenant) } }),
    listArriving: async (world, tenant) => ({ as: tenant.admin, params: { id: (await arriving(world, tenant)).id } }),
    getArriving: async (world, tenant) => ({ as: tenant.admin, params: await arriving(world, tenant) }),
    announceRecharge: announcing,
    listRecharges: async (world, tenant) => {
      await announced(world, tenant);
      return { as: tenant.admin, query: { walletId: await walletAtBank(world, tenant), status: 'waiting' } };
    },
    getRecharge: async (world, tenant) => ({ as: tenant.admin, params: { id: await announced(world, tenant) } }),
    withdrawRecharge: async (world, tenant) => ({ as: tenant.admin, body: { id: await announced(world, tenant) } }),
  };
}

/** The tenant's wallet in Hong Kong dollars at the example's bank, opened when there is none. */
export async function walletAtBank(world: MainApp, tenant: Tenant): Promise<string> {
  await registerTestBanks(world.db);
  const account = { holderName: 'Harbour Trading', accountNumber: accountOf(tenant), branchCode: null, iban: null };
  return world.db.worker.withCompany(tenant.id, (tx) =>
    openBankWallet(tx, { bank: 'first', currency: 'HKD', account }),
  );
}

/** Of the tenant's own id, so that it is the same whenever it is asked for. */
function accountOf({ id }: Tenant): string {
  return id.replaceAll(/\D/g, '').slice(0, 14).padEnd(14, '0');
}
