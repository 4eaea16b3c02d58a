import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as calls from '@causeway/contract/organisation.ts';
import { exportNamelist } from '@causeway/contract/risk-lists.ts';
import { exportTransactions, listTransactions } from '@causeway/contract/transactions.ts';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { testDatabase } from '../../testing/database.ts';
import { type MainApp, mainApp } from '../../testing/main-app.ts';
import { role } from '../../testing/organisation.ts';
import { succeed } from '../../testing/valid-requests.ts';

/** Exporting is a right of its own: to see a list is not to carry it away. */

let world: MainApp;
beforeAll(async () => {
  world = await mainApp(await testDatabase());
});
afterAll(async () => {
  await world.close();
  await world.db.close();
});
afterEach(() => expect(world.complaints.splice(0)).toEqual([]));

test('a role of the company’s own exports what it may export, and sees what it may see', async () => {
  const tenant = await world.company();
  const sees = await world.member(tenant, await role(world, tenant, ['transaction.view', 'list.view']));
  await succeed(world, listTransactions, { as: sees });
  expect((await world.ask(exportTransactions, { as: sees })).key).toBe('noPermission');
  expect((await world.ask(exportNamelist, { as: sees, query: { kind: 'white' } })).key).toBe('noPermission');

  const exports = await role(world, tenant, ['transaction.export', 'list.export']);
  expect(exports.permissions).toEqual(['transaction.view', 'transaction.export', 'list.view', 'list.export']);
  const takes = await world.member(tenant, exports);
  await succeed(world, exportTransactions, { as: takes });
  await succeed(world, exportNamelist, { as: takes, query: { kind: 'white' } });
});

test('a role that could export before there was a permission for it keeps what it could do, in every company', async () => {
  const tenants = [await world.company(), await world.company()];
  const given = ['transaction.view', 'list.view', 'notice.view'] as const;
  const before = await Promise.all(tenants.map((tenant) => role(world, tenant, given)));
  const blind = await role(world, tenants[0]!, ['notice.view']);
  const file = join(import.meta.dirname, '../../../migrations/0058_organisation_export.sql');
  const client = new pg.Client({ connectionString: world.db.superuserUrl });
  await client.connect();
  // The owner's rights, which row-level security binds.
  await client.query('set role causeway_owner');
  await client.query(readFileSync(file, 'utf8'));
  await client.end();
  for (const [index, tenant] of tenants.entries()) {
    const { data } = await succeed(world, calls.getRoleMenus, {
      as: tenant.admin,
      query: { id: before[index]!.id },
    });
    expect([...data.permissions].sort()).toEqual([...given, 'transaction.export', 'list.export'].sort());
  }
  const { data } = await succeed(world, calls.getRoleMenus, { as: tenants[0]!.admin, query: { id: blind.id } });
  expect(data.permissions).toEqual(['notice.view']);
});
