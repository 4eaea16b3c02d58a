import { systemRoleIds } from '@causeway/contract/permission.ts';
import { saveFilter } from '@causeway/contract/transactions.ts';
import { sql } from 'kysely';
import { deleteRule, lockSettings, writeRule } from '../features/approvals/store/rules.ts';
import { insertTests } from '../features/transfers/store/tests.ts';
import { newId } from '../platform/ids.ts';
import { collectionRequests } from './collection-requests.ts';
import type { MainApp, Request, Tenant } from './main-app.ts';
import { succeed } from './succeed.ts';
import { tradeRequests } from './trade-requests.ts';
import { insertTestTransaction } from './transactions.ts';

/** Requests about what transactions are filed under and found by, and what such requests need. */
export const transactionRequests: Record<string, (world: MainApp, tenant: Tenant) => Promise<Request>> = {
  ...tradeRequests,
  ...collectionRequests,
  listCategories: async (_, { admin }) => ({ as: admin }),
  deleteCategory: async (world, tenant) => {
    const id = newId();
    await world.db.app.withCompany(tenant.id, (tx) =>
      sql`insert into transaction_category (company_id, id, name) values (company_id(), ${id}, ${id.slice(-12)})`.execute(
        tx,
      ),
    );
    return { as: tenant.admin, params: { id } };
  },
  listSavedFilters: async (_, { admin }) => ({ as: admin }),
  saveFilter: async (_, { admin }) => ({ as: admin, body: savedFilter() }),
  deleteSavedFilter: async (world, { admin }) => {
    const { data } = await succeed(world, saveFilter, { as: admin, body: savedFilter() });
    return { as: admin, params: { id: data.id } };
  },
};

function savedFilter() {
  const id = newId();
  return { id, name: id.slice(-12), filters: { status: 'pending', category: 'Rent' } };
}

/** A test transfer of 1.5 USDT to a payee, of 10 in all, that has arrived. */
export async function arrivedTest(world: MainApp, tenant: Tenant, payeeId: string): Promise<string> {
  const id = await insertTestTransaction(world.db, tenant, {
    type: 'chain_withdraw',
    quantityMinor: 1_500_000n,
    payeeId,
  });
  await world.db.app.withCompanies([tenant.id], (tx) =>
    Promise.all(insertTests(tx, [{ companyId: tenant.id, id, totalMinor: 10_000_000n }], [])),
  );
  return id;
}

/** Switches review on, with one rule by which any approver approves everything, and off again without it. */
export function reviewOf(world: MainApp, tenant: Pick<Tenant, 'id' | 'admin'>): (enabled: boolean) => Promise<void> {
  const rule = {
    id: newId(),
    version: 1,
    name: 'All',
    lowerCents: 0n,
    upperCents: null,
    submitters: null,
    active: true,
  };
  const nodes = [{ needed: 1, people: [], roles: [systemRoleIds.approver] }];
  return (enabled) =>
    world.db.app.withCompany(tenant.id, async (tx) => {
      await lockSettings(tx);
      if (enabled) await writeRule(tx, { ...rule, nodes }, 1, { id: tenant.admin.session.userId, name: 'Ada Wong' });
      else await deleteRule(tx, rule.id);
      await sql`update approval_setting set enabled = ${enabled} where company_id = company_id()`.execute(tx);
    });
}
