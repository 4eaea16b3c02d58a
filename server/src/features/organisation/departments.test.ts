import * as calls from '@causeway/contract/organisation.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newId } from '../../platform/ids.ts';
import { testDatabase } from '../../testing/database.ts';
import { type MainApp, type Member, mainApp, type Tenant } from '../../testing/main-app.ts';
import { member } from '../../testing/organisation.ts';
import { succeed } from '../../testing/valid-requests.ts';

let world: MainApp;
let tenant: Tenant;
let as: Member;
beforeAll(async () => {
  world = await mainApp(await testDatabase());
});
beforeEach(async () => {
  tenant = await world.company();
  as = tenant.admin;
});
afterAll(async () => {
  await world.close();
  await world.db.close();
});
afterEach(() => expect(world.complaints.splice(0)).toEqual([]));

const ask = (name: string, parentId: string | null = null) =>
  world.ask(calls.addDepartment, { as, body: { name, parentId } });
const add = async (name: string, parentId: string | null = null): Promise<string> => {
  const answer = await ask(name, parentId);
  expect(answer.status, answer.raw.body).toBe(200);
  return answer.data.id;
};
const edit = (body: object) => world.ask(calls.editDepartment, { as, body });
const tree = async (query: Record<string, string> = {}) =>
  (await succeed(world, calls.listDepartments, { as, query })).data;
const names = async (query: Record<string, string> = {}) =>
  (await tree(query)).items.map(({ name }: { name: string }) => name);

describe('the tree', () => {
  test('keeps the order in which departments are made and moved, and carries along what is under them', async () => {
    const sales = await add('Sales');
    const treasury = await add('Treasury');
    const payments = await add('Payments', treasury);
    await add('Cards', payments);
    expect(await names()).toEqual(['Sales', 'Treasury', 'Payments', 'Cards']);
    await edit({ id: treasury, name: 'Treasury', parentId: null, position: 0 });
    expect(await names()).toEqual(['Treasury', 'Payments', 'Cards', 'Sales']);
    const moved = await edit({ id: payments, name: 'Payouts', parentId: sales });
    expect(moved.data).toMatchObject({ name: 'Payouts', parentId: sales, position: 0 });
    expect(await names()).toEqual(['Treasury', 'Sales', 'Payouts', 'Cards']);
    const { items } = await tree();
    expect(items.map(({ position }: { position: number }) => position)).toEqual([0, 1, 0, 0]);
  });

  test('puts a new department last, also where one before it was deleted', async () => {
    await add('Sales');
    const gone = await add('Treasury');
    await add('Payments');
    await world.ask(calls.deleteDepartment, { as, params: { id: gone } });
    await add('Audit');
    expect(await names()).toEqual(['Sales', 'Payments', 'Audit']);
  });

  test('counts members of a department and of all under it', async () => {
    const top = await add('Finance');
    const sub = await add('Payments', top);
    await member(world, tenant, { departmentId: top });
    await member(world, tenant, { departmentId: sub });
    const { items, unassigned } = await tree();
    expect(items).toMatchObject([
      { name: 'Finance', memberCount: 1, totalCount: 2, members: [{ status: 'invited', role: { name: 'Viewer' } }] },
      { name: 'Payments', memberCount: 1, totalCount: 1 },
    ]);
    expect(unassigned).toMatchObject([{ name: 'Ada Wong' }]);
  });

  test('is searched by department and by member, with what leads there', async () => {
    const top = await add('Finance');
    const sub = await add('Payments', top);
    await add('Sales');
    await member(world, tenant, { departmentId: sub, firstName: 'Quentin' });
    expect(await names({ keyword: 'pay' })).toEqual(['Finance', 'Payments']);
    expect(await names({ keyword: 'quentin' })).toEqual(['Finance', 'Payments']);
    expect(await names({ keyword: 'nothing' })).toEqual([]);
  });

  test('names siblings apart, in whatever case; elsewhere the name is free', async () => {
    const top = await add('Finance');
    await add('Payments', top);
    expect(await ask(' finance ')).toMatchObject({ status: 409, key: 'departmentExists' });
    expect((await ask('PAYMENTS', top)).key).toBe('departmentExists');
    const free = await add('Payments');
    expect((await edit({ id: free, name: 'Payments', parentId: top })).key).toBe('departmentExists');
    expect((await edit({ id: free, name: 'Finance', parentId: null })).key).toBe('departmentExists');
  });

  test('is at most eight levels deep and has no cycle', async () => {
    let parentId: string | null = null;
    const ids: string[] = [];
    for (let level = 1; level <= 8; level++) {
      parentId = await add(`Level ${level}`, parentId);
      ids.push(parentId);
    }
    const deeper = await ask('Level 9', parentId);
    expect(deeper).toMatchObject({ status: 409, key: 'departmentTooDeep' });
    expect(deeper.errors[0]).toContain('8');
    const [first, , third] = ids;
    const answer = await edit({ id: first, name: 'Level 1', parentId: third });
    expect(answer).toMatchObject({ status: 409, key: 'departmentCycle', fields: { parentId: expect.any(String) } });
  });

  test('two moves at once that would make a circle together: one is refused', async () => {
    for (let round = 0; round < 10; round++) {
      const [a, b] = [await add(`A ${round}`), await add(`B ${round}`)];
      const answers = await Promise.all([
        edit({ id: a, name: `A ${round}`, parentId: b }),
        edit({ id: b, name: `B ${round}`, parentId: a }),
      ]);
      expect(answers.map(({ key }) => key).sort()).toEqual(['departmentCycle', null]);
    }
  });
});

describe('deleting a department', () => {
  test('is refused with the reason while it has members or departments under it', async () => {
    const top = await add('Finance');
    const sub = await add('Payments', top);
    const id = await member(world, tenant, { departmentId: top });
    const remove = (departmentId: string) => world.ask(calls.deleteDepartment, { as, params: { id: departmentId } });
    const refused = await remove(top);
    expect(refused).toMatchObject({ status: 409, key: 'departmentInUse' });
    expect(refused.errors[0]).toContain('1 member and 1 sub-department');
    expect((await remove(sub)).status).toBe(200);
    await succeed(world, calls.removeDepartmentMembers, { as, body: { departmentId: top, memberIds: [id] } });
    expect((await remove(top)).status).toBe(200);
    expect((await remove(top)).key).toBe('departmentNotFound');
  });
});

describe('members of a department', () => {
  test('only those without a department are added', async () => {
    const [one, other] = [await add('One'), await add('Other')];
    const { userId: free } = (await world.member(tenant, 'viewer')).session;
    const taken = await member(world, tenant, { departmentId: other });
    const put = (memberIds: string[]) =>
      world.ask(calls.addDepartmentMembers, { as, body: { departmentId: one, memberIds } });
    expect(await put([free, taken])).toMatchObject({ status: 409, key: 'memberHasDepartment' });
    expect(await put([free, newId()])).toMatchObject({ status: 404, key: 'memberNotFound' });
    expect(await put([])).toMatchObject({ status: 400, fields: { memberIds: 'required' } });
    expect((await tree()).items[0]!.memberCount).toBe(0);
    expect((await put([free, free])).status).toBe(200);
    expect((await put([free])).key).toBe('memberHasDepartment');
    expect((await tree()).items[0]!.memberCount).toBe(1);
  });

  test('are taken out of the one they are in, and of no other', async () => {
    const [one, other] = [await add('One'), await add('Other')];
    const id = await member(world, tenant, { departmentId: one });
    const take = (departmentId: string) =>
      world.ask(calls.removeDepartmentMembers, { as, body: { departmentId, memberIds: [id] } });
    expect((await take(other)).key).toBe('memberNotFound');
    expect((await take(one)).status).toBe(200);
    expect((await tree()).unassigned).toHaveLength(2);
  });
});

describe('company settings', () => {
  const save = (body: object) => world.ask(calls.setCompanySettings, { as, body });

  test('are the program’s until they are set', async () => {
    const read = async () => (await succeed(world, calls.getCompanySettings, { as })).data;
    const dual = {
      waitingHours: 24,
      forbidOwnApprovers: false,
      approveNewPayees: false,
      baseCurrency: 'USD',
      changedPayeeDays: 7,
      approverCount: 1,
    };
    expect(await read()).toEqual({ timeZone: 'Asia/Hong_Kong', codeRecipient: 'initiator', ...dual });
    const settings = { timeZone: 'America/Argentina/Buenos_Aires', codeRecipient: 'administrator' };
    expect((await save(settings)).data).toMatchObject({ ...settings, applied: true });
    expect((await save({ ...settings, timeZone: 'UTC' })).status).toBe(200);
    expect(await read()).toEqual({ ...settings, ...dual, timeZone: 'UTC' });
    // A field that is left out keeps its value; the base currency widens nothing.
    expect((await save({ ...settings, timeZone: 'UTC', baseCurrency: 'EUR' })).data).toMatchObject({ applied: true });
    expect((await save({ ...settings, timeZone: 'UTC' })).status).toBe(200);
    expect(await read()).toMatchObject({ baseCurrency: 'EUR' });
    expect((await save({ ...settings, baseCurrency: 'JPY' })).key).toBe('validationFailed');
  });

  test.each([
    '',
    'Hong Kong',
    '+08:00',
    'Mars/Olympus',
    'asia/hong_kong',
    "UTC'; drop table x",
    'posixrules',
    'posix/Asia/Hong_Kong',
    'Factory',
  ])('know no time zone %j', async (timeZone) => {
    const answer = await save({ timeZone, codeRecipient: 'initiator' });
    expect(answer).toMatchObject({ status: 400, key: 'validationFailed' });
    expect(answer.fields['timeZone']).toMatch(/\S/);
  });
});
