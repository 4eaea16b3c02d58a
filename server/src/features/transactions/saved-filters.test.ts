import { deleteSavedFilter, listSavedFilters, saveFilter } from '@causeway/contract/transactions.ts';
import { maxSavedFilters } from '@causeway/contract/transactions-rules.ts';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { testDatabase } from '../../testing/database.ts';
import { type MainApp, type Member, mainApp, type Tenant } from '../../testing/main-app.ts';
import { succeed } from '../../testing/succeed.ts';

let world: MainApp;
let tenant: Tenant;
beforeAll(async () => {
  world = await mainApp(await testDatabase());
});
beforeEach(async () => {
  tenant = await world.company();
});
afterAll(async () => {
  await world.close();
  await world.db.close();
});
afterEach(() => expect(world.complaints.splice(0)).toEqual([]));

const save = (as: Member, name: string, filters = {}) => world.ask(saveFilter, { as, body: { name, filters } });
const namesOf = async (as: Member) => (await succeed(world, listSavedFilters, { as })).data.map(({ name }) => name);

test('a saved filter is its member’s alone, by name, until it is deleted', async () => {
  const other = await world.member(tenant, 'viewer');
  const filters = { status: 'pending', amountMin: '1000', from: '2026-11-01', keyword: '' };
  expect((await save(tenant.admin, 'Pending, large', filters)).status).toBe(200);
  expect((await save(tenant.admin, 'Audit')).status).toBe(200);
  expect(await namesOf(tenant.admin)).toEqual(['Audit', 'Pending, large']);
  expect(await namesOf(other)).toEqual([]);
  const [, large] = (await succeed(world, listSavedFilters, { as: tenant.admin })).data;
  expect(large?.filters).toEqual({ status: 'pending', amountMin: '1000', from: '2026-11-01' });
  const params = { id: large?.id ?? '' };
  expect(await world.ask(deleteSavedFilter, { as: other, params })).toMatchObject({ status: 404, key: 'notFound' });
  await succeed(world, deleteSavedFilter, { as: tenant.admin, params });
  expect(await namesOf(tenant.admin)).toEqual(['Audit']);
});

test('a name is used once, whatever the capitals; another member may use it too', async () => {
  expect((await save(tenant.admin, 'Rent')).status).toBe(200);
  const again = await save(tenant.admin, 'rent');
  expect(again).toMatchObject({ status: 409, key: 'savedFilterExists' });
  expect(Object.keys(again.fields)).toEqual(['name']);
  expect((await save(await world.member(tenant, 'viewer'), 'Rent')).status).toBe(200);
});

test(`a member saves ${maxSavedFilters} at most`, async () => {
  for (let n = 0; n < maxSavedFilters; n++) expect((await save(tenant.admin, `Filter ${n}`)).status).toBe(200);
  expect(await save(tenant.admin, 'One more')).toMatchObject({ status: 409, key: 'tooManySavedFilters' });
  expect(await namesOf(tenant.admin)).toHaveLength(maxSavedFilters);
});

test.each([[{ unknown: 'x' }], [{ keyword: 'x'.repeat(129) }]])('filters %o are refused', async (filters) => {
  expect(await save(tenant.admin, 'Odd', filters)).toMatchObject({ status: 400, key: 'validationFailed' });
});
