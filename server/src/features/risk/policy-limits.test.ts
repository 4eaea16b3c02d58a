import { addRiskPolicy } from '@causeway/contract/risk.ts';
import { maxPolicies } from '@causeway/contract/risk-rules.ts';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { testDatabase } from '../../testing/database.ts';
import { type MainApp, mainApp, type Tenant } from '../../testing/main-app.ts';
import { saveOrder } from './store/policies.ts';

/** How many policies a company has, and what they may be about. */

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

const large = {
  name: 'Large transfers',
  business: 'crypto_withdrawal',
  method: 'forbid',
  content: { dimension: 'crypto_quantity', coin: 'USDT', from: '1000', to: null },
  result: 'deny',
  window: 'day',
};

function add(policy: object = {}) {
  return world.ask(addRiskPolicy, { as: tenant.admin, body: { ...large, ...policy } });
}

test('a company has at most 10,000 policies', async () => {
  const { data: one } = await add();
  const order = Array.from({ length: maxPolicies - 1 }, () => ({ id: one.id, version: 1, active: false }));
  await world.db.app.withCompany(tenant.id, (tx) => saveOrder(tx, { version: 1, policies: order }));
  expect((await add({ name: 'the last' })).status).toBe(200);
  expect(await add({ name: 'one too many' })).toMatchObject({ status: 409, key: 'riskPolicyLimit' });
});

test('a currency that the product does not know is refused at its field', async () => {
  const payment = { business: 'payment' };
  expect(await add({ ...payment, content: { dimension: 'fiat_currency', currencies: ['USD', 'ZZZ'] } })).toMatchObject({
    status: 400,
    key: 'currencyUnknown',
    fields: { 'content.currencies': expect.any(String) },
  });
  const amount = { dimension: 'fiat_amount', currency: 'ZZZ', from: '1', to: null };
  expect(await add({ ...payment, content: amount })).toMatchObject({
    status: 400,
    key: 'currencyUnknown',
    fields: { 'content.currency': expect.any(String) },
  });
});

test.each([
  [undefined, 'content'],
  [{ dimension: 'crypto_value', from: '', to: null }, 'content.from'],
  [{ dimension: 'crypto_frequency', from: '', to: null }, 'content.from'],
  [{ dimension: 'crypto_quantity', coin: '', from: '1', to: null }, 'content.coin'],
  [{ dimension: 'chain', chains: [] }, 'content.chains'],
])('a policy without content is refused: %o', async (content, field) => {
  const answer = await add({ content });
  expect(answer).toMatchObject({ status: 400, key: 'validationFailed' });
  expect(answer.fields).toEqual({ [field]: 'required' });
});
