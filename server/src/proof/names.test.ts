import { calls } from '@causeway/contract/calls.ts';
import { updateUser } from '@causeway/contract/identity-account.ts';
import { locales } from '@causeway/contract/locale.ts';
import * as organisation from '@causeway/contract/organisation.ts';
import { systemRoles } from '@causeway/contract/permission.ts';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../platform/ids.ts';
import { translate } from '../platform/text/texts.ts';
import { textFields, withValue } from '../testing/contract-fields.ts';
import { testDatabase } from '../testing/database.ts';
import { type MainApp, type Member, mainApp, type Request, type Tenant } from '../testing/main-app.ts';
import { department, memberForm, role, roleForm } from '../testing/organisation.ts';
import { succeed, validRequests } from '../testing/valid-requests.ts';

/** Names by which people recognise others: visible to the last character, and not to be taken for another (docs/adr/0047). */

let world: MainApp;
let tenant: Tenant;
beforeAll(async () => {
  world = await mainApp(await testDatabase());
  tenant = await world.company();
});
afterAll(async () => {
  await world.close();
  await world.db.close();
});
afterEach(() => expect(world.complaints.splice(0)).toEqual([]));

/** Every field of the contract that holds a name. */
const bankNames = ['body.firstName', 'body.lastName', 'body.enterpriseName', 'body.holderName', 'body.bankName'];

const named: Record<string, string[]> = {
  register: ['body.companyName', 'body.firstName', 'body.lastName'],
  updateUser: ['body.firstName', 'body.lastName'],
  addPasskey: ['body.name'],
  renamePasskey: ['body.name'],
  addMember: ['body.firstName', 'body.lastName'],
  editMember: ['body.firstName', 'body.lastName'],
  addDepartment: ['body.name'],
  editDepartment: ['body.name'],
  addRole: ['body.name'],
  editRole: ['body.name'],
  copyRole: ['body.name'],
  addCryptoPayee: ['body.label'],
  editCryptoPayee: ['body.label'],
  addBankPayee: ['body.label', ...bankNames],
  editBankPayee: bankNames,
  addBatch: ['body.name'],
  renameBatch: ['body.name'],
  addPayoutTemplate: ['body.name'],
  editPayoutTemplate: ['body.name'],
  makeTemplateBatch: ['body.name'],
  createPaymentRequest: ['body.payer.name'],
  editPaymentRequest: ['body.payer.name'],
  checkBankPayee: bankNames,
  labelBankPayee: ['body.label'],
  saveFilter: ['body.name'],
  addRiskPolicy: ['body.name'],
  editRiskPolicy: ['body.name'],
  replayRiskPolicies: ['body.policy.name'],
  addRule: ['body.rule.name'],
  changeRule: ['body.rule.name'],
  checkReviewChange: ['body.change.rule.name'],
  changeCard: ['body.name'],
  issueCard: ['body.name', 'body.shipTo.name'],
  replaceCard: ['body.shipTo.name'],
};

test('the table of this proof has every field that holds a name', () => {
  const found = calls.flatMap((call) =>
    textFields(call)
      .filter(({ path, isId }) => !isId && path.startsWith('body.') && /\.(\w*[nN]ame|label)$/.test(path))
      .map(({ path }) => `${call.name} ${path}`),
  );
  const known = Object.entries(named).flatMap(([call, paths]) => paths.map((path) => `${call} ${path}`));
  expect([...new Set(found)].sort()).toEqual(known.sort());
});

describe.each(Object.entries(named))('%s', (callName, paths) => {
  test.each(paths)('refuses what cannot be seen in %s', async (path) => {
    const call = calls.find(({ name }) => name === callName)!;
    const request = (await validRequests[callName]?.(world, tenant)) ?? {};
    for (const hidden of [
      'Ada\u200bline',
      'Ada\u00adline',
      'Ada\u200eline',
      'Ada\nline',
      'Ada\u3164line',
      'Ada\u2800',
    ]) {
      const answer = await world.ask(call, withValue(request as Request & { body: object }, path, hidden));
      expect(answer.key, hidden).toBe('validationFailed');
      expect(Object.keys(answer.fields)).toEqual([path.replace('body.', '')]);
    }
  });
});

const cyrillic = (text: string) =>
  text.replaceAll(
    /[aeopcxyi]/gi,
    (letter) => ({ a: 'а', e: 'е', o: 'о', p: 'р', c: 'с', x: 'х', y: 'у', i: 'і' })[letter] ?? letter,
  );

describe('a role', () => {
  const add = (name: string) => world.ask(organisation.addRole, { as: tenant.admin, body: { ...roleForm(), name } });

  test.each(locales.flatMap((locale) => systemRoles.map((system) => translate(locale, `role.${system}`))))(
    'does not pass for %s',
    async (name) => {
      const { id } = await role(world, tenant);
      const alike = [name, cyrillic(name), name.toUpperCase(), `${name} `, name.replace('A', 'А').replace('m', 'rn')];
      for (const each of alike) {
        expect((await add(each)).key, each).toBe('roleExists');
        const body = { id, ...roleForm(), name: each };
        expect((await world.ask(organisation.editRole, { as: tenant.admin, body })).key, each).toBe('roleExists');
      }
    },
  );

  test('does not pass for another of the company, and keeps its own name', async () => {
    const name = `Payments ${newId()}`;
    const { data } = await succeed(world, organisation.addRole, { as: tenant.admin, body: { ...roleForm(), name } });
    const answer = await add(cyrillic(name));
    expect(answer).toMatchObject({ key: 'roleExists', fields: { name: expect.stringContaining('looks the same') } });
    const copied = { id: data.id, newId: newId(), name: cyrillic(name) };
    expect((await world.ask(organisation.copyRole, { as: tenant.admin, body: copied })).key).toBe('roleExists');
    const body = { ...roleForm(), id: data.id, name: cyrillic(name) };
    await succeed(world, organisation.editRole, { as: tenant.admin, body });
  });
});

test('a department does not pass for another under the same parent', async () => {
  const [parentId, name] = [await department(world, tenant), 'Accounts Payable'];
  const add = (given: object) =>
    world.ask(organisation.addDepartment, { as: tenant.admin, body: { parentId, name, ...given } });
  const first = await add({});
  expect((await add({ name: cyrillic(name) })).key).toBe('departmentExists');
  const other = await add({ name: 'Receivables' });
  const body = { id: other.data.id, parentId, name: cyrillic(name) };
  expect((await world.ask(organisation.editDepartment, { as: tenant.admin, body })).key).toBe('departmentExists');
  await succeed(world, organisation.editDepartment, { as: tenant.admin, body: { ...body, id: first.data.id } });
  expect((await add({ name, parentId: first.data.id })).status).toBe(200);
});

describe('a member', () => {
  const form = async (given: object) => ({ ...(await memberForm(world, tenant)), ...given });
  const add = async (given: object) => world.ask(organisation.addMember, { as: tenant.admin, body: await form(given) });
  const mine = (as: Member, given: object) =>
    world.ask(updateUser, {
      as,
      body: { firstName: 'Vera', lastName: '', mobileCountryCode: null, mobile: null, ...given },
    });

  test('is not named as a colleague in other characters: neither by an administrator nor by themselves', async () => {
    const colleague = { firstName: 'Grace', lastName: 'Hopper' };
    expect((await add(colleague)).status).toBe(200);
    const alike = { firstName: cyrillic('Grace'), lastName: 'Hopper' };
    expect(await add(alike)).toMatchObject({
      key: 'nameAlike',
      fields: { firstName: expect.stringContaining('Grace Hopper') },
    });
    const { data } = await add({ firstName: 'Someone', lastName: 'Else' });
    const body = { ...(await form(alike)), id: data.id };
    expect((await world.ask(organisation.editMember, { as: tenant.admin, body })).key).toBe('nameAlike');
    const viewer = await world.member(tenant, 'viewer');
    expect((await mine(viewer, alike)).key).toBe('nameAlike');
  });

  test('may have the very name of a colleague: people do', async () => {
    const shared = { firstName: 'Tai Man', lastName: 'Chan' };
    expect((await add(shared)).status).toBe(200);
    expect((await add(shared)).status).toBe(200);
    expect((await add({ firstName: 'TAI MAN', lastName: 'Chan' })).status).toBe(200);
  });

  test('keeps a name that was like another’s before, as long as it is not changed', async () => {
    const viewer = await world.member(tenant, 'viewer');
    await succeed(world, updateUser, {
      as: viewer,
      body: { firstName: 'Niсo', lastName: '', mobileCountryCode: null, mobile: null },
    });
    expect((await mine(viewer, { firstName: 'Niсo', mobileCountryCode: '852', mobile: '91234567' })).status).toBe(200);
  });

  test('is compared within the company alone', async () => {
    const other = await world.company('Other Limited');
    expect((await add({ firstName: 'Edsger', lastName: 'Dijkstra' })).status).toBe(200);
    const viewer = await world.member(other, 'viewer');
    expect((await mine(viewer, { firstName: cyrillic('Edsger'), lastName: 'Dijkstra' })).status).toBe(200);
  });
});
